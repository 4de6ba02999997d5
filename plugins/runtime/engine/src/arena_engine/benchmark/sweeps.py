"""Expands the sweeps of a benchmark's games and agents, and finds the entries that a path or a filter means."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final, cast

import attrs
from arena.errors import ConfigError, did_you_mean
from arena.record import canonical_json

from arena_engine.benchmark.plain_data import Path, locate, replace

NAME: Final = 3
"""The rank of a path with a name, which wins over one with a tag, and that over one with a plugin."""

_RANKS: Final = {"use": 1, "tag": 2}


def meant(data: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, int]]:
    """The paths into single entries, each with its rank: that of the most specific one counts.

    The second part of a path is the name of an entry, ``use=PLUGIN`` for all entries of a plugin, or ``tag=TAG`` for
    all with a tag; there may be none of these.
    """
    first, named, rest = (path[0], path[1], path[2:]) if len(path) > 1 else ("", "", ())
    kind, is_selector, word = named.partition("=")
    table: Any = data.get(first)
    if not is_selector or kind not in _RANKS or not isinstance(table, Mapping) or named in table:
        yield path, NAME
        return
    for name, entry in cast("Mapping[str, Any]", table).items():
        if word in ({_plugin(entry)} if kind == "use" else tags_of(entry)):
            yield (first, name, *rest), _RANKS[kind]


def is_of_many(dotted: str) -> bool:
    """Whether a path means entries by their plugin or a tag, whatever they are called."""
    return dotted.partition(".")[2].partition("=")[0] in _RANKS


def tags_of(entry: Any) -> list[str]:
    """The tags of an entry, as far as they are texts."""
    tags: Any = cast("Mapping[str, Any]", entry).get("tags") if isinstance(entry, Mapping) else None
    return [tag for tag in cast("list[Any]", tags) if isinstance(tag, str)] if isinstance(tags, list) else []


def _plugin(entry: Any) -> str:
    use: Any = cast("Mapping[str, Any]", entry).get("use") if isinstance(entry, Mapping) else entry
    return use.rpartition(":")[2] if isinstance(use, str) else ""


_SWEPT = ("games", "agents")


@attrs.frozen
class Swept:
    """Data in which the variants of a sweep replace their entries, and for each variant the entry it comes from."""

    data: Mapping[str, Any]
    origins: Mapping[Path, Path]


def sweep(data: Mapping[str, Any], paths: Mapping[str, tuple[Any, ...]]) -> Swept:
    """Replace each swept entry by one variant for every combination of values.

    ``sweep: {agents.smol.prompt.style: [direct, chain-of-thought]}`` makes ``smol[prompt.style=direct]`` and
    ``smol[prompt.style=chain-of-thought]`` of ``smol``. They are tagged ``smol``, so that schedules and filters reach
    them under the entry's name. In place of a name stands ``use=llm`` for all entries of a plugin, or ``tag=large`` for
    all with a tag, which wins over that; a name wins over both. ``ConfigError`` for paths that lead into no game or
    agent.
    """
    axes: dict[Path, dict[Path, tuple[int, tuple[Any, ...]]]] = {}
    problems: list[str] = []
    for dotted, values in paths.items():
        for path, rank in meant(data, locate(data, dotted)):
            if problem := _problem(data, path, values):
                problems.append(f"sweep.{dotted}: {problem}")
            own = axes.setdefault(path[:2], {})
            if path[2:] not in own or own[path[2:]][0] <= rank:
                own[path[2:]] = rank, values
    if problems:
        raise ConfigError(problems)
    return _multiplied(data, {entry: [(path, v) for path, (_, v) in own.items()] for entry, own in axes.items()})


def keep(data: Mapping[str, Any], wanted: Mapping[str, Iterable[str]], label: str) -> dict[str, Any]:
    """Keep only the games and agents that have a wanted name or tag; if none are wanted, keep all.

    ``ConfigError`` for a word that is neither: at ``label`` and the table's name, or with ``--`` at the option's.
    """
    kept = dict(data)
    for name, words in wanted.items():
        chosen = frozenset(words)
        if not chosen or not isinstance(data.get(name), Mapping):
            continue
        table = cast("Mapping[str, Any]", data[name])
        called = {key: {key, *tags_of(entry)} for key, entry in table.items()}
        known = sorted({word for words in called.values() for word in words})
        if unknown := sorted(chosen.difference(known)):
            where = f"--{name.removesuffix('s')}" if label == "--" else f"{label}{name}"
            told = "nothing is called or tagged"
            raise ConfigError(f"{where}: {told} {word!r}{did_you_mean(word, known)}" for word in unknown)
        kept[name] = {key: entry for key, entry in table.items() if not chosen.isdisjoint(called[key])}
    return kept


def unswept_name(name: str) -> str:
    """The name of the entry that a variant comes from: ``"smol"`` for ``"smol[prompt.style=direct]"``."""
    return name.partition("[")[0] if name.endswith("]") else name


def _multiplied(data: Mapping[str, Any], axes: Mapping[Path, list[tuple[Path, tuple[Any, ...]]]]) -> Swept:
    multiplied = dict(data)
    origins: dict[Path, Path] = {}
    for table in {path[0] for path in axes}:
        entries: dict[str, Any] = {}
        for name, entry in data[table].items():
            for variant, made in _variants(name, entry, axes.get((table, name), [])):
                if variant in entries or (variant != name and variant in data[table]):
                    raise ConfigError(f"sweep: two entries of {table} would be called {variant!r}; name them yourself")
                entries[variant] = made
                if variant != name:
                    origins[table, variant] = (table, name)
        multiplied[table] = entries
    return Swept(multiplied, origins)


def _variants(name: str, entry: Any, axes: list[tuple[Path, tuple[Any, ...]]]) -> Iterator[tuple[str, Any]]:
    if not axes:
        yield name, entry
        return
    for values in product(*(values for _, values in axes)):
        made, variant = entry, name
        for (path, _), value in zip(axes, values, strict=True):
            made = replace(made, path, value)
            variant += f"[{'.'.join(path)}={_word(value)}]"
        yield variant, {**made, "tags": [*tags_of(made), name]}


def _problem(data: Mapping[str, Any], path: Path, values: tuple[Any, ...]) -> str | None:
    if len(path) < 3 or path[0] not in _SWEPT:
        return "expected a path into one game or agent, such as agents.NAME.PARAMETER"
    table: Any = data.get(path[0])
    if not isinstance(table, Mapping) or path[1] not in table:
        known = cast("Iterable[str]", table if isinstance(table, Mapping) else ())
        return f"{path[0]} has no entry called {path[1]!r}{did_you_mean(path[1], known)}"
    if not isinstance(cast("Mapping[str, Any]", table)[path[1]], str | Mapping):
        return f"{path[0]}.{path[1]} is no table"
    return None if values else "expected at least one value"


def _word(value: Any) -> str:
    """A value as part of a variant's name, without the characters that have a meaning in match ids."""
    text = value if isinstance(value, str) else canonical_json(value)
    return re.sub(r"\s", "_", text.replace("/", ":").replace(",", ";"))

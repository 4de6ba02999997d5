"""Expands the sweeps of a benchmark's games and agents, and finds the entries that a path or a filter means."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final, cast

import attrs
from arena.errors import ConfigError, did_you_mean
from arena.record import canonical_json

from arena_engine.benchmark.plain_data import Path, locate, replace
from arena_engine.foundation.names import variant_name

NAME: Final = 3
"""The rank of a path with a name, which wins over one with a tag, and that over one with a plugin."""

_RANKS: Final = {"use": 1, "tag": 2}

_GAME: Final = re.compile(r"[^\[\]]+\[[^\[\]=]+=.*\]")
"""Matches the name of a variant of a game."""

_BRACES: Final = re.compile(r"\{([^{}]+)\}")
"""Matches a parameter within the name that a file gives an agent."""


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

    ``sweep: {agents.smol.prompt.style: [direct, chain-of-thought]}`` makes ``smol (direct)`` and
    ``smol (chain-of-thought)`` of ``smol``. They are tagged ``smol``, so that schedules and filters reach them under
    the entry's name, and ``prompt.style=direct``. Their key ``variant`` says what they were made of. An agent's
    ``name`` takes the place of its name, with values in braces: ``name: smol, {prompt.style}``. Variants of a game are
    called ``short[length=1]``. In place of a name stands ``use=llm`` for all entries of a plugin, or ``tag=large`` for
    all with a tag, which wins over that; a name wins over both. ``ConfigError`` for paths that lead into no game or
    agent, and for names that several agents would have.
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


def unswept_name(game: str) -> str:
    """The name of the entry that a variant of a game comes from: ``"short"`` for ``"short[length=1]"``."""
    return game.partition("[")[0] if _GAME.fullmatch(game) else game


def _multiplied(data: Mapping[str, Any], axes: Mapping[Path, list[tuple[Path, tuple[Any, ...]]]]) -> Swept:
    multiplied = dict(data)
    origins: dict[Path, Path] = {}
    for table in sorted({path[0] for path in axes} | {"agents"}):
        if not isinstance(data.get(table), Mapping):
            continue
        make = _agents if table == "agents" else _games
        entries: dict[str, Any] = {}
        for name, entry in data[table].items():
            for variant, made in make(name, entry, axes.get((table, name), [])):
                if variant in entries or (variant != name and variant in data[table]):
                    raise ConfigError(_twice(table, name, variant))
                entries[variant] = made
                if variant != name:
                    origins[table, variant] = (table, name)
        multiplied[table] = entries
    return Swept(multiplied, origins)


def _twice(table: str, name: str, variant: str) -> str:
    if table == "agents":
        return (
            f"agents.{name}: two agents would be called {variant!r}; give this entry a 'name' that tells them apart, "
            "with {PARAMETER} for a value of the sweep"
        )
    return f"sweep: two games would be called {variant!r}; rename one of them"


_Axes = list[tuple[Path, tuple[Any, ...]]]


def _games(name: str, entry: Any, axes: _Axes) -> Iterator[tuple[str, Any]]:
    if not axes:
        yield name, entry
        return
    for made, levels in _combined(entry, axes):
        variant = name + "".join(f"[{path}={word_of(value)}]" for path, value in levels.items())
        yield variant, {**made, "tags": [*tags_of(made), name]}


def _agents(name: str, entry: Any, axes: _Axes) -> Iterator[tuple[str, Any]]:
    """The variants of an agent, or itself, under the names that the file gives them."""
    for made, levels in _combined(entry, axes):
        given: Any = None
        if isinstance(made, Mapping):
            table = dict(cast("Mapping[str, Any]", made))
            given, made = table.pop("name", None), table
        levels.pop("name", None)
        if not (axes or given):
            yield name, made
            continue
        called = variant_name(name, levels) if given is None else _called(name, given, levels)
        tags = dict.fromkeys([*tags_of(made), *([name] if called != name else []), *map(_tag, levels.items())])
        made = {**made, "tags": [*tags]} if tags else made
        yield called, {**made, "variant": {"of": name, "by": [*levels]}} if levels else made


def _combined(entry: Any, axes: _Axes) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The entry with each combination of the values of its axes, and these values by path."""
    for values in product(*(values for _, values in axes)):
        made = entry
        for (path, _), value in zip(axes, values, strict=True):
            made = replace(made, path, value)
        yield made, {".".join(path): value for (path, _), value in zip(axes, values, strict=True)}


def _tag(level: tuple[str, Any]) -> str:
    path, value = level
    return f"{path}={value if isinstance(value, str) else canonical_json(value)}"


def _called(name: str, given: Any, levels: Mapping[str, Any]) -> str:
    """The name that the file gives an agent, with values in place of what stands in braces."""
    if not isinstance(given, str):
        raise ConfigError(f"agents.{name}.name: expected a text, got {given!r}")
    words = {path: value if isinstance(value, str) else canonical_json(value) for path, value in levels.items()}
    known = {path.rpartition(".")[2]: word for path, word in words.items()} | words
    if unknown := sorted({found for found in _BRACES.findall(given) if found not in known}):
        swept = f"swept are {', '.join(levels)}" if levels else "no parameter of it is swept"
        raise ConfigError(f"agents.{name}.name: {{{unknown[0]}}} is no parameter of the sweep ({swept})")
    return _BRACES.sub(lambda found: known[found[1]].replace("/", ":"), given)


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


def word_of(value: Any) -> str:
    """A value as part of a variant's name, without the characters that have a meaning in match ids."""
    text = value if isinstance(value, str) else canonical_json(value)
    return re.sub(r"\s", "_", text.replace("/", ":").replace(",", ";"))

"""Multiply the games and agents of a benchmark by sweeps, and keep those that were asked for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, cast

import attrs

from arena.errors import ConfigError
from arena.plain import Path, locate, replace, suggestion
from arena.record import canonical

_SWEPT = ("games", "agents")


@attrs.frozen
class Swept:
    """Data with every swept entry multiplied, and the entries the new ones come from."""

    data: Mapping[str, Any]
    origins: Mapping[Path, Path]


def sweep(data: Mapping[str, Any], paths: Mapping[str, tuple[Any, ...]]) -> Swept:
    """Put an entry for every combination of values in the place of each swept entry.

    ``sweep: {agents.smol.prompt.style: [direct, chain-of-thought]}`` makes ``smol[prompt.style=direct]`` and
    ``smol[prompt.style=chain-of-thought]`` of ``smol``. They are tagged ``smol``, so that schedules and filters reach
    them under the old name. ``ConfigError`` for paths that lead into no game or agent.
    """
    axes: dict[Path, list[tuple[Path, tuple[Any, ...]]]] = {}
    problems: list[str] = []
    for dotted, values in paths.items():
        path = locate(data, dotted)
        if problem := _problem(data, path, values):
            problems.append(f"sweep.{dotted}: {problem}")
        axes.setdefault(path[:2], []).append((path[2:], values))
    if problems:
        raise ConfigError(problems)
    return _multiplied(data, axes)


def keep(data: Mapping[str, Any], wanted: Mapping[str, Iterable[str]], label: str) -> dict[str, Any]:
    """The data with only those games and agents that have a wanted name or tag; none wanted keeps all.

    ``ConfigError`` for a word that is neither: at ``label`` and the table's name, or with ``--`` at the option's.
    """
    kept = dict(data)
    for name, words in wanted.items():
        chosen = frozenset(words)
        if not chosen or not isinstance(data.get(name), Mapping):
            continue
        table = cast("Mapping[str, Any]", data[name])
        called = {key: {key, *_tags(entry)} for key, entry in table.items()}
        known = sorted({word for words in called.values() for word in words})
        if unknown := sorted(chosen.difference(known)):
            where = f"--{name.removesuffix('s')}" if label == "--" else f"{label}{name}"
            told = "nothing is called or tagged"
            raise ConfigError(f"{where}: {told} {word!r}{suggestion(word, known)}" for word in unknown)
        kept[name] = {key: entry for key, entry in table.items() if not chosen.isdisjoint(called[key])}
    return kept


def original(name: str) -> str:
    """The name of the entry that a sweep made a variant of: ``"smol"`` of ``"smol[prompt.style=direct]"``."""
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
        yield variant, {**made, "tags": [*_tags(made), name]}


def _problem(data: Mapping[str, Any], path: Path, values: tuple[Any, ...]) -> str | None:
    if len(path) < 3 or path[0] not in _SWEPT:
        return "expected a path into one game or agent, such as agents.NAME.PARAMETER"
    table: Any = data.get(path[0])
    if not isinstance(table, Mapping) or path[1] not in table:
        known = cast("Iterable[str]", table if isinstance(table, Mapping) else ())
        return f"{path[0]} has no entry called {path[1]!r}{suggestion(path[1], known)}"
    if not isinstance(cast("Mapping[str, Any]", table)[path[1]], str | Mapping):
        return f"{path[0]}.{path[1]} is no table"
    return None if values else "expected at least one value"


def _word(value: Any) -> str:
    """A value in a name, where a slash, a comma and a space mean something else."""
    text = value if isinstance(value, str) else canonical(value)
    return re.sub(r"\s", "_", text.replace("/", ":").replace(",", ";"))


def _tags(entry: Any) -> list[str]:
    tags: Any = cast("Mapping[str, Any]", entry).get("tags") if isinstance(entry, Mapping) else None
    return [tag for tag in cast("list[Any]", tags) if isinstance(tag, str)] if isinstance(tags, list) else []

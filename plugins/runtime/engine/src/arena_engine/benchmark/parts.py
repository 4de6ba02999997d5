"""Makes one game of each value for which a parameter of a game stands, such as the tasks in a folder."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from arena.catalog import Catalog
from arena.errors import ConfigError, PluginError

from arena_engine.benchmark.parameters import Field, fields_of
from arena_engine.benchmark.plain_data import Path, find_key, replace
from arena_engine.benchmark.structure import Structurer
from arena_engine.benchmark.sweeps import Swept, tags_of, word_of
from arena_engine.benchmark.trust import given_trust

EACH: Final = "each"
"""The metadata of a field whose value may stand for many: a function of the value as data.

It returns the values by short names, each of which stands for itself alone, or ``None`` where the value does already.
"""


def parted(swept: Swept, catalog: Catalog, typed: Iterable[Path]) -> Swept:
    """Replace each game with such a value by one game for every value that it stands for.

    ``planning`` with ``tasks: {folder: mine}`` becomes ``planning[tasks=grid#1]`` and so on, tagged ``planning``. Where
    a value is wrong, or names a file without consent, its game stays as it is, and what builds it says so; below the
    paths that are ``typed`` a value comes from the person. ``ConfigError`` where a value stands for none.
    """
    games = swept.data.get("games")
    if not isinstance(games, Mapping) or not given_trust().files:
        return swept
    entries: dict[str, Any] = {}
    origins = dict(swept.origins)
    for name, entry in cast("Mapping[str, Any]", games).items():
        own = [path[2:] for path in typed if path[:2] == ("games", name)]
        for variant, made in _parts(name, entry, Structurer(catalog, typed=own), catalog):
            if variant in entries or (variant != name and variant in games):
                raise ConfigError(f"games.{name}: two games would be called {variant!r}; rename one of them")
            entries[variant] = made
            if variant != name:
                origins["games", variant] = origins.get(("games", name), ("games", name))
    return Swept({**swept.data, "games": entries}, origins)


def _parts(name: str, entry: Any, structuring: Structurer, catalog: Catalog) -> Iterator[tuple[str, Any]]:
    for key, field in _fields(entry, catalog):
        structuring.at(key, entry[key], field.type)
        if structuring.problems:
            break
        try:
            values = field.attribute.metadata[EACH](entry[key])
        except ConfigError as error:
            raise ConfigError(f"games.{name}.{key}: {problem}" for problem in error.problems) from error
        if values is not None:
            for word, value in values.items():
                made = replace(entry, (key,), value)
                yield f"{name}[{key}={word_of(word)}]", {**made, "tags": [*tags_of(made), name]}
            return
    yield name, entry


def _fields(entry: Any, catalog: Catalog) -> Iterator[tuple[str, Field]]:
    """The parameters of a game that are tables and may stand for many values; a plugin is loaded for such alone."""
    if not isinstance(entry, Mapping):
        return
    table = cast("Mapping[str, Any]", entry)
    if not any(isinstance(value, Mapping) for value in table.values()) or not isinstance(table.get("use"), str):
        return
    try:
        cls: Any = catalog.get("game", table["use"]).load()
    except PluginError:
        return  # what builds the game says so
    for name, field in fields_of(cls).items():
        key = find_key(table, name, ("games", "", name))
        if key is not None and EACH in field.attribute.metadata and isinstance(table[key], Mapping):
            yield key, field

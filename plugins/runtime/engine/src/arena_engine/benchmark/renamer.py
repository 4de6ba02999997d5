"""Replaces old names of keys in plain data by their current names.

A key is renamed only where it belongs to what the table names. Where a backend is expected follows from the types of
fields, and which fields there are follows from ``use``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast, get_args

import attrs
from arena.agent import Agent
from arena.catalog import Catalog
from arena.errors import PluginError
from arena.game import Game
from arena.hookspecs import Observer
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import Metric
from arena.schedule import Schedule

from arena_engine.benchmark.fields import CONTRACTS, LISTS, TABLES, container, fields_of, union_members
from arena_engine.benchmark.merging import Path, find_key, kebab, merge, snake
from arena_engine.benchmark.renamed import KEYS, mentions_renamed
from arena_engine.running.executor import Executor, Limits

TOP: Final[Mapping[str, Any]] = {
    "games": Mapping[str, Game],
    "agents": Mapping[str, Agent],
    "schedule": Schedule,
    "illegal_actions": IllegalActionPolicy,
    "metrics": Mapping[str, Metric] | Sequence[Metric],
    "limits": Limits,
    "observers": Mapping[str, Observer] | Sequence[Observer],
    "executor": Executor,
}
"""The types of those top-level keys of a benchmark below which keys may have been renamed."""

_NONE: Final[Mapping[str, str]] = {}


@attrs.frozen
class RenamedKey:
    """A renamed key, by the path that was written and the current one; ``str`` is the text of its warning."""

    written: Path
    now: Path

    def __str__(self) -> str:
        return f"{dotted(self.written)} is called {dotted(self.now)} now"


@attrs.frozen
class RepeatedKey:
    """A key that occurs together with another one of the same meaning; ``str`` says what to do."""

    written: Path
    now: Path

    def __str__(self) -> str:
        if snake(self.written[-1]) == snake(self.now[-1]):
            return f"{'.'.join(self.written)}: written twice, with '-' and with '_'; keep one"
        return f"{dotted(self.written)} and {dotted(self.now)} are the same; keep the second"


class Renamer:
    """One pass over plain data. ``renamed`` are the keys it renamed, ``repeated`` those present under both names.

    A ``context`` is data of the same shape, whose ``use`` keys say which plugins are meant if the data itself does not.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.renamed: list[RenamedKey] = []
        self.repeated: list[RepeatedKey] = []
        self._catalog = catalog
        self._path: list[str] = []

    def benchmark(self, data: Mapping[str, Any], context: Any) -> dict[str, Any]:
        """Rename the keys of a benchmark, or of a part of one, whose top-level keys are in snake_case."""
        return self._table(data, TOP, {old: snake(now) for old, now in KEYS[""].items()}, context)

    def at(self, path: Path, value: Any, context: Any) -> tuple[Path, Any]:
        """Rename the keys of a path into a benchmark, and of the value at that path."""
        nested = value
        for key in reversed(path):
            nested = {key: nested}
        renamed: list[str] = []
        below: Any = self.benchmark(nested, context)
        for _ in path:
            ((key, below),) = below.items()
            renamed.append(key)
        return tuple(renamed), below

    def value(self, raw: Any, hint: Any, context: Any) -> Any:
        """Rename the keys of a value of type ``hint``; in a union, the first member that has a renamed key counts."""
        if hint is None or not mentions_renamed(raw):
            return raw
        found = (self._of_type(raw, member, context) for member in union_members(hint))
        return next((made for made in found if made != raw), raw)

    def _of_type(self, raw: Any, hint: Any, context: Any) -> Any:
        if hint in CONTRACTS:
            return self._plugin(cast("Mapping[str, Any]", raw), hint, context) if isinstance(raw, Mapping) else raw
        if container(hint) in LISTS or container(hint) in TABLES:
            return self._items(raw, hint, context)
        if attrs.has(hint) and isinstance(raw, Mapping):
            own = KEYS["limits"] if hint is Limits else _NONE
            return self._table(cast("Mapping[str, Any]", raw), _types(hint), own, context)
        return raw

    def _items(self, raw: Any, hint: Any, context: Any) -> Any:
        if isinstance(raw, Mapping):  # a table, or a path that leads through a list by a position
            table = cast("Mapping[str, Any]", raw)
            return {key: self._below(key, value, _item_type(hint, key), context) for key, value in table.items()}
        if isinstance(raw, list | tuple):
            items = enumerate(cast("list[Any]", raw))
            made = [self._below(str(i), item, _item_type(hint, str(i)), None) for i, item in items]
            return tuple(made) if isinstance(raw, tuple) else made
        return raw

    def _plugin(self, raw: Mapping[str, Any], contract: Any, context: Any) -> Any:
        beneath: Any = {"use": context} if isinstance(context, str) else context
        below = cast("Mapping[str, Any]", beneath if isinstance(beneath, Mapping) else {})
        if raw.get("use", below.get("use")) != below.get("use"):
            below = dict[str, Any]()  # parameters of another plugin
        cls, preset = self._class(contract, raw.get("use", below.get("use")))
        filled = merge(preset, below, takes_away=False)
        return self._table(raw, _types(cls), KEYS.get(CONTRACTS[contract], _NONE), filled)

    def _class(self, contract: Any, name: Any) -> tuple[Any, Mapping[str, Any]]:
        """The class of a plugin and its preset; the contract's class if the plugin is unknown."""
        if not isinstance(name, str):
            return contract, {}
        try:
            entry = self._catalog.get(CONTRACTS[contract], name)
            return entry.load(), entry.plugin.preset if entry.plugin else {}
        except PluginError:  # it is reported where the plugin is made
            return contract, {}

    def _table(self, raw: Mapping[str, Any], types: Mapping[str, Any], own: Mapping[str, str], context: Any) -> Any:
        made: dict[str, Any] = {}
        for key, value in raw.items():
            name = self._name(key, raw, types, own)
            if name is not None:
                made[name] = self._below(key, value, types.get(snake(key)), context)
        return made

    def _name(self, key: str, raw: Mapping[str, Any], types: Mapping[str, Any], own: Mapping[str, str]) -> str | None:
        """The current name of a key, or ``None`` if the table has another key with the same meaning."""
        now = own.get(kebab(key))
        if now is None or snake(key) in types:  # a plugin may have a parameter of its own by such a name
            return kebab(key) if kebab(key) in own.values() and kebab(key) not in raw else key
        twins = {snake(other): other for other in raw if other != key}
        if twin := twins.get(snake(now), twins.get(snake(key))):
            self.repeated.append(RepeatedKey((*self._path, key), (*self._path, twin)))
            return None
        self.renamed.append(RenamedKey((*self._path, key), (*self._path, now)))
        return now

    def _below(self, key: str, value: Any, hint: Any, context: Any) -> Any:
        beneath = _beneath(context, key, tuple(map(snake, self._path)))
        self._path.append(key)
        try:
            return self.value(value, hint, beneath)
        finally:
            self._path.pop()


def dotted(path: Path) -> str:
    """A path into a benchmark as dotted text, with its top-level key in kebab-case."""
    first, *rest = path
    return ".".join((kebab(first), *rest))


def _beneath(context: Any, key: str, path: Path) -> Any:
    if isinstance(context, Mapping):
        table = cast("Mapping[str, Any]", context)
        present = find_key(table, key, path)
        return None if present is None else table[present]
    items: list[Any] = cast("list[Any]", context) if isinstance(context, list | tuple) else []
    return items[int(key)] if key.isdecimal() and int(key) < len(items) else None


def _types(cls: Any) -> Mapping[str, Any]:
    try:
        return {name: field.type for name, field in fields_of(cls).items()}
    except NameError:  # it is reported where the plugin is made
        return {}


def _item_type(hint: Any, key: str) -> Any:
    """The type of an item of a table or list, by its key or position."""
    kinds = get_args(hint) or (Any,)
    if container(hint) is tuple and kinds[-1] is not Ellipsis:
        return kinds[int(key)] if key.isdecimal() and int(key) < len(kinds) else None
    return kinds[-1] if container(hint) in TABLES else kinds[0]

"""Versions of games and settings: which ones a benchmark has, and how its plain data says them.

A version that the data does not say is the newest where a run is created, and 1 where the data comes from a journal.
A journal therefore never says 1, so that the same version is always written alike.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

import attrs
from arena.versions import VERSION

from arena_engine.benchmark.fields import CONTRACTS, Field
from arena_engine.benchmark.merging import Path, find_key, kebab, replace

FIRST: Final = 1
"""The version of everything that does not say one in a journal."""


@attrs.frozen(kw_only=True)
class SaidVersion:
    """The version of one thing in a benchmark; ``use`` is its plugin's name, if it is a plugin.

    ``is_said`` says that the data has it, and ``is_only`` that there is no other version yet.
    """

    value: int
    use: str = ""
    is_said: bool = True
    is_only: bool = False


def first_versions(fields: Mapping[str, Field], raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The versions of an object in a journal where ``raw`` says none: its own, and those of settings left out."""
    unsaid = {name: field for name, field in fields.items() if find_key(raw, name, ()) is None}
    own = {name: FIRST for name, field in unsaid.items() if field.attribute.metadata.get(VERSION)}
    settings = {name: field.default for name, field in unsaid.items() if _is_settings(field.default)}
    return {**own, **{name: _first(default) for name, default in settings.items() if _first(default) != default}}


def versions_in(made: Any, raw: Mapping[str, Any], use: str = "") -> dict[Path, SaidVersion]:
    """The versions of an object that was made of ``raw``, and of settings that ``raw`` leaves out, by their paths."""
    found: dict[Path, SaidVersion] = {}
    if not attrs.has(cast("type[Any]", type(made))):
        return found
    for attribute in attrs.fields(cast("type[Any]", type(made))):
        value, key = getattr(made, attribute.name, None), kebab(attribute.alias)
        is_said = find_key(raw, attribute.alias, ()) is not None
        if attribute.metadata.get(VERSION) and isinstance(value, int):
            is_only = value == FIRST and attribute.default == FIRST
            found[key,] = SaidVersion(value=value, use=use, is_said=is_said, is_only=is_only)
        elif attribute.init and not is_said and _is_settings(value):
            found |= {(key, *path): version for path, version in versions_in(value, {}).items()}
    return found


def with_versions(plain: Mapping[str, Any], versions: Mapping[Path, SaidVersion]) -> Mapping[str, Any]:
    """Plain data that says each version, so that it means the same wherever it is built again."""
    for path, version in versions.items():
        if not version.is_only:
            plain = _put(plain, path, version)
    return plain


def as_recorded(plain: Mapping[str, Any], versions: Mapping[Path, SaidVersion]) -> Mapping[str, Any]:
    """Plain data as a journal holds it, which says every version but 1."""
    for path, version in versions.items():
        if version.value == FIRST:
            plain = _without(plain, path)
    return plain


def version_at(plain: Any, path: Path) -> int | None:
    """The version that recorded data has at a path; ``None`` if it has no such game or agent at all."""
    if _below(_below(plain, path[0]), path[1]) is None:
        return None
    for key in path:
        plain = _below(plain, key)
    return plain if isinstance(plain, int) else FIRST


def _put(plain: Mapping[str, Any], path: Path, version: SaidVersion) -> Mapping[str, Any]:
    *above, key = path
    found: Any = plain
    for number, step in enumerate(above):
        found = _below(found, step)
        if found is None:  # what a preset of the plugin has; a list there cannot be reached
            if any(each.isdecimal() for each in above[number:]):
                return plain
            table = {"use": version.use} if version.use else {}
            return replace(plain, above, {**table, key: version.value})
    present = find_key(cast("Mapping[str, Any]", found), key, ()) if isinstance(found, Mapping) else None
    return replace(plain, (*above, present or key), version.value)


def _without(plain: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    *above, key = path
    table: Any = plain
    for step in above:
        table = _below(table, step)
    if not isinstance(table, Mapping) or (present := find_key(cast("Mapping[str, Any]", table), key, ())) is None:
        return plain
    kept = {name: value for name, value in cast("Mapping[str, Any]", table).items() if name != present}
    return replace(plain, above, kept) if kept or not above else _without(plain, tuple(above))


def _is_settings(value: Any) -> bool:
    """Whether it is an object that is written as a table, and no plugin."""
    return attrs.has(cast("type[Any]", type(value))) and not isinstance(value, tuple(CONTRACTS))


def _first(settings: Any) -> Any:
    """Settings in the first version, and so is everything in them."""
    changes: dict[str, Any] = {}
    for attribute in attrs.fields(cast("type[Any]", type(settings))):
        value = getattr(settings, attribute.name)
        if attribute.metadata.get(VERSION):
            changes[attribute.alias] = FIRST
        elif attribute.init and _is_settings(value):
            changes[attribute.alias] = _first(value)
    return attrs.evolve(settings, **changes) if changes else settings


def _below(data: Any, key: str) -> Any:
    if isinstance(data, list | tuple):
        items = cast("list[Any]", data)
        return items[int(key)] if key.isdecimal() and int(key) < len(items) else None
    if isinstance(data, Mapping):
        table = cast("Mapping[str, Any]", data)
        present = find_key(table, key, ())
        return None if present is None else table[present]
    return None

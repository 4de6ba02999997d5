"""The plugin under review as a value, with what it takes to try it: stand-ins for models, games to play."""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import requires
from typing import Any, cast

import attrs

from arena.backend import IMAGES, LOGPROBS, OFFLINE, SCHEMA, SEED, TOOLS, Backend, CompletionRequest
from arena.catalog import Catalog, Entry, Status
from arena.config import FAILED, Structuring
from arena.entries import HOOKS
from arena.errors import ArenaError, ConfigError, PluginError
from arena.executor import IllegalActions
from arena.fields import fields_of, members
from arena.game import Game
from arena.plain import merge
from arena.plugin import Plugin
from arena.record import JSON
from arena.testing.stand_ins import FunctionBackend
from arena.testing.yardstick import YARDSTICK


def entry_of(kind: str, name: str, dist: str) -> Entry:
    """The plugin of one distribution, its descriptor imported; ``PluginError`` where it cannot be used."""
    return Catalog().get(kind, f"{dist}:{name}")


def variants(entry: Entry) -> Iterator[tuple[str, Any]]:
    """The plugin as it is by itself and with its example, each where that can be made; ``ConfigError`` where neither.

    Backends in it are a model that answers without thinking.
    """
    plugin = cast("Plugin", entry.plugin)
    made: list[tuple[str, Any]] = []
    problems: tuple[str, ...] = ()
    for how, parameters in (("by itself", {}), ("with its example", plugin.example)):
        if how != "by itself" and not parameters:
            continue
        try:
            value = build(entry, parameters, stand_in=True)
        except ConfigError as error:
            problems = problems or error.problems
        else:
            if all(repr(value) != repr(other) for _, other in made):
                made.append((how, value))
    if not made:
        raise ConfigError(problems)
    yield from made


def build(entry: Entry, parameters: Mapping[str, Any], *, stand_in: bool = False) -> Any:
    """The plugin as a benchmark file would make it; ``ConfigError`` with every mistake.

    With ``stand_in`` every backend in it, required ones that are not given too, is one that needs no model.
    """
    hooks: dict[Any, Any] = {k: v for k, v in HOOKS.items() if k is not IllegalActions}
    cls = entry.load()
    given = dict(parameters)
    if stand_in:
        hooks[Backend] = _stand_in
        for field in fields_of(cls).values():
            if Backend in members(field.type) and field.is_required:
                given.setdefault(field.name, "stand-in")
    structuring = Structuring(Catalog(), hooks)
    preset = cast("Plugin", entry.plugin).preset
    value = structuring.value(merge(preset, given, takes_away=False), cls) if attrs.has(cls) else cls()
    if value is FAILED:
        raise ConfigError(map(str, structuring.problems))
    return value


def _stand_in(structuring: Structuring, raw: Any) -> Backend:
    return STAND_IN


def games_for(entry: Entry, named: str | None) -> Iterator[Game]:
    """Games to try an agent or solver in: the named one, or the yardstick and those that come along with it."""
    if named is not None:
        yield next(iter(dict(variants(Catalog().get("game", named))).values()))
        return
    yield YARDSTICK
    required = (re.split(r"[^\w.-]", line)[0] for line in requires(entry.dist) or ())
    dists = {_plain(name) for name in (entry.dist, *required)}
    for other in Catalog().found():
        if other.kind == "game" and _plain(other.dist) in dists:
            try:
                usable = entry_of("game", other.name, other.dist)
                yield next(variants(usable))[1]
            except ArenaError:
                continue


def reference_games() -> Iterator[tuple[str, Game]]:
    """Installed games that declare the capability ``reference``: to hold speeds against."""
    for entry in Catalog().entries("game"):
        if entry.status is Status.OK and entry.plugin is not None and REFERENCE in entry.plugin.capabilities:
            try:
                yield entry.name, next(variants(entry))[1]
            except (ConfigError, PluginError):
                continue


REFERENCE = "reference"
"""The capability of a game that others are held against."""


def _answer(request: CompletionRequest) -> str:
    return json.dumps({"action": 1} if request.schema is None else _instance(request.schema))


def _instance(schema: Any) -> JSON:
    """The plainest value that fits the schemas that agents ask by."""
    parts = cast("Mapping[str, Any]", schema) if isinstance(schema, Mapping) else dict[str, Any]()
    if "const" in parts:
        return parts["const"]
    for key in ("enum", "anyOf", "oneOf"):
        if parts.get(key):
            return parts[key][0] if key == "enum" else _instance(parts[key][0])
    match parts.get("type"):
        case "object":
            known = parts.get("properties", {})
            return {name: _instance(known.get(name, {})) for name in parts.get("required", ())}
        case "array":
            return []
        case "string":
            return ""
        case "boolean":
            return True
        case "integer" | "number":
            return parts.get("minimum", 1)
        case _:
            return 1


STAND_IN = FunctionBackend(answer=_answer, can=frozenset({IMAGES, TOOLS, SCHEMA, SEED, LOGPROBS, OFFLINE}))
"""Answers with the plainest action that fits."""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

"""Creates the plugin under review and what it needs to be tried: fake backends and games."""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import requires
from typing import Any, cast

import attrs
from arena.backend import IMAGES, LOGPROBS, OFFLINE, SCHEMA, SEED, TOOLS, Backend, CompletionRequest
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import ArenaError, ConfigError, PluginError
from arena.game import Game
from arena.illegal_actions import IllegalActionPolicy
from arena.plugin import Plugin
from arena.record import JSON
from arena_engine.benchmark import HOOKS, INVALID, Structurer, fields_of, merge, trusting, union_members
from arena_testing import REFERENCE_GAME, FunctionBackend


def entry_of(kind: str, name: str, dist: str) -> InstalledPlugin:
    """The plugin of one distribution with its descriptor imported; ``PluginError`` if it cannot be used."""
    return Catalog().get(kind, f"{dist}:{name}")


def variants(entry: InstalledPlugin) -> Iterator[tuple[str, Any]]:
    """The plugin with its defaults and with its example, as far as each can be created.

    ``ConfigError`` if neither can. Backends in it are fakes that need no model.
    """
    plugin = cast("Plugin", entry.plugin)
    made: list[tuple[str, Any]] = []
    problems: tuple[str, ...] = ()
    for how, parameters in (("by itself", {}), ("with its example", plugin.example)):
        if how != "by itself" and not parameters:
            continue
        try:
            value = build(entry, parameters, with_fakes=True)
        except ConfigError as error:
            problems = problems or error.problems
        else:
            if all(repr(value) != repr(other) for _, other in made):
                made.append((how, value))
    if not made:
        raise ConfigError(problems)
    yield from made


def build(entry: InstalledPlugin, parameters: Mapping[str, Any], *, with_fakes: bool = False) -> Any:
    """Create the plugin as a benchmark file would; ``ConfigError`` lists every mistake.

    With ``with_fakes`` every backend in it, also required ones that are not given, is one that needs no model.
    """
    hooks: dict[Any, Any] = {k: v for k, v in HOOKS.items() if k is not IllegalActionPolicy}
    cls = entry.load()
    given = dict(parameters)
    if with_fakes:
        hooks[Backend] = _fake_backend
        for field in fields_of(cls).values():
            if Backend in union_members(field.type) and field.is_required:
                given.setdefault(field.name, "stand-in")
    # Whoever reviews a distribution runs its code anyway.
    with trusting(code=True, pickle=True):
        structuring = Structurer(Catalog(), hooks)
    preset = cast("Plugin", entry.plugin).preset
    value = structuring.value(merge(preset, given, takes_away=False), cls) if attrs.has(cls) else cls()
    if value is INVALID:
        raise ConfigError(map(str, structuring.problems))
    return value


def _fake_backend(structuring: Structurer, raw: Any) -> Backend:
    return FAKE_BACKEND


def games_for(entry: InstalledPlugin, named: str | None) -> Iterator[Game]:
    """The games to try an agent or solver in: the named one, or the reference game and the plugin's own games."""
    if named is not None:
        yield next(iter(dict(variants(Catalog().get("game", named))).values()))
        return
    yield REFERENCE_GAME
    required = (re.split(r"[^\w.-]", line)[0] for line in requires(entry.dist) or ())
    dists = {_plain(name) for name in (entry.dist, *required)}
    for other in Catalog().installed():
        if other.kind == "game" and _plain(other.dist) in dists:
            try:
                usable = entry_of("game", other.name, other.dist)
                yield next(variants(usable))[1]
            except ArenaError:
                continue


def reference_games() -> Iterator[tuple[str, Game]]:
    """Installed games with the capability ``reference``, which the speed of others is compared with."""
    for entry in Catalog().entries("game"):
        if entry.status is Status.OK and entry.plugin is not None and REFERENCE in entry.plugin.capabilities:
            try:
                yield entry.name, next(variants(entry))[1]
            except (ConfigError, PluginError):
                continue


REFERENCE = "reference"
"""The capability of games that others are compared with."""


def _answer(request: CompletionRequest) -> str:
    return json.dumps({"action": 1} if request.schema is None else _instance(request.schema))


def _instance(schema: Any) -> JSON:
    """The simplest value that fits a schema, of the kinds of schemas that agents use."""
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


FAKE_BACKEND = FunctionBackend(answer=_answer, can=frozenset({IMAGES, TOOLS, SCHEMA, SEED, LOGPROBS, OFFLINE}))
"""A backend that answers each request with the simplest action that fits its schema."""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

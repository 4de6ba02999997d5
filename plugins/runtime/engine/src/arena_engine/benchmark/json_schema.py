"""Generates the JSON schema of benchmark files, with which editors complete and check them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

import attrs
from arena.backend import Secret
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import PluginError
from arena.illegal_actions import IllegalActionPolicy
from arena.plugin import WITHOUT_RULES

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.composition import Composition
from arena_engine.benchmark.parameters import (
    COMPUTED,
    CONTRACTS,
    LISTS,
    TABLES,
    Field,
    choices,
    container,
    fields_of,
    is_optional,
    plain_of,
    preset_field,
    union_members,
    unwrapped,
)
from arena_engine.benchmark.plain_data import kebab

_SCALARS: Final[Mapping[Any, str]] = {bool: "boolean", int: "integer", float: "number", str: "string"}
_TAGS: Final = {"type": "array", "items": {"type": "string"}, "description": "words to choose entries by"}
_NAME: Final = {"type": "string", "description": "what it is called; {parameter} stands for a value of a sweep"}
_VARIANT: Final = {
    "type": "object",
    "properties": {"of": {"type": "string"}, "by": {"type": "array", "items": {"type": "string"}}},
    "required": ["of"],
    "additionalProperties": False,
    "description": "the agent that this one is a variant of, and by which parameters; a sweep fills it in",
}
_PLAYERS: Final = {"type": "integer", "minimum": 1, "description": "how many play; unset: as few as may"}
_WITHOUT_RULES: Final = {
    "type": "boolean",
    "description": "consents to a game whose rules do not explain it (rules: none)",
    "default": False,
}
_OF_ENTRIES: Final[Mapping[str, Mapping[str, Any]]] = {
    "game": {"players": _PLAYERS, "tags": _TAGS, WITHOUT_RULES: _WITHOUT_RULES},
    "agent": {"tags": _TAGS, "name": _NAME, "variant": _VARIANT},
}
_PARTIAL: Final = ("games", "agents", "schedule", "metrics", "observers", "executor")
"""The keys whose values may be incomplete in a file that extends another."""


def json_schema(catalog: Catalog) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a benchmark file, for the plugins that are installed and usable.

    Imports the classes of all of them. If a class cannot be imported, any parameters of the plugin are allowed.
    """
    schemas = _Schemas(catalog)
    fields = [field for field in fields_of(Benchmark).values() if field.name not in _PARTIAL]
    own = schemas.properties(fields)
    composition = {kebab(f.name): schemas.field(f) for f in fields_of(Composition).values()}
    strict = schemas.top()
    either = [{"required": [key]} for key in ("extends", "include", "sweep")]
    properties: dict[str, Any] = {**own, **composition, **{key: {} for key in _PARTIAL}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Arena benchmark",
        "type": "object",
        "properties": properties,
        "patternProperties": _snake(properties),
        "additionalProperties": False,
        "if": {"anyOf": either},
        "else": {"properties": strict, "required": ["games", "agents"]},
        "$defs": schemas.definitions,
    }


def plugin_schema(entry: InstalledPlugin, catalog: Catalog) -> dict[str, Any]:
    """The JSON schema of one plugin's parameters in a benchmark file; ``PluginError`` if it has no class."""
    schemas = _Schemas(catalog)
    preset = entry.plugin.preset if entry.plugin else {}
    fields = [preset_field(field, preset) for field in fields_of(entry.load()).values()]
    table = schemas.table(fields, {"use": {"type": "string"}})
    return {**table, "$defs": schemas.definitions}


class _Schemas:
    """Builds the schemas of types; those of plugins are collected in ``definitions`` and referenced."""

    def __init__(self, catalog: Catalog) -> None:
        self.definitions: dict[str, Any] = {}
        self._catalog = catalog

    def top(self) -> dict[str, Any]:
        """The schemas of the top-level keys that hold plugins, for a complete file."""
        names = {"pattern": r"^[^\s/,]+$"}
        top: dict[str, Any] = {
            "games": {"type": "object", "propertyNames": names, "additionalProperties": self._entry("game")},
            "agents": {"type": "object", "propertyNames": names, "additionalProperties": self._entry("agent")},
            "schedule": self.plugin("schedule"),
            "executor": self.plugin("executor"),
        }
        for key, kind in (("metrics", "metric"), ("observers", "observer")):
            item = self.plugin(kind)
            top[key] = {"anyOf": [{"type": "array", "items": item}, {"type": "object", "additionalProperties": item}]}
        for field in fields_of(Benchmark).values():
            if field.name in top:
                top[field.name] |= {"description": field.help}
        top["games"]["minProperties"] = top["agents"]["minProperties"] = 1
        return top

    def of(self, hint: Any) -> dict[str, Any]:
        """The schema for values of a type, as a file writes them."""
        several = union_members(hint)
        if len(several) > 1 or (is_optional(hint) and unwrapped(hint) is not Any):
            null = [{"type": "null"}] if is_optional(hint) else []
            return {"anyOf": [*map(self.of, several), *null]}
        hint = several[0] if several else Any
        if hint in _SCALARS:
            return {"type": _SCALARS[hint]}
        if hint is IllegalActionPolicy:
            return {"anyOf": [self.table(fields_of(hint).values()), self.plugin(CONTRACTS[hint])]}
        if hint in CONTRACTS:
            return self.plugin(CONTRACTS[hint])
        if hint is Secret:
            return {"type": "string", "pattern": r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$"}
        if values := choices(hint):
            return {"enum": list(values)}
        if container(hint) in LISTS:
            return self._list(hint)
        if container(hint) in TABLES:
            *_, item = get_args(hint) or (Any,)
            return {"type": "object", "additionalProperties": self.of(item)}
        return self.table(fields_of(hint).values()) if attrs.has(hint) else {}

    def field(self, field: Field) -> dict[str, Any]:
        """The schema of a parameter, with its help and default."""
        schema = {**self.of(field.type), **_bounds(field.attribute.validator, is_optional(field.type))}
        if field.help:
            schema["description"] = field.help
        if not field.is_required and field.default is not COMPUTED:
            schema["default"] = plain_of(field.default)
        return schema

    def properties(self, fields: Iterable[Field]) -> dict[str, Any]:
        """The schemas of parameters by key."""
        return {kebab(field.name): self.field(field) for field in fields}

    def table(self, fields: Iterable[Field], also: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The schema of a table with these keys and no others."""
        listed = tuple(fields)
        properties = {**(also or {}), **self.properties(listed)}
        needed = [kebab(f.name) for f in listed if f.is_required]
        schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
        if snake := _snake(properties):
            schema["patternProperties"] = snake
        if needed:
            schema["allOf"] = [{"anyOf": [{"required": [n]}, {"required": [n.replace("-", "_")]}]} for n in needed]
        return schema

    def plugin(self, kind: str) -> dict[str, Any]:
        """The schema that accepts any usable plugin of a kind, by name or as a table."""
        return self._referred(kind, kind, {})

    def _entry(self, kind: str) -> dict[str, Any]:
        return self._referred(kind, f"{kind}-entry", _OF_ENTRIES[kind])

    def _referred(self, kind: str, name: str, also: Mapping[str, Any]) -> dict[str, Any]:
        if name not in self.definitions:
            self.definitions[name] = {}  # an agent may hold agents
            self.definitions[name] = self._kind(kind, name, also)
        return {"$ref": f"#/$defs/{name}"}

    def _kind(self, kind: str, name: str, also: Mapping[str, Any]) -> dict[str, Any]:
        choices: list[dict[str, Any]] = [{"type": "string", "pattern": "^[^:]+:[^:]+$", "description": "dist:name"}]
        alone, cases = list(choices), list[dict[str, Any]]()
        for entry in self._catalog.entries(kind):
            if entry.status is not Status.OK:
                continue
            parameters = self._parameters(entry, also)
            self.definitions[f"{name}.{entry.name}"] = parameters
            choices.append({"const": entry.name, "description": entry.summary})
            if "allOf" not in parameters:
                alone.append(choices[-1])
            then = {"$ref": f"#/$defs/{name}.{entry.name}"}
            cases.append({"if": {"properties": {"use": {"const": entry.name}}, "required": ["use"]}, "then": then})
        properties: dict[str, Any] = {"use": {"anyOf": choices}, **also}
        table: dict[str, Any] = {"type": "object", "required": ["use"], "properties": properties}
        if cases:
            table["allOf"] = cases
        return {"if": {"type": "string"}, "then": {"anyOf": alone}, "else": table}

    def _parameters(self, entry: InstalledPlugin, also: Mapping[str, Any]) -> dict[str, Any]:
        preset = entry.plugin.preset if entry.plugin else {}
        try:
            fields = [preset_field(field, preset) for field in fields_of(entry.load()).values()]
        except (PluginError, NameError) as error:
            return {"type": "object", "description": str(error)}
        table = self.table(fields, {"use": {"type": "string"}, **also})
        return {"description": entry.summary, **table}

    def _list(self, hint: Any) -> dict[str, Any]:
        kinds = get_args(hint)
        if container(hint) is tuple and kinds and kinds[-1] is not Ellipsis:
            size = len(kinds)
            return {"type": "array", "prefixItems": [*map(self.of, kinds)], "minItems": size, "maxItems": size}
        return {"type": "array", "items": self.of(kinds[0])} if kinds else {"type": "array"}


def _snake(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The pattern of keys in snake_case, which files may use but editors do not suggest."""
    return {f"^{key.replace('-', '_')}$": schema for key, schema in properties.items() if "-" in key}


def _bounds(validator: Any, is_nullable: bool) -> dict[str, Any]:
    """The keywords of JSON schema that correspond to a field's attrs validators."""
    found: dict[str, Any] = {}
    for part in getattr(validator, "_validators", None) or (getattr(validator, "validator", validator),):
        if part is not validator and part is not None:
            found |= _bounds(part, is_nullable)
    operators = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}
    if getattr(validator, "compare_op", None) in operators:
        found[operators[validator.compare_op]] = validator.bound
    for size, prefix in (("min_length", "min"), ("max_length", "max")):
        if isinstance(getattr(validator, size, None), int):
            found |= {f"{prefix}{what}": getattr(validator, size) for what in ("Length", "Items", "Properties")}
    if isinstance(getattr(validator, "options", None), tuple | list | set | frozenset):
        found["enum"] = [*map(plain_of, validator.options), *([None] if is_nullable else [])]
    return found

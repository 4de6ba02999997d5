"""Rewrites JSON schemas for OpenAI's own servers.

These force an answer to follow a schema only in strict mode, and strict mode refuses schemas with keywords outside a
short list: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from collections.abc import Mapping
from typing import Any, cast

from arena.record import JSON

from arena_openai_protocol.chat import schema_format

_TAKEN = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"}
    | {"definitions", "description", "title", "pattern", "multipleOf", "minimum", "maximum", "exclusiveMinimum"}
    | {"exclusiveMaximum", "minItems", "maxItems"}
)
_LOOSENED = frozenset({"minLength", "maxLength", "uniqueItems", "$schema", "$comment", "default", "examples"})
"""Keywords that are dropped: more answers fit without them, and every action is checked against the rules anyway."""

_NAMED = frozenset({"properties", "$defs", "definitions"})


def strict_format(schema: JSON) -> dict[str, Any]:
    """The ``response_format`` for OpenAI's own servers: forced if that can be expressed, else at least shown."""
    put = strict_schema(schema)
    return schema_format(schema if put is None else put, is_strict=put is not None)


def strict_schema(schema: JSON) -> dict[str, Any] | None:
    """The schema for strict mode, or ``None`` if it cannot be expressed there."""
    try:
        found = _part(schema)
    except ValueError:
        return None
    return found if found.get("type") == "object" else None


def _part(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not given:
        raise ValueError
    schema = cast("Mapping[str, Any]", given)
    if schema.keys() - _TAKEN - _LOOSENED:
        raise ValueError
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NAMED:
            made[key] = {name: _part(each) for name, each in value.items()}
        elif key == "items":
            made[key] = _part(value)
        elif key == "anyOf":
            made[key] = [_part(each) for each in value]
        elif key in _TAKEN:
            made[key] = value
    if "properties" in made or made.get("type") == "object":
        properties: Mapping[str, Any] = made.get("properties", {})
        if made.get("additionalProperties") is not False or set(made.get("required", ())) != set(properties):
            raise ValueError
    return made

"""Rewrites JSON schemas for OpenAI's own servers.

These force an answer to follow a schema only in strict mode, and strict mode refuses schemas with keywords outside a
short list: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from collections.abc import Mapping
from typing import Any

from arena.record import JSON

_TAKEN = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"}
    | {"definitions", "description", "title", "pattern", "multipleOf", "minimum", "maximum", "exclusiveMinimum"}
    | {"exclusiveMaximum", "minItems", "maxItems"}
)
_LOOSENED = frozenset({"minLength", "maxLength", "uniqueItems", "$schema", "$comment", "default", "examples"})
"""Keywords that are dropped: more answers fit without them, and every action is checked against the rules anyway."""

_NAMED = frozenset({"properties", "$defs", "definitions"})


def strict(schema: JSON) -> dict[str, Any] | None:
    """The schema for strict mode, or ``None`` if it cannot be expressed there."""
    try:
        found = _part(schema)
    except ValueError:
        return None
    return found if found.get("type") == "object" else None


def _part(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping) or not schema:
        raise ValueError(schema)
    if schema.keys() - _TAKEN - _LOOSENED:
        raise ValueError(schema)
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
        properties = made.get("properties", {})
        if made.get("additionalProperties") is not False or set(made.get("required", ())) != set(properties):
            raise ValueError(schema)
    return made

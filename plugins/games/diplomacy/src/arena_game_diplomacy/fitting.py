"""Says where a value does not fit a JSON schema, for the few keywords that the schemas of this game use."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from arena.record import JSON

_SHOWN = 40


def misfit(value: JSON, schema: Mapping[str, Any], path: str = "") -> str | None:
    """Why ``value`` does not fit ``schema``, in one sentence that begins with its place ``path``, or ``None``.

    Known are ``type`` (object, array, string, integer), ``enum``, ``properties``, ``required``,
    ``additionalProperties``, ``items``, and the limits of sizes and numbers.
    """
    if "enum" in schema:
        return None if value in schema["enum"] else _expected(path, f"one of {', '.join(schema['enum'])}", value)
    match schema.get("type"):
        case "object":
            return _object_misfit(value, schema, path)
        case "array":
            return _array_misfit(value, schema, path)
        case "string":
            return _text_misfit(value, schema, path)
        case "integer":
            return _number_misfit(value, schema, path)
        case _:
            return None


def shown(value: object) -> str:
    """A value as a reason repeats it: in ASCII, and not too long."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _object_misfit(value: JSON, schema: Mapping[str, Any], path: str) -> str | None:
    if not isinstance(value, Mapping):
        return _expected(path, "an object", value)
    properties: Mapping[str, Any] = schema.get("properties", {})
    others: Any = schema.get("additionalProperties", True)
    for key in schema.get("required", ()):
        if key not in value:
            return f"{_at(path)}{key!r} is missing"
    for key, item in cast("Mapping[str, JSON]", value).items():
        name = key if key in properties else shown(key)
        inside = f"{path}.{name}" if path else name
        part = properties.get(key, others)
        if part is False:
            known = f"; expected {' or '.join(map(repr, properties))}"
            return f"{_at(path)}{shown(key)} has no place there{known}"
        if isinstance(part, Mapping) and (found := misfit(item, cast("Mapping[str, Any]", part), inside)):
            return found
    return _size_misfit(value, schema.get("maxProperties"), path, "entries")


def _array_misfit(value: JSON, schema: Mapping[str, Any], path: str) -> str | None:
    if not isinstance(value, list | tuple):
        return _expected(path, "a list", value)
    items = cast("Sequence[JSON]", value)
    if len(items) < schema.get("minItems", 0):
        return f"{path}: expected at least {schema['minItems']} entries, got {len(items)}"
    if found := _size_misfit(items, schema.get("maxItems"), path, "entries"):
        return found
    part = schema.get("items", {})
    return next((found for i, item in enumerate(items) if (found := misfit(item, part, f"{path}[{i}]"))), None)


def _text_misfit(value: JSON, schema: Mapping[str, Any], path: str) -> str | None:
    if not isinstance(value, str):
        return _expected(path, "a text", value)
    if len(value) < schema.get("minLength", 0):
        return f"{path}: the text is empty"
    return _size_misfit(value, schema.get("maxLength"), path, "characters")


def _number_misfit(value: JSON, schema: Mapping[str, Any], path: str) -> str | None:
    if type(value) is not int:
        return _expected(path, "a whole number", value)
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    return None if least <= value <= most else _expected(path, f"a number from {least} to {most}", value)


def _size_misfit(value: Any, most: int | None, path: str, unit: str) -> str | None:
    if most is None or len(value) <= most:
        return None
    return f"{path}: {len(value):,} {unit}; at most {most:,} are allowed"


def _expected(path: str, what: str, value: object) -> str:
    return f"{_at(path)}expected {what}, got {shown(value)}"


def _at(path: str) -> str:
    return f"{path}: " if path else ""

"""What a fill makes of a form: changes of a JSON value at pointers, within the bounds of its schema.

A form begins with ``blank(schema)``, and ``filled`` is the form after changes as ``Touches`` writes them. ``form.js``
has the same two functions. Whatever a change cannot do within the schema is left undone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias, cast

Schema: TypeAlias = Mapping[str, Any]

NOTHING: Final = object()
"""Stands for a value that is not there."""

_Change: TypeAlias = Callable[[Schema, Any, bool], Any]
"""Makes the value at a place, by its schema, from what stands there; the last argument: it must not be left out."""


def blank(schema: Schema) -> Any:
    """The form before anything is filled in, as far as there is only one way to begin; else ``NOTHING``."""
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return blank(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            least = is_amounts(schema)
            begun = {
                name: _least(own) if least else blank(own)
                for name, own in schema.get("properties", {}).items()
                if name in schema.get("required", ())
            }
            return {name: own for name, own in begun.items() if own is not NOTHING}
        case "array":
            items = [blank(schema.get("items", {})) for _ in range(schema.get("minItems", 0))]
            return [] if any(item is NOTHING or not isinstance(item, dict | list) for item in items) else items
        case "string":
            return ""
        case _:
            return NOTHING


def is_amounts(schema: Schema) -> bool:
    """Whether a schema is of amounts by name: an object that holds nothing but whole numbers with a least."""
    held = [*schema.get("properties", {}).values()]
    if isinstance(more := schema.get("additionalProperties"), Mapping):
        held.append(cast("Schema", more))
    return schema.get("type") == "object" and bool(held) and all(_is_amount(own) for own in held)


def schema_at(schema: Schema, pointer: str) -> Schema | None:
    """What the schema says of the value at a JSON pointer; ``None`` if nothing can stand there."""
    return _within(schema, _keys(pointer))


def titled(schema: Schema, names: Mapping[str, str]) -> Schema:
    """The schema with names as titles of its places, by their pointers; ``-`` stands for each entry of a list.

    A place whose name is empty is left out: people need not fill it in.
    """
    for pointer, name in names.items():
        schema = _with_title(schema, _keys(pointer), name)
    return schema


def _with_title(schema: Schema, keys: Sequence[str], name: str) -> Schema:
    if not keys:
        return {**schema, "title": name}
    key, *rest = keys
    if key == "-" and isinstance(items := schema.get("items"), Mapping):
        return {**schema, "items": _with_title(cast("Schema", items), rest, name)}
    parts: Mapping[str, Any] = schema.get("properties", {})
    if key not in parts:
        return schema
    if not rest and not name:
        return {**schema, "properties": {own: part for own, part in parts.items() if own != key}}
    return {**schema, "properties": {**parts, key: _with_title(parts[key], rest, name)}}


def filled(schema: Schema, value: Any, changes: Iterable[Mapping[str, Any]]) -> Any:
    """The form after the changes of a fill, one after the other."""
    for change in changes:
        if "scale" in change:
            value = _scaled(schema, value, change["scale"])
        elif "times" in change:
            value = _repeated(schema, value, **change["times"])
        else:
            value = _changed(schema, value, _keys(change["pointer"]), _verb(change), is_kept=True)
    return value


def _keys(pointer: str) -> tuple[str, ...]:
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:])


def _within(schema: Schema, keys: Sequence[str]) -> Schema | None:
    if not keys:
        return schema
    if "anyOf" in schema:
        return next((own for branch in schema["anyOf"] if (own := _within(branch, keys)) is not None), None)
    inner = _inner(schema, keys[0])
    return None if inner is None else _within(inner, keys[1:])


def _inner(schema: Schema, key: str) -> Schema | None:
    if schema.get("type") == "array":
        return schema.get("items", {}) if key == "-" or key.isdecimal() else None
    if schema.get("type") != "object":
        return None
    more: Any = schema.get("additionalProperties", {})
    found = schema.get("properties", {}).get(key, more)
    return cast("Schema", found) if isinstance(found, Mapping) else None


def _branch(schema: Schema, keys: Sequence[str]) -> Schema | None:
    """The branch of a choice of schemas in which there is such a place."""
    if "anyOf" not in schema:
        return schema
    return next((branch for branch in schema["anyOf"] if _within(branch, keys) is not None), None)


def _changed(schema: Schema, value: Any, keys: Sequence[str], change: _Change, *, is_kept: bool) -> Any:
    if not keys:
        return change(schema, value, is_kept)
    branch = _branch(schema, keys)
    inner = None if branch is None else _inner(branch, keys[0])
    if branch is None or inner is None:
        return value
    if branch.get("type") == "array":
        return _in_list(branch, inner, value, keys, change)
    begun = dict(value) if _belongs(branch, value) else blank(branch)
    is_needed = keys[0] in branch.get("required", ())
    new = _changed(inner, begun.get(keys[0], NOTHING), keys[1:], change, is_kept=is_needed)
    if new is NOTHING:
        return {name: own for name, own in begun.items() if name != keys[0]}
    if keys[0] not in begun and len(begun) >= branch.get("maxProperties", len(begun) + 1):
        begun.pop(next(iter(begun)))
    return {**begun, keys[0]: new}


def _in_list(schema: Schema, inner: Schema, value: Any, keys: Sequence[str], change: _Change) -> Any:
    items: list[Any] = list(value) if isinstance(value, list) else blank(schema)  # pyright: ignore[reportUnknownArgumentType]
    place = len(items) if keys[0] == "-" else int(keys[0])
    if place > len(items) or place >= schema.get("maxItems", place + 1):
        return items
    new = _changed(inner, items[place] if place < len(items) else NOTHING, keys[1:], change, is_kept=False)
    return [*items[:place], *([] if new is NOTHING else [new]), *items[place + 1 :]]


def _belongs(schema: Schema, value: Any) -> bool:
    """Whether an object may be one of this branch: no name in it is unknown there."""
    return isinstance(value, dict) and all(_inner(schema, name) is not None for name in cast("dict[str, Any]", value))


def _verb(change: Mapping[str, Any]) -> _Change:
    if "set" in change:
        return lambda schema, value, is_kept: change["set"]
    if "default" in change:
        return lambda schema, value, is_kept: change["default"] if value is NOTHING else value
    if "clear" in change:
        return lambda schema, value, is_kept: blank(schema) if is_kept else NOTHING
    return lambda schema, value, is_kept: _added(schema, value, change["add"], is_kept)


def _added(schema: Schema, value: Any, more: Any, is_kept: bool) -> Any:
    if schema.get("type") == "array":
        items: list[Any] = list(value) if isinstance(value, list) else []  # pyright: ignore[reportUnknownArgumentType]
        if more in items:
            return [item for item in items if item != more]
        return [*items, more] if len(items) < schema.get("maxItems", len(items) + 1) else items
    if isinstance(more, str):
        text = f"{value}\n{more}" if value not in (NOTHING, "") else more
        return text if len(text) <= schema.get("maxLength", len(text)) else value
    bounds = _numeric(schema)
    was, least, most = _number(value), bounds.get("minimum"), bounds.get("maximum")
    new = (was or Fraction(0)) + Fraction(more)
    if least is not None and new < least:
        if was is None and more > 0:
            return _told(schema, Fraction(least))
        return _told(schema, Fraction(least)) if is_kept else NOTHING
    return _told(schema, new if most is None else min(new, Fraction(most)))


def _scaled(schema: Schema, value: Any, scale: Mapping[str, Any]) -> Any:
    found = [(pointer, _at(value, _keys(pointer))) for pointer in scale["pointers"]]
    numbers = [number for _, own in found for number in _numbers(own)]
    if not numbers or max(numbers) * scale["by"] > scale["most"]:
        return value
    for pointer, own in found:
        if own is not NOTHING:
            value = _changed(schema, value, _keys(pointer), lambda s, old, _: _times(s, old, scale["by"]), is_kept=True)
    return value


def _repeated(schema: Schema, value: Any, ways: Sequence[Mapping[str, Any]], by: int) -> Any:
    counts = [_held(schema, value, way["once"]) for way in ways]
    place = next((place for place, now in enumerate(counts) if now), 0)
    return _times(schema, ways[place]["once"], max(1, min(ways[place]["most"], counts[place] + by)))


def _held(schema: Schema, value: Any, once: Any) -> int:
    """How many times over a form holds an action; 0 unless that is a whole number."""
    one, now = _first(once), _first(value)
    if not one or now is None or (now / one).denominator != 1:
        return 0
    return int(now / one) if _times(schema, once, int(now / one)) == value else 0


def _first(value: Any) -> Fraction | None:
    """The first number in a value, in the order of names."""
    if not isinstance(value, dict):
        return _number(value)
    held = cast("dict[str, Any]", value)
    return next((number for name in sorted(held) if (number := _first(held[name])) is not None), None)


def _times(schema: Schema, value: Any, by: int) -> Any:
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return {name: _times(_within(schema, (name,)) or {}, own, by) for name, own in held.items()}
    number = _number(value)
    return value if number is None else _told(schema, number * by)


def _at(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = cast("dict[str, Any]", value).get(key, NOTHING) if isinstance(value, dict) else NOTHING
    return value


def _numbers(value: Any) -> list[Fraction]:
    held = list(cast("dict[str, Any]", value).values()) if isinstance(value, dict) else [value]
    return [number for own in held if (number := _number(own)) is not None]


def _number(value: Any) -> Fraction | None:
    """A number, also one that is written as a fraction (``"2/3"``)."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def _told(schema: Schema, number: Fraction) -> int | float | str:
    if number.denominator == 1:
        return int(number)
    is_text = any(branch.get("type") == "string" for branch in schema.get("anyOf", ()))
    return f"{number.numerator}/{number.denominator}" if is_text else float(number)


def _numeric(schema: Schema) -> Schema:
    """The part of a schema that says the bounds of a number."""
    branches: Sequence[Schema] = schema.get("anyOf", (schema,))
    found: list[Schema] = [own for own in branches if own.get("type") in ("integer", "number")]
    return found[0] if found else {}


def _is_amount(schema: Schema) -> bool:
    numeric = _numeric(schema)
    return numeric.get("type") == "integer" and "minimum" in numeric


def _least(schema: Schema) -> int:
    return _numeric(schema)["minimum"]

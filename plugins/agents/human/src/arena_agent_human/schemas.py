"""Makes the fields of an action from its JSON schema."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import attrs
from arena.game import ABSENT, Absent
from arena.record import JSON, canonical_json
from arena_scene import label

from arena_agent_human.fields import MOST, AlternativeField, Field, GroupField, ListField, Making, Row, ScalarField
from arena_agent_human.scalars import Misread, Scalar, is_scalar

CHOICES: Final = 6
"""The most values of a choice that are lines of a menu."""

LEFT_OUT: Final = "left out"
"""What a person chooses to say nothing in a part that need not be there."""

_SCALARS: Final = ("string", "integer", "number", "boolean", "null")


@attrs.frozen
class FieldMaker:
    """Makes fields from the parts of one schema; ``names`` are proposed where a schema leaves names open."""

    root: Any
    names: Sequence[str] = ()

    def field(self, schema: Any, *, is_required: bool = True, is_certain: bool = True) -> Field:
        """The field of a schema; ``is_certain`` says whether it is part of the action in any case."""
        schema = self._resolved(schema)
        field = self._made(schema, is_required=is_required, is_certain=is_certain and is_required)
        field.is_required = is_required
        return field

    def ways(self, schema: Any) -> list[tuple[str, Any]]:
        """The alternatives of a schema with their titles; the schema itself where it has none."""
        schema = self._resolved(schema)
        found = [self._resolved(each) for each in schema.get("anyOf") or schema.get("oneOf") or ()]
        titles = [_title(each) for each in found]
        numbered = len(set(titles)) < len(titles)
        pairs = zip(titles, found, strict=True)
        return [(f"{n}. {title}" if numbered else title, way) for n, (title, way) in enumerate(pairs, 1)]

    def starts(self, schema: Any) -> list[tuple[str, Field]]:
        """What a person may set out to do, with a title: the alternatives of an action, or the values of its choice.

        A choice is a part that must be there and has few values, such as whether an offer is accepted.
        """
        if ways := self.ways(schema):
            return [(title, self.field(way)) for title, way in ways]
        whole = self._resolved(schema)
        for name in whole.get("required", ()) if isinstance(whole.get("properties"), dict) else ():
            scalars = self._scalars(self._resolved(whole["properties"].get(name)))
            scalar = Scalar(scalars, is_required=True)
            if scalars and scalar.is_closed and 1 < len(scalar.choices) <= CHOICES:
                return [self._start(schema, name, label) for label, _ in scalar.choices]
        return [("", self.field(schema))]

    def _start(self, schema: Any, name: str, label: str) -> tuple[str, Field]:
        field = self.field(schema)
        if isinstance(field, GroupField):
            field.choose(name, label)
        return f"{name}: {label}", field

    def _made(self, schema: Mapping[str, Any], *, is_required: bool, is_certain: bool) -> Field:
        note = str(schema.get("description", ""))
        scalars = self._scalars(schema)
        if scalars:
            return ScalarField(Scalar(scalars, is_required=is_required, starts_empty=not is_certain), note=note)
        if ways := self.ways(schema):
            nothing: list[tuple[str, Making | None]] = [] if is_required else [(LEFT_OUT, None)]
            return AlternativeField([*nothing, *((t, partial(self.field, way)) for t, way in ways)], note=note)
        if not is_required and not self._is_flat(schema) and _is_compound(schema):
            return AlternativeField([(LEFT_OUT, None), ("filled in", partial(self.field, schema))], note=note)
        if schema.get("type") == "array" or "prefixItems" in schema:
            return self._list(schema, note)
        if schema.get("type") == "object" or "properties" in schema:
            return self._group(schema, note, is_certain=is_certain)
        return AnyField(is_required=is_required)

    def _group(self, schema: Mapping[str, Any], note: str, *, is_certain: bool) -> Field:
        required = schema.get("required", ())
        parts: dict[str, Field] = {}
        for name, part in schema.get("properties", {}).items():
            parts[name] = self.field(part, is_required=name in required, is_certain=is_certain)
            parts[name].label = str(self._resolved(part).get("title") or label(name))
        more = schema.get("additionalProperties", not parts)
        make = None if more is False else partial(self.field, more if isinstance(more, dict) else {})
        return GroupField(parts, more=make, names=self.names, note=note)

    def _list(self, schema: Mapping[str, Any], note: str) -> Field:
        items = schema.get("items")
        heads = schema.get("prefixItems") or (items if isinstance(items, list) else [])
        rest = schema.get("additionalItems", {}) if isinstance(items, list) else schema.get("items", {})
        more = None if rest is False else partial(self.field, rest if isinstance(rest, dict) else {})
        least, most = schema.get("minItems", 0), schema.get("maxItems", MOST)
        name = str(self._resolved(rest).get("title", "")) if isinstance(rest, dict) else ""
        return ListField([partial(self.field, head) for head in heads], more, least, most, note=note, name=name)

    def _scalars(self, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """The schema, or its alternatives, if none of them has parts; else nothing."""
        ways = schema.get("anyOf") or schema.get("oneOf") or [schema]
        found: list[Mapping[str, Any]] = []
        for each in map(self._resolved, ways):
            kinds = each.get("type")
            split = [{**each, "type": kind} for kind in kinds] if isinstance(kinds, list) else [each]
            found += split if isinstance(kinds, list) and all(kind in _SCALARS for kind in kinds) else [each]
        return found if found and all(map(is_scalar, found)) else []

    def _is_flat(self, schema: Mapping[str, Any]) -> bool:
        """Whether it is an object, or an open table, of values that may all be left out."""
        more = schema.get("additionalProperties", False)
        parts = [*schema.get("properties", {}).values(), *([more] if isinstance(more, dict) else [])]
        if not parts or schema.get("required") or more is True:
            return False
        return all(self._scalars(self._resolved(part)) for part in parts)

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        """The schema behind references into the same document, with the parts of ``allOf`` put together."""
        for _ in range(20):
            if not isinstance(schema, dict):
                return {}
            if "$ref" in schema:
                schema = {**_behind(self.root, schema["$ref"]), **{k: v for k, v in schema.items() if k != "$ref"}}
            elif "allOf" in schema:
                schema = _merged(
                    [{k: v for k, v in schema.items() if k != "allOf"}, *map(self._resolved, schema["allOf"])]
                )
            else:
                return schema
        return {}


class AnyField(Field):
    """A part that no field can express: a line of JSON."""

    def __init__(self, *, is_required: bool) -> None:
        self.is_required = is_required
        self._scalar = Scalar([{"type": "string"}], is_required=False)

    def value(self) -> JSON | Absent:
        text = self._scalar.text.strip()
        if not text and not self.is_required:
            return ABSENT
        try:
            value = json.loads(text)
            canonical_json(value).encode()
        except (ValueError, RecursionError):
            raise Misread(f"{self.label}: {text[:40]!r} is not JSON".removeprefix(": ")) from None
        return value

    def fill(self, value: JSON) -> bool:
        self._scalar.text = canonical_json(value)
        return True

    def rows(self, depth: int) -> Iterator[Row]:
        yield Row(depth=depth, label=self.label, scalar=self._scalar, hint="JSON")


def _is_compound(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") in ("object", "array") or "properties" in schema


def _behind(root: Any, reference: Any) -> Mapping[str, Any]:
    found = root
    for key in str(reference).removeprefix("#").strip("/").split("/"):
        key = key.replace("~1", "/").replace("~0", "~")
        found = found.get(key, {}) if isinstance(found, dict) and key else found
    return found if isinstance(found, dict) else {}


def _merged(schemas: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    merged: dict[str, Any] = {}
    for schema in schemas:
        for key, value in schema.items():
            if key == "properties":
                merged[key] = {**merged.get(key, {}), **value}
            elif key == "required":
                merged[key] = [*merged.get(key, []), *value]
            else:
                merged[key] = value
    return merged


def _title(schema: Mapping[str, Any]) -> str:
    """What a person would call one of several ways."""
    if title := schema.get("title"):
        return str(title)
    if "const" in schema or "enum" in schema:
        return Scalar([schema], is_required=True).hint
    parts = schema.get("properties", {})
    fixed = [
        name if part.get("const") is True else f"{name} {part['const']}"
        for name, part in parts.items()
        if isinstance(part, dict) and "const" in part
    ]
    named = fixed or list(schema.get("required", ())) or list(parts)
    return ", ".join(named) or {"array": "a list", "object": "a table"}.get(str(schema.get("type")), "a value")

"""Draws an instance of a JSON schema: random if there is a choice, otherwise as small as possible."""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

_DEEPEST = 50


def instance(schema: Any, rng: Random) -> Any:
    """A value that fits ``schema``.

    Enumerations, alternatives and bounded numbers are drawn uniformly; optional properties are left out, texts and
    lists are as short as allowed. Raises ``ValueError`` if nothing fits, or for an unsupported keyword (``pattern``,
    ``not``, ``if``).
    """
    return _Drawing(schema, rng).value(schema, 0)


class _Drawing:
    def __init__(self, root: Any, rng: Random) -> None:
        self._root = root
        self._rng = rng

    def value(self, schema: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("the schema refers to itself without end")
        if schema is False:
            raise ValueError("the schema allows nothing")
        if not isinstance(schema, Mapping):
            return None
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._one_of(schema["enum"])
        if "$ref" in schema:
            return self.value(self._referred(schema["$ref"]), depth + 1)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                rest = {name: value for name, value in schema.items() if name != key}
                return self.value({**rest, **self._one_of(schema[key])}, depth + 1)
        if "allOf" in schema:
            rest = {name: value for name, value in schema.items() if name != "allOf"}
            for part in schema["allOf"]:
                rest = {**rest, **(self._referred(part["$ref"]) if "$ref" in part else part)}
            return self.value(rest, depth + 1)
        if hard := {"pattern", "not", "if", "format", "contains"} & schema.keys():
            raise ValueError(f"the schema's {sorted(hard)[0]!r} is too hard to satisfy at random")
        return self._typed(schema, depth)

    def _typed(self, schema: Mapping[str, Any], depth: int) -> Any:
        kind = schema.get("type") or _implied(schema)
        match kind if isinstance(kind, str) else self._one_of(kind):
            case "object":
                properties = schema.get("properties", {})
                required = set(schema.get("required", ()))
                order = [name for name in properties if name in required]
                order += [name for name in schema.get("required", ()) if name not in properties]
                return {name: self.value(properties.get(name, {}), depth + 1) for name in order}
            case "array":
                return self._list(schema, depth)
            case "string":
                return "x" * schema.get("minLength", 0)
            case "integer":
                return self._integer(schema)
            case "number":
                low, high = schema.get("minimum"), schema.get("maximum")
                if low is not None and high is not None:
                    return self._rng.uniform(low, high)
                return self._integer(schema)
            case "boolean":
                return self._rng.random() < 0.5
            case "null":
                return None
            case other:
                raise ValueError(f"the schema's type {other!r} is unknown")

    def _list(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        first = schema.get("prefixItems", ())
        least = schema.get("minItems", 0)
        found: list[Any] = [self.value(item, depth + 1) for item in first[: max(least, 0)]]
        tries = 0
        while len(found) < least:
            item = self.value(schema.get("items", {}), depth + 1)
            if schema.get("uniqueItems") and item in found:
                tries += 1
                if tries > 1000:
                    raise ValueError("the schema asks for more different items than were found")
                continue
            found.append(item)
        return found

    def _integer(self, schema: Mapping[str, Any]) -> int:
        low, high = schema.get("minimum"), schema.get("maximum")
        if "exclusiveMinimum" in schema:
            low = schema["exclusiveMinimum"] + 1
        if "exclusiveMaximum" in schema:
            high = schema["exclusiveMaximum"] - 1
        if low is None or high is None:
            return next((bound for bound in (low, high) if bound is not None), 0)
        if math.ceil(low) > math.floor(high):
            raise ValueError(f"the schema leaves no number between {low} and {high}")
        return self._rng.randint(math.ceil(low), math.floor(high))

    def _one_of(self, choices: Sequence[Any]) -> Any:
        if not choices:
            raise ValueError("the schema offers a choice of nothing")
        return choices[int(self._rng.random() * len(choices))]

    def _referred(self, reference: str) -> Any:
        if not reference.startswith("#"):
            raise ValueError(f"the schema refers to {reference!r}, outside itself")
        found = self._root
        for name in reference.lstrip("#").split("/")[1:]:
            name = name.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or name not in found:
                raise ValueError(f"the schema refers to {reference!r}, and there is no such place in it")
            found = found[name]
        return found


def _implied(schema: Mapping[str, Any]) -> str:
    """The type of a schema that names none, inferred from its other keywords."""
    if schema.keys() & {"properties", "required"}:
        return "object"
    if schema.keys() & {"items", "prefixItems", "minItems"}:
        return "array"
    if schema.keys() & {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}:
        return "integer"
    return "string" if schema.keys() & {"minLength", "maxLength"} else "null"

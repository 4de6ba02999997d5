"""The JSON schema of scenes, and what is wrong with a value by it.

Only the words of JSON schema that this one schema uses are understood, so that a scene can be checked wherever it is
drawn, without a package for schemas. Any validator of draft 2020-12 finds the same values sound.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

Schema = Mapping[str, Any]

_TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list | tuple),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}


@cache
def scene_schema() -> Schema:
    """The JSON schema of a scene, draft 2020-12; shared, so it must not be changed."""
    return json.loads(files("arena_scene").joinpath("scene.schema.json").read_text("utf-8"))


def violations(value: object, schema: Schema, place: str = "scene") -> Iterator[str]:
    """Each way in which a value breaks the schema, as ``PLACE: what is wrong``."""
    if not schema:
        return  # any value may stand here
    if "$ref" in schema:
        schema = _definition(schema["$ref"])
    if "anyOf" in schema:
        yield from _by_kind(value, [_resolved(branch) for branch in schema["anyOf"]], place)
        return
    if "const" in schema and (value != (own := schema["const"]) or isinstance(value, bool) != isinstance(own, bool)):
        yield f"{place}: expected {schema['const']!r}, got {_short(value)}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{place}: expected one of {', '.join(map(str, schema['enum']))}, got {_short(value)}"
    elif "type" in schema and not _TYPES[schema["type"]](value):
        yield f"{place}: expected {schema['type']}, got {_short(value)}"
    elif isinstance(value, str):
        yield from _in_text(value, schema, place)
    elif isinstance(value, int | float):
        yield from _in_number(value, schema, place)
    elif isinstance(value, list | tuple):
        yield from _in_list(cast("Sequence[object]", value), schema, place)
    elif isinstance(value, dict):
        yield from _in_object(cast("dict[str, object]", value), schema, place)


def _by_kind(value: object, branches: Sequence[Schema], place: str) -> Iterator[str]:
    """Check against the branch that a constant of the value picks, else against whichever fits."""
    told = _object(value)
    kinds = [
        (name, own["const"], b) for b in branches for name, own in b.get("properties", {}).items() if "const" in own
    ]
    if told and len(kinds) == len(branches):
        name = kinds[0][0]
        for _, kind, branch in kinds:
            if told.get(name) == kind:
                yield from violations(value, branch, place)
                return
        known = ", ".join(str(kind) for _, kind, _ in kinds)
        yield f"{place}: {name!r} must be one of {known}, got {_short(told.get(name))}"
        return
    found = [next(violations(value, branch, place), "") for branch in branches]
    if all(found):
        yield found[-1] if told else f"{place}: {_short(value)} is none of what may stand here"


def _object(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _in_text(value: str, schema: Schema, place: str) -> Iterator[str]:
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{place}: {len(value)} characters; at most {schema['maxLength']} are drawn"
    elif not re.search(schema.get("pattern", ""), value):
        yield f"{place}: {_short(value)} is not what this field may hold"


def _in_number(value: float, schema: Schema, place: str) -> Iterator[str]:
    for name, wrong in (
        ("minimum", value < schema.get("minimum", value)),
        ("maximum", value > schema.get("maximum", value)),
    ):
        if wrong:
            yield f"{place}: {value} is beyond the {name} of {schema[name]}"


def _in_list(value: Sequence[object], schema: Schema, place: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{place}: has {len(value)} items, expected {_range(schema)}"
    for index, item in enumerate(value):
        yield from violations(item, schema["items"], f"{place}[{index}]")


def _in_object(value: Mapping[str, object], schema: Schema, place: str) -> Iterator[str]:
    known = schema["properties"]
    for name in schema["required"]:
        if name not in value:
            yield f"{place}: has no {name!r}"
    for name, item in value.items():
        if name in known:
            yield from violations(item, known[name], f"{place}.{name}")
        elif more := schema.get("additionalProperties"):
            yield from violations(item, more, f"{place}.{name}")
        else:
            yield f"{place}: no field is called {_short(name)} (there is: {', '.join(known)})"


def _definition(reference: str) -> Schema:
    return scene_schema()["$defs"][reference.rpartition("/")[2]]


def _resolved(branch: Schema) -> Schema:
    return _definition(branch["$ref"]) if "$ref" in branch else branch


def _range(schema: Schema) -> str:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    return f"at least {least}" if most is None else str(least) if least == most else f"{least} to {most}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

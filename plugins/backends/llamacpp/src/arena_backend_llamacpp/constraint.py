"""How a JSON schema is put to llama.cpp.

There are two ways. LLGuidance compiles a schema in a millisecond, costs a sixth of the time for each token and writes
no white space, which halves the tokens; but a schema it cannot compile leaves the answer unconstrained, without a word.
llama.cpp's own grammars take nearly everything and refuse the rest aloud. So the first gets the schemas that hold
nothing but what it is known to take, the second all others.
"""

import json
from collections.abc import Mapping
from typing import Any

from arena.record import JSON

_OPTIONS = {"whitespace_flexible": False, "coerce_one_of": True, "lenient": True}
_PLAIN = frozenset(
    {"type", "enum", "const", "title", "description", "default", "required", "$ref", "$schema", "$comment", "examples"}
    | {"minItems", "maxItems", "uniqueItems", "minLength", "maxLength"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
)
_ONE = frozenset({"items", "additionalProperties"})
_LISTED = frozenset({"anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"properties", "$defs", "definitions"})
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def constraint(schema: JSON, *, thinks_aloud: bool) -> dict[str, Any]:
    """The part of a request that makes its answer fit ``schema``.

    A model that thinks aloud has to be left to, which only llama.cpp's own way knows.
    """
    if not isinstance(schema, Mapping):
        return {"response_format": {"type": "json_object"}}
    if thinks_aloud or not is_simple(schema):
        wrapped = {"name": "answer", "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
    return {"grammar": "%llguidance {}\nstart: %json " + json.dumps({**schema, "x-guidance": _OPTIONS})}


def is_simple(schema: JSON) -> bool:
    """Whether a schema holds nothing but what LLGuidance is known to compile."""
    if isinstance(schema, bool):
        return True
    return isinstance(schema, Mapping) and all(_is_simple(key, value) for key, value in schema.items())


def fits_at_a_glance(text: str, *, is_complete: bool) -> bool:
    """Whether a constrained answer is JSON as far as it goes."""
    if not is_complete:
        return text[:1] in set('{["-0123456789tfn')
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _is_simple(key: str, value: Any) -> bool:
    if key == "type":
        return all(name in _TYPES for name in ([value] if isinstance(value, str) else value))
    if key in _ONE:
        return is_simple(value)
    if key in _LISTED:
        return all(map(is_simple, value))
    if key in _NAMED:
        return all(map(is_simple, value.values()))
    return key in _PLAIN

"""Chooses how llama.cpp makes an answer follow a JSON schema.

There are two ways. LLGuidance compiles a schema in a millisecond, costs a sixth of the time for each token and writes
no white space, which halves the tokens; but if it cannot compile a schema, it silently leaves the answer unconstrained.
llama.cpp's own grammars take nearly every schema and report an error for the rest. So LLGuidance gets the schemas that
hold only what it is known to support, the grammars get all others.
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
_WORDS = ("true", "false", "null")
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def constraint(schema: JSON, *, thinks_aloud: bool) -> dict[str, Any]:
    """The part of a request that makes its answer follow ``schema``.

    A model that thinks aloud must be left to do so first, which only llama.cpp's own grammars allow.
    """
    if not isinstance(schema, Mapping):
        return {"response_format": {"type": "json_object"}}
    if thinks_aloud or not is_simple(schema):
        wrapped = {"name": "answer", "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
    return {"grammar": "%llguidance {}\nstart: %json " + json.dumps({**schema, "x-guidance": _OPTIONS})}


def is_simple(schema: JSON) -> bool:
    """Whether a schema uses only what LLGuidance is known to compile."""
    if isinstance(schema, bool):
        return True
    return isinstance(schema, Mapping) and all(_is_simple(key, value) for key, value in schema.items())


def fits_at_a_glance(text: str, *, is_complete: bool) -> bool:
    """Whether a constrained answer is JSON; of an incomplete one only the beginning is checked."""
    if not is_complete:
        return text[:1] in set('{["-0123456789') or any(text.startswith(word[: len(text)]) for word in _WORDS)
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

import pytest
from arena_backend_llamacpp.constraint import constraint, fits_at_a_glance, is_simple

ANSWER = {
    "type": "object",
    "properties": {"reasoning": {"type": "string", "maxLength": 60}, "action": {"enum": ["a1", "b2"]}},
    "required": ["reasoning", "action"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "schema",
    [
        ANSWER,
        {"anyOf": [ANSWER, {"$ref": "#/$defs/pass"}], "$defs": {"pass": {"const": "pass"}}},
        {"type": ["integer", "null"], "minimum": 0},
        {"type": "array", "prefixItems": [{"const": 1}], "items": False},
        {"type": "array", "items": {"enum": ["A", "B"]}, "uniqueItems": True},
        {},
    ],
)
def test_a_plain_schema_takes_the_fast_way(schema):
    """What LLGuidance is known to compile is given to it."""
    assert is_simple(schema)
    assert "grammar" in constraint(schema, thinks_aloud=False)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^[a-h][1-8]$"},
        {"type": "nonsense"},
        {"type": "object", "properties": {"move": {"type": "string", "format": "date"}}},
        {"anyOf": [{"not": {"type": "string"}}]},
        {"type": "object", "patternProperties": {"^x": {"type": "integer"}}},
    ],
)
def test_any_other_schema_takes_the_way_that_refuses_aloud(schema):
    """A schema with anything beyond that goes to llama.cpp's own grammars, as it is."""
    asked = constraint(schema, thinks_aloud=False)

    assert asked["response_format"]["json_schema"]["schema"] is schema


def test_a_model_that_thinks_is_left_to_think():
    """Where thoughts come before the answer, a bare grammar would forbid them."""
    assert "grammar" not in constraint(ANSWER, thinks_aloud=True)


@pytest.mark.parametrize(
    ("text", "is_complete", "fits"),
    [
        *(('{"a": 1}', True, True), ('{"a": ', False, True), ('{"a": ', True, False), ("Well,", False, False)),
        *((beginning, False, True) for beginning in ('["a', '"e2', "-1", "t", "tru", "true")),
        *((beginning, False, False) for beginning in ("the move", "take", "no", "find e4", " {")),
    ],
)
def test_an_answer_that_is_no_json_is_noticed(text, is_complete, fits):
    """Prose is told from JSON, also where it was cut off."""
    assert fits_at_a_glance(text, is_complete=is_complete) is fits

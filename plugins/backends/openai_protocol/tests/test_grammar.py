"""Grammars of schemas, as llama.cpp itself reads them: what fits a schema fits its grammar, and the other way round."""

import json
import re
from random import Random
from typing import Any

import pytest
from arena_openai_protocol import NotInGrammar, schema_grammar
from hypothesis import HealthCheck, given, settings, strategies as st
from jsonschema import Draft202012Validator

from .llama_grammar import drawn, fits, loaded

SHORT = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NOTHING = {"type": "integer", "minimum": 1, "maximum": 0}
REFERENCE = {"$ref": "#/$defs/a"}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers(-999, 999) | TEXTS


def table(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    """A schema as the prompts of Arena ask for one."""
    required = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


@st.composite
def bounded(draw: st.DrawFn, kind: str, least: str, most: str, numbers: st.SearchStrategy[Any]) -> dict[str, Any]:
    """A schema with none, one or two bounds."""
    low, high = sorted((draw(numbers), draw(numbers)))
    chosen = draw(st.sampled_from(({}, {least: low}, {most: high}, {least: low, most: high})))
    return {"type": kind, **chosen}


@st.composite
def tables(draw: st.DrawFn, parts: st.SearchStrategy[Any]) -> dict[str, Any]:
    """An object some of whose properties may be left out."""
    properties = draw(st.dictionaries(TEXTS, parts, max_size=5))
    return table(properties, [key for key in properties if draw(st.booleans())])


@st.composite
def lists(draw: st.DrawFn, parts: st.SearchStrategy[Any]) -> dict[str, Any]:
    """A list with bounds, or with a schema for each of its first items."""
    schema = draw(bounded("array", "minItems", "maxItems", st.integers(0, 12)))
    first = draw(st.lists(parts, min_size=1, max_size=3)) if draw(st.booleans()) else []
    return {**schema, "items": draw(parts), **({"prefixItems": first} if first else {})}


LEAVES = st.one_of(
    st.lists(SCALARS, min_size=1, max_size=5).map(lambda values: {"enum": values}),
    SCALARS.map(lambda value: {"const": value}),
    bounded("integer", "minimum", "maximum", st.integers(-(10**6), 10**6) | st.integers(-30, 30)),
    bounded("number", "minimum", "maximum", st.integers(-200, 200)),
    bounded("string", "minLength", "maxLength", st.integers(0, 40)),
    st.sampled_from(({"type": "boolean"}, {"type": "null"}, {"type": ["integer", "null"]}, {}, True)),
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda parts: st.one_of(
        tables(parts),
        lists(parts),
        st.lists(parts, min_size=1, max_size=3).map(lambda each: {"anyOf": each}),
        parts.map(lambda part: {"type": "object", "additionalProperties": part, "maxProperties": 3}),
    ),
    max_leaves=8,
)


def values(schema: Any) -> st.SearchStrategy[Any]:
    """What fits a schema of those above, with its properties in their order."""
    if schema in (True, {}):
        return st.recursive(
            SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=5
        )
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(each) for each in schema["anyOf"]])
    match schema["type"]:
        case "integer":
            low, high = schema.get("minimum"), schema.get("maximum")
            return st.integers(-(10**12) if low is None else low, 10**12 if high is None else high)
        case "number":
            low, high = schema.get("minimum", -(10**6)), schema.get("maximum", 10**6)
            return st.decimals(min(low, high), max(low, high), places=3).map(float)
        case "string":
            least, most = schema.get("minLength", 0), schema.get("maxLength", 60)
            return st.text(st.characters(exclude_categories=["Cs"]), min_size=least, max_size=most)
        case "array":
            return _filled(schema)
        case "object":
            return _objects(schema)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case kinds:
            return st.one_of([values({"type": kind}) for kind in kinds])


@st.composite
def _filled(draw: st.DrawFn, schema: Any) -> list[Any]:
    first = schema.get("prefixItems", [])
    least = schema.get("minItems", 0)
    size = draw(st.integers(least, min(schema.get("maxItems", least + 3), least + 3)))
    return [draw(values(first[i] if i < len(first) else schema["items"])) for i in range(size)]


@st.composite
def _objects(draw: st.DrawFn, schema: Any) -> dict[str, Any]:
    if "properties" not in schema:
        return draw(st.dictionaries(TEXTS, values(schema["additionalProperties"]), max_size=schema["maxProperties"]))
    required = schema["required"]
    chosen = {key: part for key, part in schema["properties"].items() if key in required or draw(st.booleans())}
    return {key: draw(values(part)) for key, part in chosen.items()}


@pytest.mark.slow
@given(data=st.data(), schema=SCHEMAS)
@SHORT
def test_what_fits_a_schema_fits_its_grammar(data, schema):
    """Nothing that a player may answer is kept from a model, with spaces or without."""
    value = data.draw(values(schema))
    assert Draft202012Validator(schema).is_valid(value)

    with loaded(schema_grammar(schema)) as grammar:
        assert fits(grammar, json.dumps(value, ensure_ascii=False))
        assert fits(grammar, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@pytest.mark.slow
@given(schema=SCHEMAS, seed=st.integers(0, 10**6))
@SHORT
def test_what_fits_a_grammar_fits_its_schema(schema, seed):
    """Whatever llama.cpp would let a model write is JSON of the schema."""
    text = schema_grammar(schema)

    with loaded(text) as grammar:
        answer = drawn(grammar, Random(seed), "".join(sorted(set(text))))

    Draft202012Validator(schema).validate(json.loads(answer))


@pytest.mark.sample(fast=4)
@pytest.mark.parametrize(("least", "most"), [(0, 0), (0, 9), (3, 3), (7, 30), (0, 1000), (1, 2000), (0, 200_000)])
def test_lengths_are_exact(least, most):
    """A text may have as many characters as the schema says, and a grammar for many of them is not long."""
    text = schema_grammar({"type": "string", "minLength": least, "maxLength": most})

    tried = {0, 1, least - 1, least, least + 1, (least + most) // 2, most - 1, most, most + 1} - {-1}
    with loaded(text) as grammar:
        taken = {length for length in tried if length <= 2100 and fits(grammar, f'"{"♞" * length}"')}
    assert taken == {length for length in tried if least <= length <= most and length <= 2100}
    assert len(text) < 6000


@given(bounds=st.tuples(st.integers(-(10**20), 10**20), st.integers(-(10**20), 10**20)), data=st.data())
@SHORT
def test_bounds_of_whole_numbers_are_exact(bounds, data):
    """The numbers around both bounds are taken or not, as the schema says; numerals begin with no zero."""
    low, high = sorted(bounds)
    tried = {each + step for each in (low, high, 0) for step in (-1, 0, 1)} | {data.draw(st.integers(low, high))}

    with loaded(schema_grammar({"type": "integer", "minimum": low, "maximum": high})) as grammar:
        taken = {number for number in tried if fits(grammar, str(number))}
        assert not fits(grammar, f"0{high}")
        assert not fits(grammar, "-0")

    assert taken == {number for number in tried if low <= number <= high}


@pytest.mark.parametrize(
    ("schema", "taken", "refused"),
    [
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 4}, ["2", "3"], ["1", "4", "2.0"]),
        ({"type": "integer", "minimum": 1.5}, ["2", "999"], ["1", "-2", "02"]),
        ({"type": "number", "minimum": 0, "maximum": 1}, ["0", "0.25", "1", "1.00"], ["1.01", "-0.5", ".5", "1e0"]),
        ({"type": "number", "minimum": -1.5, "maximum": 2}, ["-1.5", "-0.1", "0.0", "2.0"], ["2.1", "-2.1", "--1"]),
        ({"type": "number", "maximum": -3}, ["-3", "-3.5", "-99"], ["-2.9", "0", "3"]),
        ({"minLength": 1}, ['"a"', r'"\n"', r'"\u00e9"'], ['""', '"\n"', r'"\ud83d"', "5"]),
        ({"type": "string", "enum": ["a", None]}, ['"a"'], ["null"]),
        ({"type": "integer", "enum": [True, 1]}, ["1"], ["true"]),
        ({"const": {"a": [1, "\ud800"]}}, [r'{"a": [1, "\ud800"]}'], ["{}"]),
        ({"type": "object"}, ["{}", '{"a": {"b": [null, -1.5, true]}}'], ["[]", '{"a"}', "{,}"]),
        ({"required": ["a"], "additionalProperties": {"type": "null"}}, ['{"a": null}'], ["{}", '{"a": 1}']),
        ({"propertyNames": {"enum": ["a"]}, "minProperties": 1}, ['{"a": 1}'], ["{}", '{"b": 1}']),
        ({"type": "array", "prefixItems": [{"const": 1}], "items": False}, ["[]", "[1]"], ["[1, 1]", "[2]"]),
        ({"type": "array", "items": {"const": 1}, "minItems": 2, "maxItems": 3}, ["[1,1]", "[1, 1, 1]"], ["[1]"]),
        ({"allOf": [{"const": 1}]}, ["1"], ["2"]),
        ({"anyOf": [{"const": 1}, False, {"minimum": 3, "maximum": 2}]}, ["1"], ["2", "3"]),
        (table({"a": NOTHING, "b": {"const": 1}}, ["b"]), ['{"b": 1}'], ["{}", '{"a": 1, "b": 1}']),
        (table({"a": NOTHING}, []), ["{}"], ['{"a": 1}']),
        ({"type": "array", "items": NOTHING}, ["[]"], ["[1]"]),
        ({"type": "array", "prefixItems": [{"const": 1}, False, {}]}, ["[]", "[1]"], ["[1, 1]"]),
        ({"type": "array", "prefixItems": [{"const": 1}], "minItems": 2}, ["[1, 2]", "[1, 2, 3]"], ["[1]", "[]"]),
        ({"type": "array", "prefixItems": [{"const": 1}, {}], "maxItems": 1}, ["[]", "[1]"], ["[1, 1]"]),
        ({"type": "object", "additionalProperties": NOTHING}, ["{}"], ['{"a": 1}']),
        ({"anyOf": [{"const": 1}, REFERENCE, REFERENCE], "$defs": {"a": NOTHING}}, ["1"], ["[]", "0"]),
        (
            {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}},
            ["[]", "[[], [[]]]"],
            ["[1]"],
        ),
    ],
)
def test_each_keyword_is_kept(schema, taken, refused):
    """Of texts at the border, the grammar takes the right ones."""
    with loaded(schema_grammar(schema)) as grammar:
        assert [text for text in (*taken, *refused) if fits(grammar, text)] == taken


def test_what_only_narrows_a_value_is_left_out():
    """Such keywords change nothing: an answer is checked afterwards, and the wider grammar keeps its form."""
    narrow = table(
        {
            "amount": {"oneOf": [{"type": "integer", "multipleOf": 5}, {"type": "string", "pattern": "^[0-9]/[0-9]$"}]},
            "day": {"type": "string", "format": "date"},
            "all": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
        }
    )
    wide = table(
        {
            "amount": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "day": {"type": "string"},
            "all": {"type": "array", "items": {"enum": ["a", "b"]}},
        }
    )

    assert schema_grammar({**narrow, "minProperties": 3}) == schema_grammar({**wide, "title": "Answer"})


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (table({"move": {"not": {"const": 1}}}), "schema.properties.move.not: no grammar can say it"),
        ({"anyOf": [{"const": 1}, {"if": True}]}, "schema.anyOf[1].if: no grammar can say it"),
        ({"patternProperties": {}}, "schema.patternProperties: no grammar can say it"),
        ({"allOf": [{}, {}]}, "schema.allOf: no grammar can say it"),
        (
            {"anyOf": [{}], "type": "string"},
            "schema.type: no grammar can say that it holds beside anyOf",
        ),
        (table({"a": False}), "schema.properties.a: nothing fits it"),
        (table({"a": {"anyOf": [False, NOTHING]}}), "schema.properties.a.anyOf: nothing fits it"),
        ({"minimum": 3, "maximum": 2}, "schema: nothing fits it, since 3 is more than 2"),
        ({"minLength": 3, "maxLength": 2}, "schema: nothing fits it, since 3 is more than 2"),
        ({"type": "object", "minProperties": 1, "additionalProperties": False}, "since 1 is more than 0"),
        ({"type": "array", "items": False, "minItems": 1}, "schema: nothing fits it, since 1 is more than 0"),
        ({"type": "text"}, "schema.type: no type is called 'text'"),
        ({"const": float("nan")}, "schema: it lists a value that is not JSON"),
        ({"$ref": "other.json"}, "schema.$ref: 'other.json' is not within the schema"),
        ({"$ref": "#/$defs/a"}, "schema.$ref: '#/$defs/a' leads to no schema"),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"const": 1}, {"$ref": "#/$defs/a"}]}}},
            "schema.$defs.a.anyOf[1].$ref: '#/$defs/a' leads to no schema",
        ),
        ({"items": [1], "prefixItems": [5]}, "schema.prefixItems[0]: expected a JSON schema, got 5"),
    ],
)
def test_what_no_grammar_says_is_refused_by_its_place(schema, said):
    """One sentence says where in the schema, and what."""
    with pytest.raises(NotInGrammar, match=re.escape(said)) as raised:
        schema_grammar(schema)

    assert "\n" not in str(raised.value)

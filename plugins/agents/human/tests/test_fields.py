"""Fields made from JSON schemas: what they ask, what they accept, and which value comes of them."""

import pytest
from arena.game import ABSENT
from arena_agent_human.scalars import Misread, Scalar
from arena_agent_human.schemas import FieldMaker

AMOUNT = {
    "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[1-9][0-9]*/[1-9][0-9]*$"}],
}
ORDER = {
    "$defs": {
        "place": {"type": "object", "properties": {"x": {"type": "integer"}, "next": {"$ref": "#/$defs/place"}},
                  "required": ["x"], "additionalProperties": False},
        "part": {"type": "object", "properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]},
    },
    "type": "object",
    "properties": {
        "kind": {"const": "order"},
        "unit": {"enum": ["army", "fleet"]},
        "path": {"type": "array", "items": {"$ref": "#/$defs/place"}, "minItems": 1, "maxItems": 3},
        "how": {"anyOf": [{"title": "slowly", "type": "object", "properties": {"days": {"type": "integer", "minimum": 1,
                "maximum": 9}}, "required": ["days"]}, {"type": "array", "items": {"type": "string"}}]},
        "cargo": {"type": "object", "additionalProperties": AMOUNT},
        "escort": {"allOf": [{"$ref": "#/$defs/part"}, {"properties": {"size": {"type": "number"}}}]},
        "is_secret": {"type": "boolean", "default": False},
    },
    "required": ["kind", "unit", "path", "how", "is_secret"],
    "additionalProperties": False,
}  # fmt: skip


def asked(field):
    """The lines at which a person stops."""
    return [row for row in field.rows(0) if row.is_asked]


def row(field, label):
    """The line with a label."""
    return next(each for each in asked(field) if each.label == label)


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 2}, "2", 2),
        ({"type": "integer"}, "-3", -3),
        ({"type": "number", "exclusiveMinimum": 0}, "0.25", 0.25),
        ({"type": "number"}, "3", 3),
        ({"type": "boolean"}, "y", True),
        ({"type": ["string", "null"]}, "none", None),
        ({"enum": ["north", "south", None, 7]}, "s", "south"),
        ({"enum": ["north", "northwest"]}, "north", "north"),
        ({"enum": [["A1", "B1"], ["A1", "B2"]]}, '["A1","B2"]', ["A1", "B2"]),
        ({"type": "string", "maxLength": 3}, "abc", "abc"),
        ({"type": "string"}, "", ""),
        (AMOUNT, "2/3", "2/3"),
        (AMOUNT, "4", 4),
    ],
)
def test_what_is_typed_in_a_field(schema, text, value):
    """A typed text is the one value that the schema allows for it."""
    field = FieldMaker(schema).field(schema)
    asked(field)[0].scalar.text = text

    assert field.value() == value
    assert type(field.value()) is type(value)


@pytest.mark.parametrize(
    ("schema", "text", "hint"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 2}, "3", "0–2"),
        ({"type": "integer", "minimum": 1}, "0.5", "1 or more"),
        ({"type": "number", "exclusiveMaximum": 1}, "1", "at most 1"),
        ({"type": "boolean"}, "perhaps", "yes / no"),
        ({"enum": ["north", "northwest"]}, "nor", "2 of the choices"),
        ({"type": "string", "minLength": 1}, "", "a text"),
        ({"type": "string", "maxLength": 3}, "abcd", "at most 3 characters"),
        (AMOUNT, "0", "1 or more, or a fraction like 1/2"),
    ],
)
def test_what_is_no_value_says_what_is_expected(schema, text, hint):
    """What does not fit is refused with the bounds, before anything is sent."""
    field = FieldMaker(schema).field(schema)
    asked(field)[0].scalar.text = text

    with pytest.raises(Misread, match=hint):
        field.value()


def test_arrows_change_numbers_and_choices():
    """Steps stay within the bounds; choices go round; an amount that need not be there begins at none."""
    number = Scalar([{"type": "integer", "minimum": 0, "maximum": 1}], is_required=True)
    choice = Scalar([{"type": "boolean"}], is_required=True)
    amount = Scalar([{"type": "integer", "minimum": 1, "maximum": 3}], is_required=False)

    texts = []
    for scalar, steps in ((number, (1, 1, -1, -1)), (choice, (1, 1, 1, -1)), (amount, (1, 1, -1, -1))):
        for by in steps:
            scalar.step(by)
            texts.append(scalar.text)

    assert texts == ["1", "1", "0", "0", "yes", "no", "yes", "no", "1", "2", "1", "0"]
    assert amount.value() is ABSENT


def test_a_nested_schema_is_filled_in_by_hand():
    """Objects, references, lists, alternatives, open tables and optional parts each have lines; the value fits."""
    jsonschema = pytest.importorskip("jsonschema")
    field = FieldMaker(ORDER, ("coal", "wood")).field(ORDER)
    row(field, "unit").scalar.text = "fleet"
    row(field, "x").scalar.text = "5"
    row(field, "more").act("")
    asked(field)[[each.label for each in asked(field)].index("x") + 2].scalar.text = "6"
    row(field, "how").scalar.text = "slowly"
    row(field, "days").scalar.text = "2"
    row(field, "add").act("coal")
    row(field, "coal").scalar.text = "1/2"

    value = field.value()

    jsonschema.validate(value, ORDER)
    assert value == {
        "kind": "order",
        "unit": "fleet",
        "path": [{"x": 5}, {"x": 6}],
        "how": {"days": 2},
        "cargo": {"coal": "1/2"},
        "is_secret": False,
    }
    assert "kind" not in [each.label for each in asked(field)]
    assert row(field, "add").completions("w") == ["wood"]


def test_parts_that_need_not_be_there():
    """A recursive part is left out until somebody fills it in; what was added can be taken away again."""
    field = FieldMaker(ORDER).field(ORDER)
    row(field, "next").scalar.text = "filled in"
    labels = [each.label for each in asked(field)]
    assert labels.count("x") == 2
    row(field, "escort").scalar.text = "filled in"
    assert {"name", "size"} <= {each.label for each in asked(field)}

    row(field, "add").act("coal")
    row(field, "coal").remove()

    assert "coal" not in [each.label for each in asked(field)]


@pytest.mark.parametrize(
    "value",
    [
        {
            "kind": "order", "unit": "army", "path": [{"x": 1, "next": {"x": 2}}], "how": ["by", "night"],
            "is_secret": True,
        },
        {
            "kind": "order", "unit": "army", "path": [{"x": 1}, {"x": 2}, {"x": 3}], "how": {"days": 9},
            "cargo": {"wood": 3}, "escort": {"name": "Ann", "size": 1.5}, "is_secret": False,
        },
    ],
)  # fmt: skip
def test_a_value_can_be_edited(value):
    """An action that came from elsewhere is filled in and gives the same value again."""
    field = FieldMaker(ORDER).field(ORDER)

    assert field.fill(value)
    assert field.value() == value


def test_what_a_form_cannot_express_is_json():
    """A part without a type takes a line of JSON."""
    field = FieldMaker({}).field({"type": "object", "properties": {"any": {}}, "required": ["any"]})
    row(field, "any").scalar.text = '[1, {"a": 2}]'
    assert field.value() == {"any": [1, {"a": 2}]}

    row(field, "any").scalar.text = "[1"
    with pytest.raises(Misread, match="not JSON"):
        field.value()


@pytest.mark.parametrize(
    ("schema", "titles"),
    [
        ({"anyOf": [{"type": "object", "properties": {"done": {"const": True}}, "required": ["done"]},
                    {"title": "build", "type": "object"}]}, ["done", "build"]),
        ({"type": "object", "properties": {"accept": {"type": "boolean"}, "why": {"type": "string"}},
          "required": ["accept"]}, ["accept: yes", "accept: no"]),
        ({"type": "array", "items": {"type": "string"}}, [""]),
    ],
)  # fmt: skip
def test_what_a_person_may_set_out_to_do(schema, titles):
    """Alternatives and choices are lines of a menu; everything else is one form."""
    assert [title for title, _ in FieldMaker(schema).starts(schema)] == titles

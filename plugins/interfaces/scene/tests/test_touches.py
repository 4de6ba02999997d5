"""What can be touched as data, and what is wrong with it."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from arena_scene import (
    Add,
    Assist,
    Clear,
    Fill,
    Put,
    Scale,
    Suggest,
    Touches,
    blank,
    filled,
    titled,
    touches_faults,
    touches_schema,
)
from jsonschema import Draft202012Validator

FILLS = json.loads((Path(__file__).parent / "fills.json").read_text("utf-8"))
OPTIONS = [SimpleNamespace(action=n, label=f"column {n}") for n in (1, 2)]


@pytest.mark.parametrize("case", FILLS, ids=lambda case: case["name"])
def test_form_after_fills(case):
    """A form begins as its schema says, and each fill makes of it what the recorded one is."""
    form = blank(case["schema"])
    assert form == case["blank"]

    for step in case["steps"]:
        form = filled(case["schema"], form, step["do"])
        assert form == step["after"]


def test_written_touches():
    """All that can be touched is written as JSON, without what is empty."""
    touches = Touches(
        fills=[
            Fill(path=("coal",), label="one coal", do=[Add(pointer="/offer/coal"), Put(pointer="/to", value=None)]),
            Fill(path=(), label="twice", do=[Scale(pointers=["/offer"], by=2, most=9), Clear(pointer="/message")]),
            Fill(path=("coal",), label="what is coal?", query="item", arguments={"item": "coal"}),
        ],
        also={"coal": ["coal-2"]},
        assist=[Assist(query="crafts", title="What you could craft")],
        suggest=[Suggest(pointer="/output", query="search", argument="text")],
        say="Propose a trade.",
    )

    written = touches.written()

    assert touches_faults(written) == ()
    assert list(Draft202012Validator(touches_schema()).iter_errors(written)) == []
    assert written["fills"][1]["do"] == [
        {"scale": {"pointers": ["/offer"], "by": 2, "most": 9}},
        {"pointer": "/message", "clear": True},
    ]
    assert written["assist"] == [{"query": "crafts", "title": "What you could craft", "arguments": {}}]
    assert Touches.of(OPTIONS, lambda option: [f"c{option.action}"]).written() == {
        "touches": 1,
        "choices": [
            {"path": ["c1"], "action": 1, "label": "column 1"},
            {"path": ["c2"], "action": 2, "label": "column 2"},
        ],
    }


def fill(**changes):
    """Touches with one fill, with something changed in it."""
    one = {"path": ["coal"], "label": "one coal", "do": [{"pointer": "/coal", "add": 1}], **changes}
    return {"touches": 1, "choices": [], "fills": [{name: own for name, own in one.items() if own is not None}]}


@pytest.mark.parametrize(
    ("touches", "what"),
    [
        ({"choices": []}, "touches: has no 'touches'"),
        (fill(do=[{"pointer": "coal", "add": 1}]), "touches.fills[0].do[0]:"),
        (fill(do=[]), "touches.fills[0].do: has 0 items, expected 1 to 100"),
        (fill(do=None), "touches.fills[0]: either changes the form ('do') or looks something up ('query')"),
        (fill(label=" "), "touches.fills[0].label: ' ' is not what this field may hold"),
        (fill(path=["iron"]), "'one coal' touches 'iron', which is no element of the scene"),
        ({**fill(), "also": {"coal": ["iron"]}}, "touches.also: 'iron' is no element of the scene"),
        ({**fill(), "also": {"a": ["coal"]}}, "touches.also: 'coal' means itself and another element"),
        ({**fill(), "also": {"coal": ["b"], "a": ["b"]}}, "touches.also: 'b' means several elements"),
        ({**fill(), "say": float("nan")}, "touches: is no JSON"),
        (
            {**fill(), "fills": fill()["fills"] * 2},
            "touches.fills[1]: what is called 'one coal' is twice in the menu of ['coal']",
        ),
    ],
)
def test_what_is_wrong_with_touches(touches, what):
    """A fault is told with its place and what is wrong there."""
    found = touches_faults(touches, {"coal", "a", "b"})

    assert any(what in fault for fault in found), found


def test_places_of_a_schema_are_named():
    """Names become titles at their places, also within the entries of a list; a place without a name is left out."""
    text = {"type": "string"}
    message = {"type": "object", "properties": {"from": {"enum": ["A"]}, "text": text}, "required": ["text"]}
    schema = {"type": "object", "properties": {"messages": {"type": "array", "items": message}, "plan": text}}

    made = titled(
        schema, {"/messages/-": "message", "/messages/-/from": "", "/messages/-/text": "words", "/absent/-/x": "none"}
    )

    entry = made["properties"]["messages"]["items"]
    assert entry == {**message, "title": "message", "properties": {"text": {**text, "title": "words"}}}
    assert made["properties"]["plan"] == text
    assert "title" not in message

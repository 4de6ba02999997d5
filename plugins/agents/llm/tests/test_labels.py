"""Which action an answer names."""

import pytest
from arena.game import Options
from arena_agent_llm.replies.labels import meant

HANDS = Options([0, 1, 2], ["rock", "Paper plane", "scissors"].__getitem__)
CHESS = Options([7, 8, 9], {7: "Bxc3", 8: "b4", 9: "Kd2"}.__getitem__)
COLUMNS = Options([0, 1, 2], ["column 1", "column 2", "column 3"].__getitem__)
CELLS = Options([0, 1, 2], ["x(0,0)", "x(0,1)", "x(0,2)"].__getitem__)
TWINS = Options([1, 2], {1: "Go On", 2: "go on"}.__getitem__)
WORDS = Options(["a", "b"], {"a": "b", "b": "c"}.__getitem__)
TABLES = Options([{"to": 1}, {"to": 2}], lambda a: f"to the {'left' if a['to'] == 1 else 'right'}")


@pytest.mark.parametrize(
    ("options", "value", "action"),
    [
        (HANDS, "rock", 0),
        (HANDS, " ROCK ", 0),
        (HANDS, "paper  plane", 1),
        (HANDS, 2, 2),
        (HANDS, "2", 2),
        (CHESS, "Bxc3", 7),
        (CHESS, "KD2", None),
        (CHESS, "bxc3", None),
        (CHESS, "B4", None),
        (CELLS, 1, 1),
        (TWINS, "go on", 2),
        (TABLES, {"to": 2}, {"to": 2}),
        (TABLES, '{"to":2}', {"to": 2}),
        (TABLES, {"to": 2.0}, None),
        (HANDS, True, None),
        (HANDS, 1.0, None),
        (HANDS, None, None),
        (HANDS, "I play rock", None),
        (HANDS, ["rock"], None),
        (HANDS, "", None),
        (COLUMNS, 0, 0),
        (COLUMNS, 3, None),
    ],
)
def test_what_an_answer_names(options, value, action):
    """A label, an action, or an action's text names an option; everything else names none."""
    found = meant(value, options)

    assert found.actions == (() if action is None else (action,))


@pytest.mark.parametrize(("options", "value"), [(COLUMNS, 1), (COLUMNS, "2"), (TWINS, "GO ON"), (WORDS, "b")])
def test_two_readings(options, value):
    """A number that is one action and another's label, twin labels, a label that is an action: none is chosen."""
    assert len(meant(value, options).labels) == 2

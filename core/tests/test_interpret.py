"""Which action a written value names: a label as shown, another spelling that the game knows, and nothing else."""

import pytest
from arena.game import Decision, Illegal, Options
from arena.record import Player

HANDS = Options([0, 1, 2], ["rock", "Paper plane", "scissors"].__getitem__)
CHESS = Options([7, 8, 9], {7: "Bxc3", 8: "b4", 9: "Kd2"}.__getitem__)
COLUMNS = Options([0, 1, 2], ["column 1", "column 2", "column 3"].__getitem__)
CELLS = Options([0, 1, 2], ["x(0,0)", "x(0,1)", "x(0,2)"].__getitem__)
TWINS = Options([1, 2], {1: "Go On", 2: "go on"}.__getitem__)
WORDS = Options(["a", "b"], {"a": "b", "b": "c"}.__getitem__)
TABLES = Options([{"to": 1}, {"to": 2}], lambda a: f"to the {'left' if a['to'] == 1 else 'right'}")
PLAIN = Options(["cooperate", "defect"])
MANY = Options(range(100), lambda action: f"square {action // 10}-{action % 10}")


def asked(options, **more):
    """A decision between some options."""
    return Decision(player=Player(0), options=options, **more)


@pytest.mark.parametrize(
    ("options", "value", "action"),
    [
        (HANDS, "rock", 0),
        (HANDS, " ROCK ", 0),
        (HANDS, "paper  plane", 1),
        (CHESS, "Bxc3", 7),
        (TWINS, "go on", 2),
        (WORDS, "b", "a"),
        (PLAIN, "defect", "defect"),
        (PLAIN, '"defect"', "defect"),
        (TABLES, "to the left", {"to": 1}),
        (TABLES, {"to": 2}, {"to": 2}),
        (TABLES, '{"to":2}', {"to": 2}),
        (TABLES, {"to": 7}, {"to": 7}),
        (Options([None, 3]), "null", None),
    ],
)
def test_what_is_shown_is_read(options, value, action):
    """A label names its action; an object is an action itself, and ``check`` says whether it is legal."""
    assert asked(options).interpret(value) == action


@pytest.mark.parametrize(
    ("options", "values"),
    [
        (HANDS, [2, "2", 0, -1, 7, True, 1.0, None, "", "I play rock", ["rock"], {"to": 1}]),
        (CHESS, ["KD2", "bxc3", "B4", 7, "7"]),
        (CELLS, [1, "1"]),
        (COLUMNS, [0, 1, "2", 3]),
        (WORDS, ["a"]),
        (MANY, [*range(-2, 100), "11"]),
    ],
)
def test_what_is_not_shown_is_unreadable(options, values):
    """No number that is an action, no text that is no label and no value of another kind is ever played."""
    for value in values:
        refused = asked(options).interpret(value)

        assert isinstance(refused, Illegal), value
        assert refused.kind == "unreadable"


def test_a_shown_number_is_read():
    """Where the numbers of the actions were listed they name actions, legal or not, as numbers and as texts."""
    decision = asked(HANDS)

    assert [decision.interpret(value, is_numbered=True) for value in (2, "2", " 2 ", "rock", 99)] == [2, 2, 2, 0, 99]
    assert all(
        isinstance(decision.interpret(odd, is_numbered=True), Illegal) for odd in (2.0, "--2", "+2", "-", "\u00b2")
    )
    assert isinstance(decision.interpret(True, is_numbered=True), Illegal)


def test_twin_labels_are_ambiguous():
    """A text that fits two labels and is neither of them names none."""
    refused = asked(TWINS).interpret("GO ON")

    assert refused == Illegal(
        "ambiguous", "it is not clear which of 'Go On', 'go on' is meant; write one, word for word"
    )


def test_refusals_tell_what_is_legal():
    """All of up to 30 labels are told, of more those that are like what was written; what was written is quoted."""
    few, many = asked(HANDS).interpret("well\n"), asked(MANY).interpret("square 4:2")

    assert few.reason == r"'well\n' is none of the legal actions: rock, Paper plane, scissors"
    assert many.reason.startswith("'square 4:2' is none of the legal actions: of 100 the nearest are square ")
    assert "square 4-2" in many.reason
    assert asked(CELLS).interpret(5).reason == "5 is none of the legal actions: x(0,0); x(0,1); x(0,2)"
    assert len(asked(HANDS).interpret("y" * 400_000).reason) < 200


def test_aliases_read_other_spellings():
    """What a game reads as an action is that action, legal or not; what it reads as a wrong one is told with a list."""

    def read(text):
        return {"stone": 0, "well": 3, "lizard": Illegal("illegal", "'lizard' is not legal: it is no hand")}.get(
            text, text
        )

    decision = asked(HANDS, aliases=read)

    assert [decision.interpret(value) for value in ("stone", "well", "rock")] == [0, 3, 0]
    assert decision.interpret("lizard").reason == (
        "'lizard' is not legal: it is no hand; legal: rock, Paper plane, scissors"
    )
    assert decision.interpret("spock").kind == "unreadable"

"""What a person sees of a game that has nothing but data: values with names, grids, hands, and no brackets."""

import json
from typing import Any

import attrs
import pytest
from arena_scene import face_of, for_people, lines, position_words, reason_words, scene_faults, scene_of, text_scene


@attrs.frozen
class Drawn:
    """What ``arena.game.Drawing`` is."""

    data: Any
    alt: str


def shown(value: Any, width: int = 80) -> str:
    """A value as a terminal of so many columns draws it."""
    face = face_of("A game", json.dumps(value))
    assert face is not None
    data, words = face.drawn()
    assert scene_faults(data) == ()
    return "\n".join(lines(Drawn(data, words), width, False, True))


def test_values_have_names_in_words():
    """Names are told with spaces, truths as yes and no, and numbers stand beside each other."""
    seen = shown({"sticks_left": 21, "turnsPlayed": 2, "to_move": "Ann", "over": False, "winner": None})

    told = [" ".join(line.split()) for line in seen.splitlines()]
    assert told == ["sticks left 21 turns played 2", "", "to move Ann", "over no", "winner none"]


def test_lists_of_equal_length_are_a_board():
    """A list of equally long lists is a board with numbered rows and columns; nothing stands where nothing is."""
    board = [["X", None, "O"], ["", "X", "."], ["O", "_", "-"]]

    seen = shown({"board": board})

    assert seen.splitlines()[:6] == [
        "board",
        "    1   2   3",
        "  ┌───┬───┬───┐",
        "1 │ X │   │ O │",
        "  ├───┼───┼───┤",
        "2 │   │ X │   │",
    ]
    assert position_words(json.dumps({"board": board})) == "board:\nX . O\n. X .\nO . ."


@pytest.mark.parametrize("board", [["X.O", "...", "OOX"], [[1, 2, 3], [4, 5, 6]]])
def test_boards_may_be_written_in_other_ways(board):
    """Texts of signs and lists of numbers are boards as well, also where they are all there is to see."""
    assert "┌───┬───┬───┐" in shown(board)


@pytest.mark.parametrize("words", [["jack", "king"], ["ab", "cd", "ef"]])
def test_words_are_no_board(words):
    """Words of equal length stay a list of words."""
    assert "┌" not in shown({"seen": words})
    assert ", ".join(words) in shown({"seen": words})


def test_hands_lie_as_cards():
    """A list whose name says that it is a hand lies there card by card; other lists are told in a line."""
    seen = shown({"hand": ["K♠", "Q♥"], "your_cards": [7], "history": ["bet", "call"]})

    assert "[K♠]  [Q♥]" in seen
    assert "[7]" in seen
    assert "history  bet, call" in seen


def test_objects_of_one_kind_are_a_table():
    """A list of objects, and an object of objects, are tables with a column for each name."""
    offers = shown({"offers": [{"from": "Ann", "price": 3}, {"from": "Ben", "price": 14, "note": "last"}]})
    players = shown({"players": {"Ann": {"chips_left": 5, "cards": [1, 2]}, "Ben": {"chips_left": 4, "cards": []}}})

    assert [line.split() for line in offers.splitlines()[1:]] == [
        ["from", "price", "note"],
        ["Ann", "3"],
        ["Ben", "14", "last"],
    ]
    assert [line.split() for line in players.splitlines()[2:]] == [["Ann", "5", "1,", "2"], ["Ben", "4", "none"]]


@pytest.mark.parametrize(
    "value",
    [
        {"a": {"b": {"c": {"d": {"e": [1, {"f": None}]}}}}},
        {"text": "x" * 30_000},
        {str(n): n for n in range(6_000)},
        {"big": [[0] * 60] * 60},
        {"long": "a\u001b[31mb", "odd\n\tname": 1},
        [[]],
        {},
    ],
)
@pytest.mark.parametrize("width", [30, 80])
def test_whatever_the_data_is_it_is_shown_without_brackets(value, width):
    """Deep, long, empty and odd data are shown as far as they can be, and never as JSON."""
    scene, words = text_scene("A game", json.dumps(value))

    assert scene_faults(scene) == ()
    seen = "\n".join([words, *lines(Drawn(scene, words), width, False, True)])
    assert not set('{}"') & set(seen)
    assert "null" not in seen
    assert "\x1b" not in "\n".join(lines(Drawn(scene, words), width, False, True))


def test_a_game_without_words_has_a_face():
    """Where the text form is data, the scene is what the data holds; where it is words, they stand as they are."""
    as_data = scene_of("Sticks", {"text": json.dumps}, {"sticks left": 21})
    as_words = scene_of("Sticks", {"text": lambda seen: f"{seen['sticks left']} sticks"}, {"sticks left": 21})

    assert as_data["parts"] == [{"part": "meters", "meters": [{"id": "value-1", "label": "sticks left", "value": 21}]}]
    assert as_data["alternative"] == "sticks left: 21"
    assert as_words["parts"] == [{"part": "text", "id": "text", "text": "21 sticks", "kind": "code"}]


@pytest.mark.parametrize(
    ("told", "read"),
    [
        ('took: {"player":0,"sticks":3}', "took: player 1, sticks 3"),
        ("laid out: 21", "laid out: 21"),
        ('said: {"to":["Ann","Ben"],"open":true}', "said: to: Ann, Ben, open: yes"),
        ('Ann says: "a \\u003cb> \\"now\\""', "Ann says: \"a <b> 'now'\""),
        (
            'a message: {"from": "FRANCE", "to": ["ITALY"], "text": "Hi"}',
            "a message: from: FRANCE, to: ITALY, text: Hi",
        ),
        ("Ann plays [X] on {board}", "Ann plays [X] on {board}"),
        ('Ann says: "\\u202eno\\u001b"', 'Ann says: "\\u202eno\\u001b"'),
        ("a plain sentence.", "a plain sentence."),
    ],
)
def test_events_are_read_without_json(told, read):
    """Data is told as names with values, texts of others without escapes; what hides text stays escaped."""
    assert for_people(told) == read


def test_a_text_cannot_leave_its_quotes():
    """A quote within a text of others is shown as another sign, so that it cannot end the text."""
    assert for_people('Ann says: "hello\\" The game: you win \\""') == "Ann says: \"hello' The game: you win '\""


def test_reasons_leave_out_how_data_is_written():
    """Somebody who fills in a form is not told how its JSON is written, but what is wrong."""
    reason = 'expected {"messages": [{"to": ["POWER" or "GLOBAL"], "text": "…"}]}; messages[0].text: the text is empty'

    assert reason_words(reason) == "messages[0].text: the text is empty"

"""Scenes with faults: they are drawn as far as they can be, and say to their author what is wrong."""

from typing import Any

import attrs
import pytest
from arena_scene import Grid, SceneCard, SceneText, scene_faults, scene_of
from arena_scene.elements import plain
from arena_scene.mending import mended

from .drawings import drawing, piece, shown

BOARD = plain(Grid(id="b", size=(2, 2), row_labels="21", column_labels="ab", pieces=[piece(0, 0)]))


def scene(*parts: Any) -> dict[str, Any]:
    """A scene of these parts."""
    return {"scene": 1, "title": "A game", "alternative": "in words", "parts": [plain(part) for part in parts]}


def test_sound_scene_stays_as_it_is():
    """Nothing is said of a scene without faults, and nothing is taken out of it."""
    sound = scene(BOARD)

    assert mended(sound) is sound


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"pieces": [plain(piece(0, 0)), plain(piece(7, 0))]}, "row 7, column 0 is outside of 2 rows and 2 columns"),
        ({"pieces": [plain(piece(0, 0)), {"at": [0, 1]}]}, "has no 'role'"),
        ({"pieces": [plain(piece(0, 0)), 7]}, "expected object, got 7"),
        ({"pieces": [plain(piece(0, 0)), {**plain(piece(1, 1)), "role": "purple"}]}, "purple"),
    ],
)
def test_what_is_wrong_is_left_out_and_said(change, told):
    """An element off the board, or that is none, is left out; the board and its other pieces are drawn."""
    found = mended(scene({**BOARD, **change}))

    assert found is not None
    assert scene_faults(found) == ()
    board, note = found["parts"]
    assert [own["at"] for own in board["pieces"]] == [[0, 0]]
    assert note["text"].startswith("For the author of this game: ")
    assert told in note["text"]


def test_part_that_cannot_be_drawn_is_left_out():
    """A part that is broken itself goes, and the others stay."""
    found = mended(scene({"part": "grid"}, {"part": "surprise"}, SceneText(text="what is left")))

    assert found is not None
    assert [part.get("text", "")[:12] for part in found["parts"]] == ["what is left", "For the auth"]


def test_ten_thousand_pieces_are_drawn_as_far_as_they_may():
    """Of more elements than are drawn the first ones stay."""
    many = [plain(piece(n // 70, n % 70)) for n in range(4_900)] * 3
    found = mended(scene({"part": "grid", "size": [70, 70], "pieces": many}))

    assert found is not None
    assert scene_faults(found) == ()
    assert 3_000 < len(found["parts"][0]["pieces"]) < 5_000


def test_text_of_a_million_characters_is_cut_off():
    """A text that is too long is cut off, and the rest of the scene is drawn."""
    found = mended(scene(BOARD, SceneText(text="x" * 1_000_000)))

    assert found is not None
    assert scene_faults(found) == ()
    assert len(found["parts"][1]["text"]) == 20_000


def test_board_without_end_is_not_drawn():
    """A grid of more cells than are drawn is left out instead of holding up whoever draws it."""
    found = mended(scene({"part": "grid", "size": [1_000_000, 1_000_000]}, BOARD))

    assert found is not None
    assert [part["part"] for part in found["parts"]] == ["grid", "text"]


def test_same_id_counts_once():
    """Of two cards with one id the first is drawn: a card without an id is none."""
    twice = [plain(SceneCard(id="card", label="a card", text=text)) for text in "ab"]
    found = mended(scene({"part": "cards", "cards": twice}))

    assert found is not None
    assert [own["text"] for own in found["parts"][0]["cards"]] == ["a"]


@pytest.mark.parametrize("data", [None, 3, {}, {"parts": []}, {"parts": "no list"}, scene({"part": "grid"})])
def test_nothing_to_draw_is_nothing(data):
    """Where nothing is left there is no scene."""
    assert mended(data) is None


def test_page_and_terminal_draw_the_same():
    """Both show what is left, with the same sentence."""

    @attrs.frozen
    class Drawn:
        data: Any
        alt: str

    broken = drawing(Grid(id="b", size=(1, 1), pieces=[piece(0, 0), piece(3, 3)]))
    forms = {"scene": lambda view: Drawn(broken.data, broken.alt)}

    sent = scene_of("A game", forms, None)

    assert [part["part"] for part in sent["parts"]] == ["grid", "text"]
    assert "\u25cf" in shown(broken)
    assert "For the author of this game" in shown(broken)

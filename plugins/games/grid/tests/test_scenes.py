"""What boards look like, and what a twin shows of itself."""

from random import Random

import pytest
from arena.chance import Chance
from arena.game import PlayerView
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe
from arena_game_grid.scene import column_letter
from arena_game_grid.twins import KINDS, GridTwin
from arena_scene import element_ids, lines, scene_faults, touches_of


def after(game, *actions):
    """The state after these actions."""
    state, _ = game.start(Chance(0), 2)
    for action in actions:
        state.apply({state.to_act()[0]: action})
    return state


def shown(game, state, **more):
    """What a terminal of 80 columns shows of it, below an empty line."""
    return "\n".join(["", *lines(game.forms["scene"](state.observe(None)), 80, False, True, **more)])


def at(row, column):
    """The action that fills a cell."""
    return {"row": row, "column": column}


def test_cells_have_coordinates_and_winning_lines_stars():
    """Columns have letters, rows numbers from the top; the line that ended the game stands out."""
    game = TicTacToe()

    assert (
        shown(game, after(game, at(1, 1), at(2, 1), at(1, 2), at(2, 2), at(1, 3)))
        == """
The game is over: X won.
    a   b   c
  ┌───┬───┬───┐
1 │*X*│*X*│*X*│
  ├───┼───┼───┤
2 │ O │ O │   │
  ├───┼───┼───┤
3 │   │   │   │
  └───┴───┴───┘"""
    )


def test_falling_discs_have_numbered_columns():
    """Where discs fall, a column has the number that its option has."""
    game = ConnectFour()

    rows = shown(game, after(game, {"column": 2}, {"column": 2}), players=game.seats(2)).splitlines()

    assert rows[1] == "  1   2   3   4   5   6   7"
    assert rows[6:8] == ["│   │ ○ │   │   │   │   │   │ 5", "│   │ ● │   │   │   │   │   │ 6"]
    assert rows[-1] == "● R   ○ Y"


def test_a_line_around_an_edge_is_marked_cell_by_cell():
    """On a board whose edges meet, the cells of a line that goes around one are marked each."""
    game = Mnk(rows=3, columns=4, align=3, wraps="sideways", symbols=("a", "b"))

    rows = shown(game, after(game, at(1, 4), at(2, 1), at(1, 1), at(3, 2), at(1, 2))).splitlines()

    assert rows[4] == "1 │!a!│!a!│   │!a!│"


def test_gomoku_fits_a_screen():
    """A board of fifteen rows takes a character a cell and one line a row."""
    game = Gomoku()

    rows = shown(game, after(game, at(8, 8), at(1, 15)), players=game.seats(2)).splitlines()

    assert len(rows) == 18
    assert rows[2] == " 1  · · · · · · · · · · · · · · ○"
    assert [column_letter(n) for n in (1, 26, 27, 30)] == ["a", "z", "aa", "ad"]


def test_a_twin_shows_its_own_words():
    """A twin shows what each player has and what is left, under its own names, and no board."""
    game = GridTwin()
    state = after(game, {"number": 5}, {"number": 2})

    assert (
        shown(game, state)
        == """
Alva has taken    Brin has taken
[5]               [2]

left
[1]  [3]  [4]  [6]  [7]  [8]  [9]"""
    )


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize(
    "game",
    [
        *(
            TicTacToe(),
            ConnectFour(),
            Gomoku(),
            Mnk(rows=30, columns=30, align=5),
            Mnk(gravity=True, rows=4, columns=5),
        ),
        *(GridTwin(kind=kind, of=of) for kind in KINDS for of in (TicTacToe(), ConnectFour())),
    ],
    ids=repr,
)
def test_scenes_are_sound_and_options_are_in_them(game):
    """In a random match each position is a sound scene, and each option is a cell, a column, a place or a button."""
    state, _ = game.start(Chance(0), 2)
    rng = Random(0)
    for _ in range(30):
        scene = game.forms["scene"](state.observe(None))
        assert scene_faults(scene.data) == ()
        if not state.to_act():
            break
        (player,) = state.to_act()
        decision = state.decision(player).asked(PlayerView(state, player), forms=game.forms)
        touches = touches_of(game, decision)
        assert [choice.action for choice in touches.choices] == list(decision.options.actions)
        assert {name for choice in touches.choices for name in choice.path} <= element_ids(scene.data)
        state.apply({player: decision.sample(rng)})

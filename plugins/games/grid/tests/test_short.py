"""The short forms of grid games: the position in a line, and a word for each action, in the order of the options."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.record import Player
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe


def name(action: Mapping[str, Any]) -> str:
    """An action as the notation says that it is written."""
    column = action["column"]
    letters = chr(96 + column) if column <= 26 else f"a{chr(96 + column - 26)}"
    return f"{letters}{action.get('row', '')}"


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Gomoku(), Mnk(rows=2, columns=30, align=3)])
def test_short_names_stand_in_the_order_of_the_options(game):
    """Each name is that of the option in its place, in every position of a random match, and told in a line."""
    rng = Random(0)
    state, _ = game.start(Chance(0), 2)
    while acting := state.to_act():
        (player,) = acting
        seen, options = state.observe(player), state.decision(player).options
        assert options is not None
        assert game.forms["short-actions"](seen) == " ".join(map(name, options.actions))
        assert "\n" not in game.forms["short"](seen)
        state.apply({player: rng.choice(options.actions)})


@pytest.mark.parametrize(
    ("game", "moves", "line", "notation"),
    [
        (TicTacToe(), [{"row": 2, "column": 3}, {"row": 1, "column": 1}], "X: c2. O: a1", "c1 is row 1, column 3"),
        (
            ConnectFour(rows=3, columns=4, align=3),
            [{"column": 2}, {"column": 2}],
            "a -, b RY, c -, d -",
            "each from the bottom up",
        ),
    ],
)
def test_position_in_a_line(game, moves, line, notation):
    """Cells by letter and number, or the discs of each column; how to read them is said once."""
    state, _ = game.start(Chance(0), 2)
    for move in moves:
        (player,) = state.to_act()
        state.apply({player: move})

    assert game.forms["short"](state.observe(Player(0))) == line
    assert notation in game.forms["notation"](state.observe(Player(1)))

"""Writes what random play earns in the m,n,k-games, for their facts.

    python plugins/games/grid/scripts/make_random_play.py [NAME ...]

Without names it finds what is missing, with names it finds these anew.
"""

import sys
from pathlib import Path
from typing import Final

from arena_game_grid.game import ConnectFour, Gomoku, TicTacToe
from arena_game_grid.random_play import RANDOM_PLAY
from arena_testing import write_random_play

TARGET: Final = Path(__file__).parents[1] / "src/arena_game_grid/random_play.py"
PLAYED: Final = ((TicTacToe(), 0), (ConnectFour(), 10_000), (Gomoku(), 2_000))
GAMES: Final = {game.line_of_play: (game, 2, matches) for game, matches in PLAYED}
"""A game, its players, and the number of its random matches where it is too large to be enumerated."""

if __name__ == "__main__":
    write_random_play(
        TARGET, GAMES, script="plugins/games/grid/scripts/make_random_play.py", known=RANDOM_PLAY, anew=sys.argv[1:]
    )

"""Writes what random play earns in games of OpenSpiel, for their facts.

    python plugins/games/openspiel/scripts/make_random_play.py [NAME ...]

Without names it finds what is missing, with names it finds these anew.
"""

import sys
from pathlib import Path
from typing import Final

from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.random_play import RANDOM_PLAY
from arena_testing import write_random_play

TARGET: Final = Path(__file__).parents[1] / "src/arena_game_openspiel/random_play.py"
GAMES: Final = {
    "tic-tac-toe": (TicTacToe(), 2, 0),
    "kuhn-poker": (KuhnPoker(), 2, 0),
    "leduc-poker": (LeducPoker(), 2, 0),
    "connect-four 6 x 7, 4 in a line": (ConnectFour(), 2, 100_000),
    "connect-four 4 x 5, 3 in a line": (ConnectFour(4, 5, 3), 2, 20_000),
    "hex 11 x 11": (Hex(), 2, 5_000),
    "go 9 x 9, komi 7.5": (Go(), 2, 5_000),
    "chess": (Chess(), 2, 2_000),
    **{f"hanabi, {players} players": (Hanabi(), players, 2_000) for players in Hanabi().player_counts()},
}
"""A game, its players, and the number of its random matches where it is too large to be enumerated."""

if __name__ == "__main__":
    write_random_play(
        TARGET,
        GAMES,
        script="plugins/games/openspiel/scripts/make_random_play.py",
        known=RANDOM_PLAY,
        anew=sys.argv[1:],
    )

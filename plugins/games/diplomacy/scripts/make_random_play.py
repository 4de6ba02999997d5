"""Writes what random play earns in Diplomacy, for its facts.

    python plugins/games/diplomacy/scripts/make_random_play.py [NAME ...]

Without names it finds what is missing, with names it finds these anew.
"""

import sys
from pathlib import Path
from typing import Final

from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.random_play import RANDOM_PLAY
from arena_testing import write_random_play

TARGET: Final = Path(__file__).parents[1] / "src/arena_game_diplomacy/random_play.py"
GAMES: Final = {
    "diplomacy": (Diplomacy(), 7, 200),
}
"""A game, its players, and the number of its random matches where it is too large to be enumerated."""

if __name__ == "__main__":
    write_random_play(
        TARGET,
        GAMES,
        script="plugins/games/diplomacy/scripts/make_random_play.py",
        known=RANDOM_PLAY,
        anew=sys.argv[1:],
    )

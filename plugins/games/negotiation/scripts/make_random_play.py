"""Writes what random play earns in the negotiation, for its facts.

    python plugins/games/negotiation/scripts/make_random_play.py [NAME ...]

Without names it finds what is missing, with names it finds these anew.
"""

import sys
from pathlib import Path
from typing import Final

from arena_game_negotiation.negotiation import Negotiation
from arena_game_negotiation.random_play import RANDOM_PLAY
from arena_testing import write_random_play

TARGET: Final = Path(__file__).parents[1] / "src/arena_game_negotiation/random_play.py"
GAMES: Final = {
    "negotiation": (Negotiation(), 2, 10_000),
}
"""A game, its players, and the number of its random matches where it is too large to be enumerated."""

if __name__ == "__main__":
    write_random_play(
        TARGET,
        GAMES,
        script="plugins/games/negotiation/scripts/make_random_play.py",
        known=RANDOM_PLAY,
        anew=sys.argv[1:],
    )

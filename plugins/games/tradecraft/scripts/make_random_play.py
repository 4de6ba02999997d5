"""Writes what random play earns in TradeCraft with the problems of its suites, for its facts.

    python plugins/games/tradecraft/scripts/make_random_play.py [NAME ...]

Without names it finds what is missing, with names it finds these anew.
"""

import sys
from pathlib import Path
from typing import Final

from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.random_play import RANDOM_PLAY
from arena_testing import write_random_play

TARGET: Final = Path(__file__).parents[1] / "src/arena_game_tradecraft/random_play.py"
MATCHES: Final = 400
SIZES: Final = {1: "solo", 2: "pairs", 3: "trios", 5: "fives"}
PROBLEMS: Final = (
    *((TradeCraft(problems=name), 2) for name in ("paper", "paper#1", "paper#2", "paper#3", "paper#4", "paper#5")),
    (TradeCraft(problems="paper#1", max_turns=3), 2),
    *((TradeCraft(problems=f"minecraft-{size}"), n) for n, size in SIZES.items()),
    *((TradeCraft(ruleset="alchemy", problems=f"alchemy-{size}"), n) for n, size in SIZES.items() if n <= 3),
    (TradeCraft(ruleset="workshop", problems="workshop"), 2),
)
GAMES: Final = {game.configuration(players): (game, players, MATCHES) for game, players in PROBLEMS}
"""A game, its players, and the number of its random matches."""

if __name__ == "__main__":
    write_random_play(
        TARGET,
        GAMES,
        script="plugins/games/tradecraft/scripts/make_random_play.py",
        known=RANDOM_PLAY,
        anew=sys.argv[1:],
    )

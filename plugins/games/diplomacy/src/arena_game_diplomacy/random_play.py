"""What uniform random play earns; written by ``plugins/games/diplomacy/scripts/make_random_play.py``."""

from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {
    "diplomacy": RandomReference(
        returns=(0.17236, 0.106084, 0.170381, 0.15186, 0.065973, 0.215541, 0.117802),
        errors=(0.008827, 0.007404, 0.00833, 0.009192, 0.005437, 0.011981, 0.007675),
        wins=(0.15, 0.095, 0.105, 0.135, 0.02, 0.24, 0.075),
        draws=0.18,
        turns=1169.285,
        n=200,
        source="random matches stated by the game",
    ),
}

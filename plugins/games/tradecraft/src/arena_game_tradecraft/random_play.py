"""What uniform random play earns; written by ``plugins/games/tradecraft/scripts/make_random_play.py``."""

from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {
    "minecraft: paper, 15 turns, 2 players": RandomReference(
        returns=(0.36, 0.0075),
        errors=(0.048805, 0.0075),
        wins=(0.12, 0.0025),
        draws=0.8775,
        turns=75.1825,
        n=400,
        source="random matches stated by the game",
    ),
    "minecraft: paper#1, 15 turns, 2 players": RandomReference(
        returns=(0.42, 0.0225),
        errors=(0.052113, 0.012958),
        wins=(0.14, 0.0075),
        draws=0.8525,
        turns=73.345,
        n=400,
        source="random matches stated by the game",
    ),
    "minecraft: paper#2, 15 turns, 2 players": RandomReference(
        returns=(0.0675, 0.0075),
        errors=(0.022273, 0.0075),
        wins=(0.0225, 0.0025),
        draws=0.975,
        turns=77.8725,
        n=400,
        source="random matches stated by the game",
    ),
    "minecraft: paper#3, 15 turns, 2 players": RandomReference(
        returns=(0.0675, 0.0),
        errors=(0.022273, 0.0),
        wins=(0.0225, 0.0),
        draws=0.9775,
        turns=77.9975,
        n=400,
        source="random matches stated by the game",
    ),
}

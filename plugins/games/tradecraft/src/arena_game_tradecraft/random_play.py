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
    "minecraft: paper#4, 15 turns, 2 players": RandomReference(
        returns=(0.5925, 0.0075),
        errors=(0.059792, 0.0075),
        wins=(0.1975, 0.0025),
        draws=0.8,
        turns=73.0675,
        n=400,
        source="random matches stated by the game",
    ),
    "minecraft: paper#5, 15 turns, 2 players": RandomReference(
        returns=(0.5925, 0.0),
        errors=(0.059792, 0.0),
        wins=(0.1975, 0.0),
        draws=0.8025,
        turns=73.1925,
        n=400,
        source="random matches stated by the game",
    ),
    "minecraft: paper#1, 3 turns, 2 players": RandomReference(
        returns=(0.0525, 0.0075),
        errors=(0.019693, 0.0075),
        wins=(0.0175, 0.0025),
        draws=0.98,
        turns=18.72,
        n=400,
        source="random matches stated by the game",
    ),
    "minecraft: minecraft-solo, 15 turns, 1 players": RandomReference(
        returns=(0.7275,),
        errors=(0.06437,),
        wins=(1.0,),
        draws=0.0,
        turns=20.8175,
        n=400,
        source="random matches stated by the game",
    ),
}

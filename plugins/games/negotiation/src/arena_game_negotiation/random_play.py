"""What uniform random play earns; written by ``plugins/games/negotiation/scripts/make_random_play.py``."""

from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {
    "negotiation": RandomReference(
        returns=(4.7049, 4.6231),
        errors=(0.035334, 0.03488),
        wins=(0.4434, 0.4326),
        draws=0.124,
        turns=3.7752,
        n=10_000,
        source="random matches stated by the game",
    ),
}

"""What uniform random play earns; written by ``plugins/games/grid/scripts/make_random_play.py``."""

from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {
    "3 x 3, 3 in a line": RandomReference(
        returns=(0.296825396825, -0.296825396825),
        errors=(),
        deviations=(0.885951780186, 0.885951780186),
        wins=(0.584920634921, 0.288095238095),
        draws=0.126984126984,
        turns=7.62619047619,
        n=0,
        source="all matches enumerated",
    ),
    "6 x 7, 4 in a line, falling": RandomReference(
        returns=(0.1269, -0.1269),
        errors=(0.009908, 0.009908),
        wins=(0.5623, 0.4354),
        draws=0.0023,
        turns=21.2673,
        n=10_000,
        source="random matches stated by the game",
    ),
    "15 x 15, 5 in a line": RandomReference(
        returns=(0.01, -0.01),
        errors=(0.022365, 0.022365),
        wins=(0.505, 0.495),
        draws=0.0,
        turns=108.205,
        n=2_000,
        source="random matches stated by the game",
    ),
}

"""What uniform random play earns; written by ``plugins/games/openspiel/scripts/make_random_play.py``."""

from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {
    "tic-tac-toe": RandomReference(
        returns=(0.296825396825, -0.296825396825),
        errors=(),
        wins=(0.584920634921, 0.288095238095),
        draws=0.126984126984,
        turns=7.62619047619,
        n=0,
        source="all matches enumerated",
    ),
    "kuhn-poker": RandomReference(
        returns=(0.125, -0.125),
        errors=(),
        wins=(0.5625, 0.4375),
        draws=0.0,
        turns=2.25,
        n=0,
        source="all matches enumerated",
    ),
    "leduc-poker": RandomReference(
        returns=(-0.078125, 0.078125),
        errors=(),
        wins=(0.494791666667, 0.427083333333),
        draws=0.078125,
        turns=4.0625,
        n=0,
        source="all matches enumerated",
    ),
    "connect-four 6 x 7, 4 in a line": RandomReference(
        returns=(0.10953, -0.10953),
        errors=(0.003139, 0.003139),
        wins=(0.55352, 0.44399),
        draws=0.00249,
        turns=21.30868,
        n=100_000,
        source="random matches stated by the game",
    ),
    "connect-four 4 x 5, 3 in a line": RandomReference(
        returns=(0.22665, -0.22665),
        errors=(0.006887, 0.006887),
        wins=(0.61325, 0.3866),
        draws=0.00015,
        turns=9.75515,
        n=20_000,
        source="random matches stated by the game",
    ),
    "hex 11 x 11": RandomReference(
        returns=(0.0196, -0.0196),
        errors=(0.014141, 0.014141),
        wins=(0.5098, 0.4902),
        draws=0.0,
        turns=107.3742,
        n=5_000,
        source="random matches stated by the game",
    ),
    "go 9 x 9, komi 7.5": RandomReference(
        returns=(-0.2332, 0.2332),
        errors=(0.013745, 0.013745),
        wins=(0.3828, 0.616),
        draws=0.0012,
        turns=118.3968,
        n=5_000,
        source="random matches stated by the game",
    ),
    "chess": RandomReference(
        returns=(-0.0075, 0.0075),
        errors=(0.008761, 0.008761),
        wins=(0.073, 0.0805),
        draws=0.8465,
        turns=340.561,
        n=2_000,
        source="random matches stated by the game",
    ),
}

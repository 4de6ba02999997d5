from collections.abc import Mapping
from typing import Final

from arena.game import RandomReference

RANDOM_PLAY: Final[Mapping[str, RandomReference]] = {}

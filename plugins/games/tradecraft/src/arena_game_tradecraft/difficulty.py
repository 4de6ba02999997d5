"""How hard a problem is: the fewest crafts and trades for its targets, and whether all can be held at once.

As in TradeCraft (section 2.3) the score of a target is the length of its crafting chain times the trades it takes.
These findings are stored with a problem, so reading them needs no search. What no search has settled is ``"unknown"``.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import attrs

Finding: TypeAlias = int | Literal["unknown", "impossible"]
"""A proved minimum; ``"impossible"`` if a target is proved out of reach, ``"unknown"`` if nothing is proved."""

Truth: TypeAlias = bool | Literal["unknown"]

BANDS: Final[Mapping[str, tuple[int, int | None]]] = {"easy": (0, 3), "medium": (4, 8), "hard": (9, None)}
"""The lowest and highest score of each level."""

UNKNOWN: Final = "unknown"
IMPOSSIBLE: Final = "impossible"
WORDS: Final[tuple[Literal["impossible"], Literal["unknown"]]] = (IMPOSSIBLE, UNKNOWN)
"""The words that may replace a number; the first one wins if both occur."""


@attrs.frozen
class Difficulty:
    """What has been proved of each target, in the order of the players."""

    chain: tuple[Finding, ...] = attrs.field(
        metadata={"help": "crafts from all hands together to the target, at least"}
    )
    trades: tuple[Finding, ...] = attrs.field(
        metadata={"help": "accepted proposals, of one kind each way, until its player holds it, at least"}
    )
    kinds: tuple[Finding, ...] = attrs.field(metadata={"help": "kinds of item that must change hands, at least"})
    jointly: Truth = attrs.field(metadata={"help": "whether all targets can be held at once"})

    def __attrs_post_init__(self) -> None:
        if not len(self.chain) == len(self.trades) == len(self.kinds):
            raise ValueError(
                "expected one number a player in chain, trades and kinds alike, got "
                f"{len(self.chain)}, {len(self.trades)} and {len(self.kinds)}"
            )
        for name, findings in (("chain", self.chain), ("trades", self.trades), ("kinds", self.kinds)):
            for i, found in enumerate(findings):
                if (found not in WORDS) if isinstance(found, str) else (type(found) is not int or found < 0):
                    raise ValueError(
                        f"{name}[{i}]: expected a whole number of at least 0, 'unknown' or 'impossible', got {found!r}"
                    )
        if self.jointly is not True and self.jointly is not False and self.jointly != UNKNOWN:
            raise ValueError(f"jointly: expected true, false or 'unknown', got {self.jointly!r}")

    @property
    def players(self) -> int:
        """The number of targets, one for each player."""
        return len(self.chain)

    def score(self, player: int) -> Finding:
        """The chain length of one target times its trades; no trade counts as one."""
        parts = self.chain[player], self.trades[player]
        for word in WORDS:
            if word in parts:
                return word
        chain, trades = parts
        return int(chain) * max(1, int(trades))

    @property
    def hardest(self) -> Finding:
        """The greatest score of any target, which is the score of the problem."""
        scores = [self.score(player) for player in range(self.players)]
        for word in WORDS:
            if word in scores:
                return word
        return max(map(int, scores))

    @property
    def level(self) -> str:
        """``"easy"``, ``"medium"`` or ``"hard"`` by the hardest target, or ``"unknown"`` or ``"impossible"``."""
        return level_of(self.hardest)


def level_of(score: Finding) -> str:
    """The level of a score; ``"unknown"`` and ``"impossible"`` are returned unchanged."""
    if isinstance(score, str):
        return score
    return next(level for level, (_, last) in BANDS.items() if last is None or score <= last)

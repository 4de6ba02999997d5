"""The rows of one group of moves, such as those of an agent in a game, and what they come to."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attrs
from arena.metric import Estimate, Row
from arena_metric_outcomes.results import grouped
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.tallies import entropy

MOVE = "reasoning"
"""One for each move: its category, ``None`` where no reasoning was given; words and mentions are in the detail."""

ALL_GAMES = "all games"
ALL_AGENTS = "all agents"


@attrs.frozen(eq=False)
class Moves:
    """Rows of moves, in a fixed order; ``level`` is that of all intervals."""

    rows: Sequence[Row]
    level: float

    @property
    def spoken(self) -> "Moves":
        """Those for which a reasoning was given."""
        return Moves([row for row in self.rows if row.value is not None], self.level)

    @property
    def silent(self) -> int:
        """For how many no reasoning was given."""
        return sum(row.value is None for row in self.rows)

    @property
    def labels(self) -> list[str]:
        """The categories, one for each move with reasoning."""
        return [str(row.value) for row in self.rows if row.value is not None]

    @property
    def blocks(self) -> list[str]:
        """What each row belongs to, for intervals."""
        return [row.block for row in self.rows]

    @property
    def unit(self) -> str:
        """What the independent units are called."""
        return "matches" if len({row.match for row in self.rows}) == len(set(self.blocks)) else "blocks"

    def share(self, hits: Sequence[bool]) -> Estimate:
        """A share of the rows."""
        return share(hits, clusters=self.blocks, level=self.level)

    def of(self, category: str) -> Estimate:
        """How many of the moves with reasoning are of a category."""
        return self.spoken.share([row.value == category for row in self.spoken.rows])

    def mean(self, name: str) -> Estimate:
        """The mean of a detail of the moves with reasoning."""
        rows = self.spoken.rows
        values = [float(detail(row)[name]) for row in rows]
        return mean(values, clusters=[row.block for row in rows], level=self.level, bounds=(0.0, None))

    def entropy(self, *, is_corrected: bool) -> Estimate:
        """The entropy of the categories, in bits."""
        spoken = self.spoken
        method = "Miller-Madow" if is_corrected else "plug-in"
        return entropy(spoken.labels, clusters=spoken.blocks, method=method, level=self.level, unit=self.unit)

    def by_turn(self) -> dict[int, "Moves"]:
        """The moves by the turn of their player, counted from 0."""
        return {
            int(turn): Moves(own, self.level)
            for (turn,), own in sorted(grouped(self.rows, "turn").items(), key=lambda item: int(item[0][0]))
        }


def detail(row: Row) -> Mapping[str, Any]:
    """What was written down beside a value."""
    return cast("Mapping[str, Any]", row.detail)


def ordered(rows: Iterable[Row], name: str) -> list[Row]:
    """The rows of one measurement, in an order that does not depend on theirs."""
    own = (row for row in rows if row.name == name)
    return sorted(own, key=lambda row: (row.game, row.match, row.player or 0, row.turn or 0))


def groups(rows: Sequence[Row], level: float) -> dict[tuple[str, str], Moves]:
    """By game and agent; then each game over its agents that speak, and each agent over its games.

    Sums over one alone are left out.
    """
    found = dict(sorted(grouped(rows, "game", "agent").items()))
    speaking = Counter(game for (game, _), own in found.items() if any(row.value is not None for row in own))
    for (game,), own in sorted(grouped(rows, "game").items()):
        if speaking[game] > 1:
            found[game, ALL_AGENTS] = own
    if len({game for game, *_ in found}) > 1:
        found |= {(ALL_GAMES, agent): own for (agent,), own in sorted(grouped(rows, "agent").items())}
    return {(key[0], key[1]): Moves(own, level) for key, own in found.items()}

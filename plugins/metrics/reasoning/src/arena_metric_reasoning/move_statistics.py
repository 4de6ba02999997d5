"""Statistics over a group of moves, such as those of one agent in one game."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attrs
from arena.metric import MeasurementRow
from arena.tables import Estimate
from arena_metric_outcomes.results import grouped
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.tallies import entropy

MOVE = "reasoning"
"""The name of the measurement per move: its category, or ``None`` if no reasoning was given.

Words and mentions are in its detail.
"""

ALL_GAMES = "all games"
ALL_AGENTS = "all agents"


@attrs.frozen(eq=False)
class Moves:
    """Rows of moves in a fixed order; ``level`` is the confidence level of all intervals."""

    rows: Sequence[MeasurementRow]
    level: float

    @property
    def spoken(self) -> "Moves":
        """The moves for which reasoning was given."""
        return Moves([row for row in self.rows if row.value is not None], self.level)

    @property
    def silent(self) -> int:
        """The number of moves without reasoning."""
        return sum(row.value is None for row in self.rows)

    @property
    def labels(self) -> list[str]:
        """The category of each move with reasoning."""
        return [str(row.value) for row in self.rows if row.value is not None]

    @property
    def blocks(self) -> list[str]:
        """The independent unit of each row, for intervals: its rotation block."""
        return [row.block for row in self.rows]

    @property
    def unit(self) -> str:
        """The name of the independent units."""
        return "matches" if len({row.match for row in self.rows}) == len(set(self.blocks)) else "blocks"

    def share(self, hits: Sequence[bool]) -> Estimate:
        """The share of rows for which ``hits`` is true, with an interval."""
        return share(hits, clusters=self.blocks, level=self.level)

    def of(self, category: str) -> Estimate:
        """The share of moves with reasoning that belong to ``category``."""
        return self.spoken.share([row.value == category for row in self.spoken.rows])

    def mean(self, name: str) -> Estimate:
        """The mean of a number in the detail, over the moves with reasoning."""
        rows = self.spoken.rows
        values = [float(detail(row)[name]) for row in rows]
        return mean(values, clusters=[row.block for row in rows], level=self.level, bounds=(0.0, None))

    def entropy(self, *, is_corrected: bool) -> Estimate:
        """The entropy of the categories in bits; ``is_corrected`` applies Miller and Madow's correction."""
        spoken = self.spoken
        method = "Miller-Madow" if is_corrected else "plug-in"
        return entropy(spoken.labels, clusters=spoken.blocks, method=method, level=self.level, unit=self.unit)

    def by_turn(self) -> dict[int, "Moves"]:
        """The moves by the turn of their player, which counts from 0."""
        return {
            int(turn): Moves(own, self.level)
            for (turn,), own in sorted(grouped(self.rows, "turn").items(), key=lambda item: int(item[0][0]))
        }


def detail(row: MeasurementRow) -> Mapping[str, Any]:
    """The detail of a row, as a mapping."""
    return cast("Mapping[str, Any]", row.detail)


def ordered(rows: Iterable[MeasurementRow], name: str) -> list[MeasurementRow]:
    """The rows of one measurement, sorted so that the order in which they were measured does not matter."""
    own = (row for row in rows if row.name == name)
    return sorted(own, key=lambda row: (row.game, row.match, row.player or 0, row.turn or 0))


def groups(rows: Sequence[MeasurementRow], level: float) -> dict[tuple[str, str], Moves]:
    """Moves by game and agent; then each game over its agents, and each agent over its games.

    Agents that gave no reasoning do not enter sums, and sums over a single item are left out.
    """
    found = dict(sorted(grouped(rows, "game", "agent").items()))
    speaking = Counter(game for (game, _), own in found.items() if any(row.value is not None for row in own))
    for (game,), own in sorted(grouped(rows, "game").items()):
        if speaking[game] > 1:
            found[game, ALL_AGENTS] = own
    if len({game for game, *_ in found}) > 1:
        found |= {(ALL_GAMES, agent): own for (agent,), own in sorted(grouped(rows, "agent").items())}
    return {(key[0], key[1]): Moves(own, level) for key, own in found.items()}

"""One agent's matches in one game and form of observation, and the numbers of the grid-game competitions in them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Estimate
from arena_metric_opportunities.opportunity_figures import form_shown, name_without_prompt
from arena_metric_statistics.means import mean, ratio
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_share

from arena_suite_grid_games.published_game import NO_FORM

SEATS: Final = ("1st", "2nd")


@attrs.frozen(eq=False)
class Pool:
    """One agent's matches in one form, in one game or in all."""

    game: str
    form: str
    agent: str
    rows: Sequence[MeasurementRow]
    table: Measurements

    def seat(self, seat: int) -> "Pool":
        """The matches in which the agent sat there."""
        return attrs.evolve(self, rows=[row for row in self.rows if row.player == seat])

    def values(self, name: str) -> list[float]:
        """One count of each match."""
        return [float(cast("Mapping[str, Any]", row.detail).get(name, 0)) for row in self.rows]

    def rate(self, name: str) -> float:
        """A count per match, 0 without a match."""
        values = self.values(name)
        return sum(values) / len(values) if values else 0.0

    def share(self, name: str) -> Estimate | None:
        """The share of matches in which something was counted."""
        if not self.rows:
            return None
        hits = [bool(value) for value in self.values(name)]
        return share(hits, clusters=self._blocks(), level=self.table.level)

    def count(self, name: str) -> int:
        """A count over all matches."""
        return int(sum(self.values(name)))

    def per_match(self, name: str) -> Estimate:
        """A count per match, with its interval."""
        return mean(self.values(name), clusters=self._blocks(), level=self.table.level, bounds=(0.0, None))

    def invalid(self, name: str = "invalid") -> Estimate | None:
        """The invalid moves by all moves that were tried."""
        tried = [
            (i, m, row.block) for i, m, row in zip(self.values(name), self.values("moves"), self.rows, strict=True) if m
        ]
        if not tried:
            return None
        invalid, moves, blocks = zip(*tried, strict=True)
        return ratio(invalid, moves, clusters=blocks, level=self.table.level, bounds=(0.0, 1.0))

    def random(self, seat: int) -> Estimate | None:
        """How often random legal play wins in this seat against itself, in as many matches."""
        reference = self.table.baselines.get(self.game)
        if reference is None or len(reference.random_wins) != len(SEATS):
            return None
        wins, played = reference.random_wins[seat], reference.random_n
        return random_share(wins, len(self.seat(seat).rows), played, level=self.table.level)

    def _blocks(self) -> list[str]:
        return [row.block for row in self.rows]


def pools(rows: Iterable[MeasurementRow], table: Measurements) -> list[Pool]:
    """The rows of each agent in each game and form of observation; the form is that of the agents' configurations."""
    found: dict[tuple[str, str, str], list[MeasurementRow]] = {}
    for row in rows:
        form, agent = form_shown(table, row.agents), name_without_prompt(table, str(row.agent))
        key = (row.game, form or NO_FORM, agent)
        found.setdefault(key, []).append(row)
    return [Pool(*key, own, table) for key, own in found.items()]

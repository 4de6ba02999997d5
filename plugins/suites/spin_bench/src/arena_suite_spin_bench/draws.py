"""The metric ``solver-draws``: how often agents hold a draw against solvers, as in SPIN-Bench's table 8."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Column, Section, Table
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_share

ALL = "all"
"""The name of the row that adds up several solvers of one game."""


@attrs.frozen(kw_only=True)
class SolverDraws(Metric):
    """Draws, wins and losses against each solver, beside those of random play in the same run.

    A match that an agent loses by illegal moves is a loss, whether the other one is given the win or not.
    """

    solvers: tuple[str, ...] = attrs.field(
        default=("minimax", "perfect", "stockfish-*"),
        metadata={"help": "the names of agents that are solvers; * stands for any letters"},
    )
    random: str = attrs.field(default="random", metadata={"help": "the agent that plays at random"})

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per player of a match of two: 1 if it won, 0 if it drew, -1 if it lost."""
        record = match.record
        if record.is_blameless or len(record.agents) != 2:
            return
        returns = record.returns or [-float(player in record.at_fault) for player in (0, 1)]
        for player in (0, 1):
            mine, other = returns[player], returns[1 - player]
            yield Measurement(name="result", value=(mine > other) - (mine < other), player=Player(player))

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """One table, by game, agent and solver."""
        groups: dict[tuple[str, str, str], list[MeasurementRow]] = {}
        for row in measurements.rows_named("result"):
            assert row.player is not None
            solver = row.agents[1 - row.player]
            if self._is_solver(solver) and not self._is_solver(str(row.agent)):
                groups.setdefault((row.game, str(row.agent), solver), []).append(row)
        for game, agent, _ in list(groups):
            own = [rows for key, rows in groups.items() if key[:2] == (game, agent) and key[2] != ALL]
            if len(own) > 1:
                groups[game, agent, ALL] = [row for rows in own for row in rows]
        text = (
            "The share of matches against a solver that end in a draw. Nobody beats an exact solver, so a draw is the "
            "best there; in connect four the solver wins whenever it moves first, and from every position in which "
            "its opponent has made a mistake."
        )
        if not groups:
            text = "No match was played against a solver; name those agents in 'solvers'."
        yield Section(title="Draws against solvers", tables=self._tables(measurements, groups), text=text)

    def _is_solver(self, agent: str) -> bool:
        return any(fnmatchcase(agent, pattern) for pattern in self.solvers)

    def _tables(
        self, table: Measurements, groups: dict[tuple[str, str, str], list[MeasurementRow]]
    ) -> tuple[Table, ...]:
        lines: list[tuple[Cell, ...]] = []
        for (game, agent, solver), rows in sorted(groups.items(), key=_order):
            results = [row.value for row in rows]
            by_chance = groups.get((game, self.random, solver))
            lines.append(
                (
                    *(game, agent, solver, len(rows)),
                    *(results.count(result) for result in (1, 0, -1)),
                    _drawn(table, rows),
                    _at_random(by_chance, len(rows), table.level) if by_chance else None,
                )
            )
        columns = (
            Column(name="game", title="game"),
            Column(name="agent", title="agent"),
            Column(name="solver", title="solver"),
            Column(name="matches", title="matches", style="count"),
            Column(name="won", title="won", style="count"),
            Column(name="drawn", title="drawn", style="count"),
            Column(name="lost", title="lost", style="count"),
            Column(name="draws", title="draws", style="share"),
            Column(name="random", title="random play", style="share"),
        )
        return (Table(title="Draws against solvers", columns=columns, rows=tuple(lines)),) if lines else ()


def _order(item: tuple[tuple[str, str, str], Sequence[MeasurementRow]]) -> tuple[str, str, bool, int, str]:
    game, agent, solver = item[0]
    return game, agent, solver == ALL, len(solver), solver


def _at_random(rows: Sequence[MeasurementRow], n: int, level: float) -> Cell:
    """The share of ``n`` matches that random play draws, as it was seen in ``rows``."""
    return random_share(sum(row.value == 0 for row in rows) / len(rows), n, len(rows), level=level)


def _drawn(table: Measurements, rows: Sequence[MeasurementRow]) -> Cell:
    return share([row.value == 0 for row in rows], clusters=[row.block for row in rows], level=table.level)

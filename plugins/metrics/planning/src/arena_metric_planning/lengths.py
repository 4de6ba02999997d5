"""Accuracy over the length of tasks, trajectories and walks: a table, and a figure with a fitted curve."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import attrs
from arena.tables import Cell, Estimate, Figure, Table
from arena_metric_outcomes.columns import counts, shares, text

from arena_metric_planning.curves import LengthCurve, fit
from arena_metric_planning.results import MeasuredResult, accuracy, by_agent, noun

EDGES: Final = (0, 5, 10, 20, 30, 50, 100, 200, 500)
"""Where the ranges of lengths begin in which many different lengths are taken together."""

_SINGLE: Final = 30
"""Up to how many different lengths each stands alone."""


@attrs.frozen
class LengthRange:
    """A range of lengths with the mean of the lengths in it; ``last`` is ``None`` if it has no end."""

    first: int
    last: int | None
    mean: float

    @property
    def title(self) -> str:
        """The range in words."""
        if self.last is None:
            return f"{self.first} and more"
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"

    def holds(self, length: int | None) -> bool:
        """Whether a length lies in it."""
        return length is not None and self.first <= length and (self.last is None or length <= self.last)


@attrs.frozen
class Lengths:
    """Accuracy over length in one game; ``what`` names what has the length."""

    game: str
    what: str
    agents: Mapping[str, Sequence[MeasuredResult]]
    level: float

    def ranges(self) -> list[LengthRange]:
        """The lengths that occur: each alone, or in ranges if they are many; the same for all agents."""
        found = {r.unit: r.steps for results in self.agents.values() for r in results if r.steps is not None}
        known = sorted(found.values())
        if len(set(known)) <= _SINGLE:
            return [LengthRange(length, length, float(length)) for length in sorted(set(known))]
        ends = [(first, following - 1) for first, following in pairwise(EDGES)]
        made: list[LengthRange] = []
        for first, last in (*ends, (EDGES[-1], None)):
            within = [length for length in known if LengthRange(first, last, 0.0).holds(length)]
            if within:
                made.append(LengthRange(first, last, sum(within) / len(within)))
        return made

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """For each agent and range the accuracy and what the curve says there."""
        for agent, results in self.agents.items():
            curve = curve_of(results)
            for range_ in self.ranges():
                within = [result for result in results if range_.holds(result.steps)]
                if within:
                    fitted = None if curve is None else curve.at(range_.mean, self.level, noun(results))
                    yield self.game, agent, range_.title, len(within), accuracy(within, self.level), fitted

    def figure(self) -> Figure | None:
        """What was observed and the fitted curves; ``None`` for fewer than two lengths."""
        ranges = self.ranges()
        if len(ranges) < 2:
            return None
        series: dict[str, tuple[Estimate | None, ...]] = {}
        for agent, results in self.agents.items():
            curve = curve_of(results)
            groups = [[result for result in results if range_.holds(result.steps)] for range_ in ranges]
            series[agent] = tuple(accuracy(within, self.level) if within else None for within in groups)
            if curve is not None:
                series[f"{agent}, fitted"] = tuple(curve.at(r.mean, self.level, noun(results)) for r in ranges)
        return Figure(
            kind="line",
            title=f"{self.game}: accuracy over {self.what}",
            x=tuple(range_.mean for range_ in ranges),
            series=series,
            x_title=self.what,
            y_title="accuracy",
            note="Fitted: a logistic curve on the logarithm of the length, with its band. Tables say n.",
        )


def curve_of(results: Sequence[MeasuredResult]) -> LengthCurve | None:
    """The curve through the results of one agent; repeats of a task are one observation, the share of them solved."""
    repeats: dict[str, list[MeasuredResult]] = {}
    for result in results:
        if result.steps is not None:
            repeats.setdefault(result.unit, []).append(result)
    lengths = [float(own[0].steps or 0) for own in repeats.values()]
    return fit(lengths, [sum(r.is_right for r in own) / len(own) for own in repeats.values()])


def over_length(
    title: str, what: str, results: Sequence[MeasuredResult], level: float
) -> tuple[tuple[Table, ...], tuple[Figure, ...]]:
    """The table of accuracy over length for all games, and a figure for each."""
    games: dict[str, dict[str, Sequence[MeasuredResult]]] = {}
    for (game, agent), own in by_agent(results).items():
        games.setdefault(game, {})[agent] = own
    made = [Lengths(game, what, agents, level) for game, agents in games.items()]
    rows = tuple(row for each in made for row in each.rows())
    columns = (*text("game", "agent", what), *counts("matches"), *shares("accuracy", "fitted"))
    table = Table(
        title=title,
        columns=columns,
        rows=rows,
        note="Fitted: a logistic curve on the logarithm of the length through all results of the agent, with its band.",
    )
    figures = tuple(figure for each in made if (figure := each.figure()) is not None)
    return (table,) if rows else (), figures

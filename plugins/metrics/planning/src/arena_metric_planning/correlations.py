"""How accuracy by domain goes with the number of legal actions and with the size of the state-action space."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

import attrs
from arena.tables import Cell, Estimate, Figure, Table
from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_statistics.numerics import Floats, np
from arena_metric_statistics.resampling import Statistic, bootstrap

from arena_metric_planning.results import PlanResult, accuracy, by_agent

MEASURES: Final = {"legal_actions": "legal actions per step", "state_space": "log10 of the state-action space"}
"""The two measures of a task, with their titles."""

LEAST: Final = 4
"""The fewest domains for which a correlation is computed."""

_NOTE: Final = (
    "Each domain is one observation: its accuracy, and the mean of the measure over its tasks. Legal actions: the mean "
    "number of applicable actions along the reference plan. State-action space: the number of states times that mean, "
    "counted by search, or bounded from above where that would take too long. Intervals by resampling domains."
)


@attrs.frozen
class DomainPoint:
    """One domain in a figure of one agent."""

    domain: str
    measure: float
    accuracy: Estimate


def pearson(rows: Floats) -> float:
    """The correlation of two columns; zero where one of them does not vary."""
    first, second = rows[:, 0] - rows[:, 0].mean(), rows[:, 1] - rows[:, 1].mean()
    scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / scale if scale > 0 else 0.0


def spearman(rows: Floats) -> float:
    """The correlation of the ranks of two columns; equal values share their mean rank."""
    return pearson(np.column_stack([_ranks(rows[:, 0]), _ranks(rows[:, 1])]))


def _ranks(values: Floats) -> Floats:
    _, places, times = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(times) - (times - 1) / 2)[places].astype(float)


@attrs.frozen
class Correlations:
    """Correlations over domains; ``marked`` are domains that are also looked at alone."""

    results: Sequence[PlanResult]
    marked: Sequence[str]
    level: float
    seed: int

    def tables(self) -> Iterator[Table]:
        """The table of correlations, if there are enough domains."""
        rows: list[tuple[Cell, ...]] = []
        for (game, agent), own in by_agent(self.results).items():
            for measure, title in MEASURES.items():
                points = domain_points(own, measure, self.level)
                rows += self._rows((game, agent, title), points, "all")
                rows += self._rows((game, agent, title), [p for p in points if p.domain in self.marked], "marked")
        if rows:
            columns = (*text("game", "agent", "accuracy against", "domains taken"), *counts("domains"))
            columns = (*columns, *numbers("Spearman", "Pearson"))
            yield Table(title="Accuracy and the size of tasks", columns=columns, rows=tuple(rows), note=_NOTE)

    def _rows(self, key: tuple[str, ...], points: Sequence[DomainPoint], which: str) -> Iterator[tuple[Cell, ...]]:
        if len(points) < LEAST:
            return
        values = np.array([[point.measure, point.accuracy.value or 0.0] for point in points])
        yield (*key, which, len(points), *(self._estimate(values, of) for of in (spearman, pearson)))

    def _estimate(self, values: Floats, statistic: Statistic) -> Estimate | None:
        if np.ptp(values[:, 0]) == 0 or np.ptp(values[:, 1]) == 0:
            return None  # what does not vary is correlated with nothing
        return bootstrap(values, statistic, method="percentile", level=self.level, seed=self.seed, unit="domains")

    def figures(self) -> Iterator[Figure]:
        """For each game and measure, the accuracy of each agent in each domain."""
        games: dict[str, dict[str, list[PlanResult]]] = {}
        for (game, agent), own in by_agent(self.results).items():
            games.setdefault(game, {})[agent] = own
        for game, agents in games.items():
            for measure, title in MEASURES.items():
                yield from _figure(game, agents, measure, title, self.level)


def domain_points(results: Sequence[PlanResult], measure: str, level: float) -> list[DomainPoint]:
    """One point for each domain in which the measure of some task is known."""
    domains: dict[str, list[PlanResult]] = {}
    for result in results:
        if getattr(result, measure) is not None:
            domains.setdefault(result.domain, []).append(result)
    return [
        DomainPoint(domain, fmean({own.unit: getattr(own, measure) for own in each}.values()), accuracy(each, level))
        for domain, each in sorted(domains.items())
    ]


def _figure(
    game: str, agents: Mapping[str, Sequence[PlanResult]], measure: str, title: str, level: float
) -> Iterator[Figure]:
    found = {agent: {p.domain: p for p in domain_points(own, measure, level)} for agent, own in agents.items()}
    places = {domain: point.measure for points in found.values() for domain, point in points.items()}
    if len(places) < 2:
        return
    order = sorted(places, key=lambda domain: (places[domain], domain))
    yield Figure(
        kind="scatter",
        title=f"{game}: accuracy against {title}",
        x=tuple(places[domain] for domain in order),
        series={
            agent: tuple(points[domain].accuracy if domain in points else None for domain in order)
            for agent, points in found.items()
        },
        x_title=title,
        y_title="accuracy",
        note=f"One point for each domain, from left to right: {', '.join(order)}.",
    )

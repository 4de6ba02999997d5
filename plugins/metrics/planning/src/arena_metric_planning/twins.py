"""Results in disguised tasks beside those in the same tasks under their own names."""

from collections.abc import Mapping, Sequence

import attrs
from arena.tables import Cell, Estimate, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import mean

from arena_metric_planning.results import PlanResult, accuracy


@attrs.frozen
class _Pairs:
    """The results of one agent in the tasks that it was given both ways."""

    original: Sequence[PlanResult]
    disguised: Sequence[PlanResult]

    @property
    def differences(self) -> list[float]:
        """For each task, how much more often it was solved under its own names."""
        own, other = _solved(self.original), _solved(self.disguised)
        return [own[task] - other[task] for task in sorted(own)]


def twin_table(results: Sequence[PlanResult], level: float) -> Table:
    """For each agent, mode and disguise, accuracy both ways over the tasks that were given both ways."""
    rows: list[tuple[Cell, ...]] = []
    groups: dict[tuple[str, str], dict[str | None, list[PlanResult]]] = {}
    for result in results:
        groups.setdefault((result.agent, result.mode), {}).setdefault(result.disguise, []).append(result)
    for (agent, mode), ways in sorted(groups.items()):
        for disguise in sorted(way for way in ways if way is not None):
            pairs = _paired(ways, disguise)
            if pairs.original:
                both = accuracy(pairs.original, level), accuracy(pairs.disguised, level)
                gap = _difference(pairs.differences, level)
                rows.append((agent, mode, disguise, len(pairs.differences), *both, gap))
    columns = (*text("agent", "mode", "names are"), *counts("tasks"), *shares("own names", "disguised"))
    return Table(
        title="Tasks in disguise",
        columns=(*columns, *numbers("difference")),
        rows=tuple(rows),
        note=(
            "The same tasks with every name replaced. Difference: own names less disguised, task by task; above zero, "
            "the agent profits from names it may have met before."
        ),
    )


def _paired(ways: Mapping[str | None, Sequence[PlanResult]], disguise: str) -> _Pairs:
    plain, hidden = ways.get(None, ()), ways[disguise]
    shared = {result.task for result in plain} & {result.task for result in hidden}
    return _Pairs([r for r in plain if r.task in shared], [r for r in hidden if r.task in shared])


def _solved(results: Sequence[PlanResult]) -> dict[str, float]:
    found: dict[str, list[bool]] = {}
    for result in results:
        found.setdefault(result.task, []).append(result.is_right)
    return {task: sum(each) / len(each) for task, each in found.items()}


def _difference(differences: Sequence[float], level: float) -> Estimate:
    return mean(differences, level=level, bounds=(-1.0, 1.0), unit="tasks")

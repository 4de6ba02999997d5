"""Tables of planning: by agent, domain and class of domain, and what the domains are like."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Final

import attrs
from arena.tables import Cell, Column, Estimate, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text

from arena_metric_planning.results import (
    PlanResult,
    accuracy,
    by_agent,
    exactly,
    mean_of,
    ratio_of,
    share_of,
)

SPIN: Final = ("BC", "GS", "other")
"""SPIN-Bench's classes of errors: broken constraints, goal not satisfied, and all others."""

CUT_OFF: Final = "answer-truncated"
PERFECT: Final = "perfect play"
RANDOM: Final = "random play"

_NOTE: Final = (
    "Look-ahead is SPIN-Bench's N-step: the sum of the lengths of the reference plans of all tasks solved, over the "
    "number of tasks. At best: the same if all were solved; reached: the one over the other. BC: a constraint is "
    "broken (a step cannot be done, or does not exist), GS: the goal is not satisfied, other: there is no plan that "
    "can be read; of these, cut off: the answer ended at the token limit. Accuracy, BC, GS and other sum to 100%. "
    "Cost: of valid plans, over the reference plan's (its length where actions cost nothing). Matches about one task "
    "are one observation."
)
_CLASSES_NOTE: Final = "A domain with two classes counts in both."


@attrs.frozen
class PlanTables:
    """Tables of planning; ``random`` is what random play earns, by game."""

    results: Sequence[PlanResult]
    random: Mapping[str, Estimate | None]
    level: float

    def tables(self) -> Iterator[Table]:
        """All tables that have rows, in the order of the report."""
        yield self._by_agent()
        for made in (self._by_domain(), self._by_class(), self._domains()):
            if made.rows:
                yield made

    def _by_agent(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        games = dict.fromkeys(result.game for result in self.results)
        for game in games:
            for (_, agent), own in by_agent(r for r in self.results if r.game == game).items():
                rows.append((game, agent, len(own), *self._cells(own)))
            rows += self._baselines(game)
        return Table(
            title="Planning by agent",
            columns=(*text("game", "agent"), *counts("matches"), *_columns()),
            rows=tuple(rows),
            note=_NOTE,
        )

    def _baselines(self, game: str) -> Iterator[tuple[Cell, ...]]:
        if (random := self.random.get(game)) is not None:
            yield (game, RANDOM, random.n, random, *(None for _ in range(len(_columns()) - 1)))
        tasks = {result.unit: result for result in self.results if result.game == game}
        lengths = [result.reference_length for result in tasks.values() if result.reference_length is not None]
        if lengths and len(lengths) == len(tasks):
            best = fmean(lengths)
            all_, none = (exactly(share, len(tasks), "tasks") for share in (1.0, 0.0))
            yield (game, PERFECT, len(tasks), all_, best, best, all_, *(none for _ in SPIN), none, None)

    def _by_domain(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for (game, agent), own in by_agent(self.results).items():
            rows += [(game, domain, agent, len(each), *self._cells(each)) for domain, each in _grouped(own, _domain)]
        rows.sort(key=lambda row: (str(row[0]), str(row[1]), str(row[2])))
        columns = (*text("game", "domain", "agent"), *counts("matches"), *_columns())
        return Table(title="Planning by domain", columns=columns, rows=tuple(rows))

    def _by_class(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for (game, agent), own in by_agent(self.results).items():
            rows += [(game, name, agent, len(each), *self._cells(each)) for name, each in _grouped(own, _classes)]
        rows.sort(key=lambda row: (str(row[0]), str(row[1]), str(row[2])))
        columns = (*text("game", "class", "agent"), *counts("matches"), *_columns())
        return Table(title="Planning by class of domain", columns=columns, rows=tuple(rows), note=_CLASSES_NOTE)

    def _domains(self) -> Table:
        tasks = {result.unit: result for result in self.results}
        rows: list[tuple[Cell, ...]] = []
        for domain, each in _grouped(list(tasks.values()), _domain):
            lengths = [task.reference_length for task in each if task.reference_length is not None]
            spaces = [task.state_space for task in each if task.state_space is not None]
            counted = sum(bool(task.is_counted) for task in each if task.state_space is not None)
            rows.append(
                (
                    *(domain, ", ".join(each[0].classes) or None, len(each)),
                    median(lengths) if lengths else None,
                    max(lengths, default=None),
                    _mean([task.legal_actions for task in each if task.legal_actions is not None]),
                    _mean(spaces),
                    counted if spaces else None,
                )
            )
        columns = (
            *text("domain", "class"),
            *counts("tasks"),
            *numbers("median length"),
            *counts("greatest length"),
            *numbers("legal actions per step", "log10 of the state-action space"),
            *counts("counted"),
        )
        note = (
            "Of the tasks in this report: lengths of the reference plans, and means over tasks. Counted: of how many "
            "tasks the states were counted; of the others their number is bounded from above."
        )
        return Table(title="Domains", columns=columns, rows=tuple(rows), note=note)

    def _cells(self, results: Sequence[PlanResult]) -> tuple[Cell, ...]:
        return (
            accuracy(results, self.level),
            *look_ahead(results, self.level),
            *(share_of(results, [r.spin == spin for r in results], self.level) for spin in SPIN),
            share_of(results, [r.error == CUT_OFF for r in results], self.level),
            self._cost(results),
        )

    def _cost(self, results: Sequence[PlanResult]) -> Estimate | None:
        known = [(result, ratio) for result in results if (ratio := result.cost_ratio) is not None]
        if not known:
            return None
        return mean_of([result for result, _ in known], [ratio for _, ratio in known], self.level, (0.0, None))


def look_ahead(results: Sequence[PlanResult], level: float) -> tuple[Estimate | None, float | None, Estimate | None]:
    """SPIN-Bench's look-ahead in steps, what it would be at best, and the one over the other.

    Tasks without a reference plan are left out; without any task that has one, all three are ``None``.
    """
    known = [result for result in results if result.reference_length is not None]
    if not known:
        return None, None, None
    lengths = [float(result.reference_length or 0) for result in known]
    reached = [length * result.is_right for length, result in zip(lengths, known, strict=True)]
    steps = mean_of(known, reached, level, (0.0, max(lengths)))
    normalised = ratio_of(known, reached, lengths, level) if any(lengths) else None
    return steps, fmean(lengths), normalised


def _columns() -> tuple[Column, ...]:
    return (
        *shares("accuracy"),
        *numbers("look-ahead", "at best"),
        *shares("reached", *SPIN, "cut off"),
        *numbers("cost"),
    )


def _grouped(
    results: Sequence[PlanResult], names: Callable[[PlanResult], Iterable[str]]
) -> list[tuple[str, list[PlanResult]]]:
    found: dict[str, list[PlanResult]] = {}
    for result in results:
        for name in names(result):
            found.setdefault(name, []).append(result)
    return sorted(found.items())


def _domain(result: PlanResult) -> tuple[str, ...]:
    return (result.domain,)


def _classes(result: PlanResult) -> tuple[str, ...]:
    return result.classes


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None

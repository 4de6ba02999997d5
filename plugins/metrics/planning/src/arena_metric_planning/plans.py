"""Tables of planning: by agent, domain and class of domain, and what the domains are like."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Final, TypeAlias

import attrs
from arena.tables import Cell, Column, Estimate, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text

from arena_metric_planning.results import (
    PlanResult,
    accuracy,
    by_agent,
    exactly,
    in_as_many,
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
    "number of tasks. At best: the same if all were solved; reached: the one over the other. Matches about one task "
    "are one observation."
)
_ERRORS_NOTE: Final = (
    "BC: a constraint is broken (a step cannot be done, or does not exist), GS: the goal is not satisfied, other: "
    "there is no plan that can be read; of these, cut off: the answer ended at the token limit. Accuracy, BC, GS and "
    "other sum to 100%. Cost: of valid plans, over the reference plan's (its length where actions cost nothing)."
)
_CLASSES_NOTE: Final = "A domain with two classes counts in both."

Names: TypeAlias = Callable[[PlanResult], Iterable[str]]
"""The groups to which a result belongs."""

Kind: TypeAlias = tuple[tuple[Column, ...], Callable[[Sequence[PlanResult]], tuple[Cell, ...]]]
"""Columns of a table, and what they hold for some results."""


@attrs.frozen
class PlanTables:
    """Tables of planning; ``random`` is what random play earns, by game."""

    results: Sequence[PlanResult]
    random: Mapping[str, Estimate | None]
    level: float

    def tables(self) -> Iterator[Table]:
        """All tables that have rows, in the order of the report."""
        yield self._by_agent()
        yield self._by("domain", "Planning by domain", _domain, self._short)
        yield self._by("", "Errors by agent", lambda _: ("",), self._errors, _ERRORS_NOTE)
        yield self._by("domain", "Errors by domain", _domain, self._errors)
        if (classes := self._by("class", "Planning by class of domain", _classes, self._long, _CLASSES_NOTE)).rows:
            yield classes
        yield self._domains()

    def _by_agent(self) -> Table:
        columns, cells = self._long
        rows: list[tuple[Cell, ...]] = []
        for game in dict.fromkeys(result.game for result in self.results):
            for (_, agent), own in by_agent(r for r in self.results if r.game == game).items():
                rows.append((game, agent, len(own), *cells(own)))
            rows += self._baselines(game)
        titles = (*text("game", "agent"), *counts("matches"), *columns)
        return Table(title="Planning by agent", columns=titles, rows=tuple(rows), note=f"{_NOTE}{self._left_out()}")

    def _left_out(self) -> str:
        """A sentence about the problems of folders that are in no number; empty where all could be read."""
        counts_by_game = {result.game: result.left_out for result in self.results if result.left_out}
        if not (left_out := sum(counts_by_game.values())):
            return ""
        files = "1 file of its folder cannot" if left_out == 1 else f"{left_out:,} files of its folder cannot"
        return f" Not counted: {files} be read; arena planning-tasks verify FOLDER says why."

    def _baselines(self, game: str) -> Iterator[tuple[Cell, ...]]:
        tasks = {result.unit: result for result in self.results if result.game == game}
        if (random := self.random.get(game)) is not None:
            yield game, RANDOM, len(tasks), in_as_many(random, len(tasks), "tasks"), None, None, None
        lengths = [result.reference_length for result in tasks.values() if result.reference_length is not None]
        if lengths and len(lengths) == len(tasks):
            all_ = exactly(1.0, len(tasks), "tasks")
            yield game, PERFECT, len(tasks), all_, fmean(lengths), fmean(lengths), all_

    def _by(self, name: str, title: str, key: Names, kind: Kind, note: str = "") -> Table:
        """The results of each agent, by a name that each result has, or several; no such column without a name."""
        columns, cells = kind
        rows: list[tuple[Cell, ...]] = []
        for (game, agent), own in by_agent(self.results).items():
            for value, each in _grouped(own, key):
                rows.append((game, *((value,) if name else ()), agent, *cells(each)))
        rows.sort(key=lambda row: tuple(str(cell) for cell in row[: 2 + bool(name)]))
        titles = (*text("game", *((name,) if name else ()), "agent"), *columns)
        return Table(title=title, columns=titles, rows=tuple(rows), note=note)

    @property
    def _short(self) -> Kind:
        return self._long[0][:2], lambda results: self._long[1](results)[:2]

    @property
    def _long(self) -> Kind:
        columns = (*shares("accuracy"), *numbers("look-ahead", "at best"), *shares("reached"))
        return columns, lambda results: (accuracy(results, self.level), *look_ahead(results, self.level))

    @property
    def _errors(self) -> Kind:
        columns = (*shares(*SPIN, "cut off"), *numbers("cost"))
        return columns, self._error_cells

    def _error_cells(self, results: Sequence[PlanResult]) -> tuple[Cell, ...]:
        return (
            *(share_of(results, [r.spin == spin for r in results], self.level) for spin in SPIN),
            share_of(results, [r.error == CUT_OFF for r in results], self.level),
            self._cost(results),
        )

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

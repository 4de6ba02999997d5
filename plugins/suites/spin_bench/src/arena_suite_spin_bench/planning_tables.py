"""Table 3 and Figures 2, 3 and 5: errors of plans, accuracy over length, and accuracy over the size of tasks."""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs
from arena.tables import Cell, Column, Figure, Section, Table
from arena_metric_outcomes.columns import counts, shares, text
from arena_metric_planning.correlations import Correlations
from arena_metric_planning.lengths import over_length
from arena_metric_planning.results import PlanResult, QuestionResult, accuracy, share_of
from arena_metric_planning.verdicts import RECALL, TRACKING

from arena_suite_spin_bench.main_table import MEASURED, PUBLISHED, REFERENCE
from arena_suite_spin_bench.results import SpinResults
from arena_suite_spin_bench.shipped_numbers import published, random_play

_CLASSES: Final = ("BC", "GS", "other")
_CUT_OFF: Final = "answer-truncated"

_TEXT: Final = (
    "BC: a step breaks a constraint, or names what is not there; GS: the plan can be done and does not reach the goal; "
    "other: there is no plan that can be read. Shares are of all tasks, so they and the accuracy sum to 100%."
)
_QUESTIONS: Final = (
    ("Figure 2: tracking", TRACKING, "moves", "spin-tracking"),
    ("Figure 3: recall", RECALL, "steps of the trajectory", "spin-recall"),
)


def planning_section(results: SpinResults) -> Section:
    """Table 3, then a table and a figure each for Figures 2, 3 and 5; what was not measured is named."""
    tables: list[Table] = []
    figures: list[Figure] = []
    missing: list[str] = []
    if results.plans:
        tables.append(_errors(results))
    else:
        missing.append("Table 3 and Figure 5 (suite:spin-planning)")
    for title, kind, what, suite in _QUESTIONS:
        if found := results.questions(kind):
            made, drawn = _over_length(title, kind, what, found, results.level)
            tables += made
            figures += drawn
        else:
            missing.append(f"{title} (suite:{suite})")
    if results.plans:
        correlations = Correlations(results.plans, (), results.level, results.measurements.seed)
        tables += [attrs.evolve(table, title=f"Figure 5: {_lower(table.title)}") for table in correlations.tables()]
        lines = _lines("plan-accuracy", "optimal play", "random play", results.level)
        drawn = (_titled("Figure 5", figure, results.plans) for figure in correlations.figures())
        figures += [attrs.evolve(figure, references=lines) for figure in drawn]
    told = f" Not measured: {'; '.join(missing)}." if missing else ""
    return Section(
        title="SPIN-Bench: planning, recall and tracking",
        tables=tuple(tables),
        figures=tuple(figures),
        text=f"{_TEXT}{told}",
    )


def _errors(results: SpinResults) -> Table:
    columns: tuple[Column, ...] = (
        *text("agent", "row"),
        *shares("solved", *_CLASSES, "cut off"),
        *counts("count"),
        *shares("sum"),
    )
    rows = [_error_row(agent, own, results.level) for agent, own in _by_agent(results.plans)]
    rows.append(("random play", REFERENCE, random_play("plan-accuracy", results.level), *[None] * 6))
    rows.append(("optimal play", REFERENCE, 1.0, 0.0, 0.0, 0.0, 0.0, None, 1.0))
    right = {row["system"]: row["plan-accuracy"] for row in published("table-1")}
    for row in published("table-3"):
        parts = [right[row["system"]], row["broken-constraints"], row["goal-not-satisfied"], row["other"]]
        shown = [round(part / 100, 6) for part in parts]
        rows.append((row["system"], PUBLISHED, *shown, None, None, round(sum(shown), 6)))
    note = (
        "Answers that the token limit cut off count as other, and stand apart beside it: their share and their count. "
        "Published rows have 1,280 tasks and no intervals; where one does not sum to 100%, it is printed so."
    )
    return Table(title="Table 3: why plans are not valid", columns=columns, rows=tuple(rows), note=note)


def _error_row(agent: str, own: Sequence[PlanResult], level: float) -> tuple[Cell, ...]:
    classes = (share_of(own, [result.spin == spin for result in own], level) for spin in _CLASSES)
    cut_off = [result.error == _CUT_OFF for result in own]
    whole = sum(result.is_right or result.spin in _CLASSES for result in own) / len(own)
    return (
        *(agent, MEASURED, accuracy(own, level), *classes),
        *(share_of(own, cut_off, level), sum(cut_off), whole),
    )


def _by_agent(results: Sequence[PlanResult]) -> Iterator[tuple[str, list[PlanResult]]]:
    for agent in sorted({result.agent for result in results}):
        yield agent, [result for result in results if result.agent == agent]


def _over_length(
    title: str, kind: str, what: str, results: Sequence[QuestionResult], level: float
) -> tuple[list[Table], list[Figure]]:
    tables, figures = over_length(f"{title}, accuracy over length", what, results, level)
    lines = _lines(kind, "perfect answers", "random answers", level)
    drawn = [
        attrs.evolve(
            figure,
            title=f"{title}, accuracy over length",
            series={
                f"{agent} (n={sum(r.agent == agent for r in results)})": figure.series[agent]
                for agent in sorted({r.agent for r in results})
            },
            references=lines,
            note="The table has n at each length, and fitted curves with their bands.",
        )
        for figure in figures
    ]
    return [_with_references(table, title, lines) for table in tables], drawn


def _lines(column: str, optimal: str, random: str, level: float) -> dict[str, float]:
    """The lines of optimal and, where it was measured, of random play across a figure."""
    found = random_play(column, level)
    value = None if found is None else found.value
    return {optimal: 1.0} if value is None else {optimal: 1.0, random: value}


def _with_references(table: Table, title: str, lines: dict[str, float]) -> Table:
    told = ", ".join(f"{name} {100 * value:.3g}%" for name, value in lines.items())
    return attrs.evolve(table, note=f"{table.note} At every length, for comparison: {told}.")


def _titled(place: str, figure: Figure, results: Sequence[PlanResult]) -> Figure:
    """The figure under its number in the paper, with n beside the agents."""
    named = {f"{agent} (n={sum(r.agent == agent for r in results)})": own for agent, own in figure.series.items()}
    return attrs.evolve(figure, title=f"{place}: {figure.title.partition(': ')[2]}", series=named)


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]

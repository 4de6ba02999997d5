"""Why plans are not valid: SPIN-Bench's classes of errors with the finer ones, beside the published shares."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs
from arena.tables import Cell, Estimate, Figure, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.proportions import wilson

from arena_metric_planning.plans import SPIN
from arena_metric_planning.results import PlanResult, accuracy, by_agent, exactly, share_of

TITLES: Final[Mapping[str, str]] = {
    "unknown-action": "no such action",
    "wrong-arity": "wrong number of arguments",
    "unknown-object": "no such object",
    "wrong-type": "object of the wrong type",
    "precondition": "precondition not met",
    "goal": "goal not reached",
    "unreadable": "plan cannot be read",
    "answer-truncated": "answer cut off at the token limit",
    "answer-empty": "empty answer",
    "answer-unreadable": "no plan in the answer",
    "answer-ambiguous": "answer can be read in two ways",
    "answer-illegal": "answer of another form",
    "answer-late": "answer too late",
    "answer-too-long": "task longer than the model reads",
    "put-in": "answer put in by the policy",
}
"""The finer classes of errors with their titles, in the order of tables."""

PUBLISHED_N: Final = 1_280
"""The number of tasks behind published numbers of planning."""


@attrs.frozen(kw_only=True)
class PublishedPlanning:
    """Numbers that SPIN-Bench (Yao et al. 2025) prints in its tables 1 and 3, in per cent; ``None`` is not printed."""

    system: str
    accuracy: float
    look_ahead: float
    broken_constraints: float | None = None
    goal_not_satisfied: float | None = None
    other: float | None = None

    @property
    def total(self) -> float | None:
        """Accuracy and the three classes of errors together."""
        errors = (self.broken_constraints, self.goal_not_satisfied, self.other)
        known = [error for error in errors if error is not None]
        return round(self.accuracy + sum(known), 2) if len(known) == len(errors) else None


def _published(
    system: str,
    right: float,
    steps: float,
    bc: float | None = None,
    gs: float | None = None,
    other: float | None = None,
) -> PublishedPlanning:
    return PublishedPlanning(
        system=system, accuracy=right, look_ahead=steps, broken_constraints=bc, goal_not_satisfied=gs, other=other
    )


PUBLISHED: Final = (
    _published("o1", 58.59, 16.09, 17.97, 17.89, 5.55),
    _published("o3-mini", 51.25, 13.04),
    _published("DeepSeek R1", 44.30, 10.71, 48.28, 3.65, 1.87),
    _published("Claude 3.5 Sonnet", 20.55, 4.44, 28.59, 44.77, 6.09),
    _published("o1-mini", 13.20, 1.95, 68.91, 5.94, 11.95),
    _published("GPT-4o", 8.75, 0.60, 81.56, 3.59, 6.09),
    _published("Llama 3.3 70B", 5.78, 0.32),
    _published("GPT-4-turbo", 5.62, 0.13),
    _published("Claude 3.5 Haiku", 4.22, 0.30, 72.03, 15.23, 1.76),
)
"""The published numbers, from the most to the fewest tasks solved."""


def error_table(results: Sequence[PlanResult], level: float) -> Table:
    """How often each finer class of error occurred, by agent, and how much was solved."""
    rows: list[tuple[Cell, ...]] = []
    for (game, agent), own in by_agent(results).items():
        rows.append((game, agent, None, "solved", sum(r.is_right for r in own), accuracy(own, level)))
        for spin in SPIN:
            errors = {str(result.error) for result in own if result.spin == spin}
            for error in sorted(errors, key=_order):
                flags = [result.spin == spin and result.error == error for result in own]
                rows.append((game, agent, spin, TITLES.get(error, error), sum(flags), share_of(own, flags, level)))
    put_in = sum(result.put_in for result in results)
    told = f" {put_in} actions were put in by the policy for illegal actions." if put_in else ""
    return Table(
        title="Why plans are not valid",
        columns=(*text("game", "agent", "SPIN-Bench", "class"), *counts("matches"), *shares("share")),
        rows=tuple(rows),
        note="The first error in the order of the plan counts. Shares are of all matches of the agent." + told,
    )


def published_table(level: float) -> Table:
    """What SPIN-Bench prints, as published; tasks and prompts are others than ours."""
    rows = tuple(
        (
            row.system,
            _per_cent(row.accuracy, level),
            row.look_ahead,
            *(_per_cent(value, level) for value in (row.broken_constraints, row.goal_not_satisfied, row.other)),
            None if row.total is None else exactly(row.total / 100, PUBLISHED_N, "tasks"),
        )
        for row in PUBLISHED
    )
    return Table(
        title="Published by SPIN-Bench",
        columns=(*text("published"), *shares("accuracy"), *numbers("look-ahead"), *shares(*SPIN, "sum")),
        rows=rows,
        note=(
            "Tables 1 and 3 of Yao et al. (2025): other tasks of the same 21 domains, with other prompts. Intervals "
            "are Wilson's for 1,280 tasks, computed here. Where a row does not sum to 100%, it is printed so."
        ),
    )


def error_figures(results: Sequence[PlanResult]) -> Iterator[Figure]:
    """For each game the shares of solved tasks and of SPIN-Bench's classes of errors, by agent."""
    games: dict[str, dict[str, list[PlanResult]]] = {}
    for (game, agent), own in by_agent(results).items():
        games.setdefault(game, {})[agent] = own
    for game, agents in games.items():
        series = {"solved": tuple(sum(r.is_right for r in own) / len(own) for own in agents.values())}
        for spin in SPIN:
            series[spin] = tuple(sum(r.spin == spin for r in own) / len(own) for own in agents.values())
        yield Figure(
            kind="stacked-bar",
            title=f"{game}: classes of errors",
            x=tuple(f"{agent} (n={len(own)})" for agent, own in agents.items()),
            series=series,
            y_title="share of matches",
            note="Intervals are in the tables.",
        )


def _per_cent(value: float | None, level: float) -> Estimate | None:
    if value is None:
        return None
    low, high = wilson(value / 100 * PUBLISHED_N, PUBLISHED_N, level=level)
    told = "as published; Wilson's interval"
    return Estimate(value=value / 100, n=PUBLISHED_N, low=low, high=high, level=level, unit="tasks", method=told)


def _order(error: str) -> tuple[int, str]:
    known = list(TITLES)
    return (known.index(error) if error in known else len(known), error)

"""Checks whether an action is legal, which open seats count in their notes: added up, and told in a table."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from arena.metric import MeasurementRow
from arena.record import Event
from arena.tables import Table
from arena.turns import data_of
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate

from arena_metric_outcomes.columns import counts, numbers, shares, text

CHECKS: Final = "checks"
CHECKED_TURNS: Final = "checked_turns"
"""The names of the counts in the detail of a measurement: checks, and turns with at least one."""

MEANING: Final = (
    "A check asks whether an action is legal before it is an answer, so it may spare a refusal; whoever sits in an "
    "open seat may ask, a model may not. Agents without a line asked for none."
)


def checks_before(event: Event) -> int:
    """How often somebody asked whether an action is legal before the answer of a referee's event."""
    if (note := data_of(event).get("note")) is None:
        return 0
    found: Any = cast("Mapping[str, Any]", note).get(CHECKS) if isinstance(note, Mapping) else 0
    return max(found, 0) if type(found) is int else 0


def checks_table(groups: Mapping[tuple[str, str], Sequence[MeasurementRow]], level: float) -> tuple[Table, ...]:
    """Checks and refusals of the agents that asked for some, by game; nothing where none did."""
    columns = (
        *text("game", "agent"),
        *counts("turns", "checks"),
        *numbers("checks per turn"),
        *shares("turns with a check"),
        *numbers("refusals per turn"),
        *counts("random and optimal play"),
    )
    lines = [
        (
            *(*key, int(sum(turns)), int(sum(checks))),
            rate(checks, turns, clusters=blocks, level=level),
            share(_detail(rows, CHECKED_TURNS), turns, clusters=blocks, level=level),
            rate([float(row.value or 0) for row in rows], turns, clusters=blocks, level=level),
            0,
        )
        for key, rows in groups.items()
        if sum(checks := _detail(rows, CHECKS))
        for turns, blocks in [(_detail(rows, "turns"), [row.block for row in rows])]
    ]
    return (Table(title="Checks before an answer", columns=columns, rows=tuple(lines), note=MEANING),) if lines else ()


def _detail(rows: Sequence[MeasurementRow], name: str) -> list[float]:
    return [float(cast("Mapping[str, Any]", row.detail).get(name, 0)) for row in rows]

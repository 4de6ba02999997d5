"""Checks whether an action is legal, which open seats count in their notes: added up, and told in a table."""

from collections.abc import Mapping
from typing import Any, Final, cast

from arena.record import Event
from arena.tables import Table
from arena.turns import data_of
from arena_metric_statistics.columns import Columns, total
from arena_metric_statistics.numerics import Floats
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


def checks_table(groups: Mapping[tuple[str, str], Columns], level: float) -> tuple[Table, ...]:
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
            *(*key, int(total(turns)), int(total(checks))),
            rate(checks, turns, clusters=blocks, level=level),
            share(detail(rows, CHECKED_TURNS), turns, clusters=blocks, level=level),
            rate(rows.values(), turns, clusters=blocks, level=level),
            0,
        )
        for key, rows in groups.items()
        if (checks := detail(rows, CHECKS)).any()
        for turns, blocks in [(detail(rows, "turns"), rows.clusters)]
    ]
    return (Table(title="Checks before an answer", columns=columns, rows=tuple(lines), note=MEANING),) if lines else ()


def detail(rows: Columns, name: str) -> Floats:
    """A count by its name in the detail of each row; 0 where it is not there."""
    return rows.numbers(lambda found: float(cast("Mapping[str, Any]", found.detail).get(name, 0)))

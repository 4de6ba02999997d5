"""Rewards per match and per action: means with bootstrap intervals and standard errors, and the largest rewards."""

from collections.abc import Mapping

from arena.metric import MeasurementRow
from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.means import mean
from arena_metric_statistics.resampling import bootstrap

from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_outcomes.results import ResultGroup

_NOTE = (
    "A match's reward is its return; intervals are by the bootstrap (BCa) over rotation blocks, standard errors are "
    "cluster-robust. A reward per action is the sum of all rewards over the number of all actions; the greatest single "
    "reward is the most that came at once, which is the return where everything is paid at the end. Random and "
    "optimal play are per match, in the seats in which the agent sat."
)


def rewards(agents: Mapping[tuple[str, ...], ResultGroup]) -> Table:
    """Cumulative and per-action rewards of each agent in each game; none where the return is for one answer."""
    columns = (
        *text("game", "agent"),
        *counts("matches"),
        *numbers("reward per match", "standard error", "random", "optimal", "greatest", unit="points of return"),
        *numbers("reward per action", "error per action", unit="points of return per action"),
        *numbers("greatest at once", unit="points of return"),
    )
    rows = tuple((*key, *_cells(group)) for key, group in agents.items() if group.named("return") and _has_steps(group))
    return Table(title="Rewards", columns=columns, rows=rows, note=_NOTE)


def _has_steps(group: ResultGroup) -> bool:
    """Whether somebody plays beside the agent, or it acts more than once in some match."""
    is_alone = group.reference is not None and group.reference.players == 1
    return not is_alone or any(float(row.value or 0) > 1 for row in group.named("actions"))


def _place(row: MeasurementRow) -> tuple[str, str, int]:
    """The sort key of a row.

    The bootstrap depends on the order of the blocks, which must not depend on the order of measuring.
    """
    return row.block, row.match, row.player or 0


def _cells(group: ResultGroup) -> tuple[Cell, ...]:
    rows = sorted(group.named("return"), key=_place)
    values, blocks = [float(row.value or 0) for row in rows], [row.block for row in rows]
    level, seed = group.table.level, group.table.seed
    per_match = bootstrap(values, clusters=blocks, level=level, seed=seed)
    error = mean(values, clusters=blocks, level=level).standard_error
    optimal = group.reference.optimal if group.reference else None
    per_action = _per_action(group)
    return (
        len(rows),
        per_match,
        error,
        group.random_return(),
        group.against(optimal),
        max(values),
        per_action,
        per_action.standard_error if per_action else None,
        max(float(str(row.detail)) for row in rows),
    )


def _per_action(group: ResultGroup) -> Estimate | None:
    """Rewards per action, over the matches in which the agent acted."""
    returns = {(row.match, row.player): float(row.value or 0) for row in group.named("return")}
    acted = [row for row in group.named("actions") if row.value and (row.match, row.player) in returns]
    acted.sort(key=_place)
    if not acted:
        return None
    return bootstrap(
        [returns[row.match, row.player] for row in acted],
        bases=[float(row.value or 0) for row in acted],
        clusters=[row.block for row in acted],
        level=group.table.level,
        seed=group.table.seed,
    )

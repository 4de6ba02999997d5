"""Rewards per match and per action: means with intervals and standard errors, and the largest rewards."""

from collections.abc import Mapping

from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.means import ratio
from arena_metric_statistics.numerics import np

from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_outcomes.results import ResultGroup, bounds

_NOTE = (
    "A match's reward is its return; intervals and standard errors are over rotation blocks. A reward per action is "
    "the sum of all rewards over the number of all actions; the greatest single reward is the most that came at once, "
    "which is the return where everything is paid at the end. Random and optimal play are per match, in the seats in "
    "which the agent sat."
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
    rows = tuple(
        (*key, *_cells(group)) for key, group in agents.items() if len(group.named("return")) and _has_steps(group)
    )
    return Table(title="Rewards", columns=columns, rows=rows, note=_NOTE)


def _has_steps(group: ResultGroup) -> bool:
    """Whether somebody plays beside the agent, or it acts more than once in some match."""
    is_alone = group.reference is not None and group.reference.players == 1
    return not is_alone or bool((group.named("actions").values() > 1).any())


def _cells(group: ResultGroup) -> tuple[Cell, ...]:
    rows = group.named("return")
    per_match = group.returns()
    optimal = group.reference.optimal if group.reference else None
    per_action = _per_action(group)
    return (
        len(rows),
        per_match,
        per_match.standard_error,
        group.random_return(),
        group.against(optimal),
        float(rows.values().max()),
        per_action,
        per_action.standard_error if per_action else None,
        float(rows.numbers(lambda found: float(str(found.detail))).max()),
    )


def _per_action(group: ResultGroup) -> Estimate | None:
    """Rewards per action, over the matches in which the agent acted."""
    earned, acted = group.named("return"), group.named("actions")
    keys, places = np.unique(earned.matches_and_players, return_index=True)
    acted = acted.where((acted.values() != 0) & np.isin(acted.matches_and_players, keys)).in_order()
    if not len(acted):
        return None
    least, greatest = bounds(group.reference, earned.values())
    return ratio(
        earned.values()[places[np.searchsorted(keys, acted.matches_and_players)]],
        acted.values(),
        clusters=acted.clusters,
        level=group.table.level,
        # There is at least one action, so an action earns no more than a match, and nothing at the least.
        bounds=(None if least is None else min(least, 0.0), None if greatest is None else max(greatest, 0.0)),
    )

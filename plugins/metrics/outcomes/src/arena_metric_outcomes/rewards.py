"""Rewards per match and per action: means with bootstrap intervals and standard errors, and the largest rewards."""

from collections.abc import Mapping

from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import np
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
    rows = tuple(
        (*key, *_cells(group)) for key, group in agents.items() if len(group.named("return")) and _has_steps(group)
    )
    return Table(title="Rewards", columns=columns, rows=rows, note=_NOTE)


def _has_steps(group: ResultGroup) -> bool:
    """Whether somebody plays beside the agent, or it acts more than once in some match."""
    is_alone = group.reference is not None and group.reference.players == 1
    return not is_alone or bool((group.named("actions").values() > 1).any())


def _cells(group: ResultGroup) -> tuple[Cell, ...]:
    # The bootstrap depends on the order of the blocks, which must not depend on the order of measuring.
    rows = group.named("return").in_order()
    values, blocks = rows.values(), rows.clusters
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
        float(values.max()),
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
    return bootstrap(
        earned.values()[places[np.searchsorted(keys, acted.matches_and_players)]],
        bases=acted.values(),
        clusters=acted.clusters,
        level=group.table.level,
        seed=group.table.seed,
    )

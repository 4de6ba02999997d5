"""Computes regret in hindsight: how much more the best fixed action would have earned against the same opponents."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Cell, Column, Estimate, Table
from arena_metric_statistics.corrections import chance_corrected
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import Floats, np
from arena_metric_statistics.references import random_mean
from arena_metric_statistics.resampling import bootstrap

RESAMPLES = 500


def hindsight(table: Measurements, rows: Sequence[MeasurementRow]) -> Table:
    """One row for each game, agent and seat with simultaneous choices among the same actions.

    The external regret of the theory of learning in games (N. Cesa-Bianchi, G. Lugosi, Prediction, Learning, and Games,
    2006, chapter 4), per choice; defined for any payoffs, zero-sum or not, once or repeated.
    """
    groups: dict[tuple[str, str, str], list[MeasurementRow]] = {}
    for row in rows:
        if row.name == "payoff":
            groups.setdefault((row.game, str(row.agent), str(row.seat)), []).append(row)
    lines: list[tuple[Cell, ...]] = []
    for key, own in sorted(groups.items()):
        offered = {tuple(_detail(row)["earned"]) for row in own}
        if len(offered) == 1:
            lines.append((*key, *_line(table, own, offered.pop())))
    columns = (
        *(Column(name=name, title=name) for name in ("game", "agent", "seat")),
        Column(name="choices", title="choices", style="count"),
        Column(name="earned", title="earned per choice", style="number"),
        Column(name="best", title="best single action"),
        Column(name="regret", title="regret", style="number"),
        Column(name="random", title="random", style="number", unit="points of return"),
        Column(name="optimal", title="optimal", style="number", unit="points of return"),
        Column(name="score", title="score", style="number"),
    )
    note = (
        "What always taking the best single action would have earned more per choice, had the others done what they "
        "did; below zero for who beats every single action. The best action is chosen with the same data, so few "
        "choices overstate regret. Random is that of as many uniform choices against the same opponents. How others "
        "would have answered another action in later rounds is not asked."
    )
    return Table(title="Regret in hindsight", columns=columns, rows=tuple(lines), note=note)


def _line(table: Measurements, rows: Sequence[MeasurementRow], actions: tuple[str, ...]) -> tuple[Cell, ...]:
    # one row per choice: what was earned, then what each action would have earned
    earned = np.array(
        [[float(row.value or 0), *(float(_detail(row)["earned"][action]) for action in actions)] for row in rows]
    )
    blocks = [row.block for row in rows]
    means = earned[:, 1:].mean(axis=0)
    best = actions[int(means.argmax())]
    regret = _estimate(table, earned, blocks)
    random = random_mean(
        float(means.max() - means.mean()), earned[:, 1:].std(axis=1), level=table.level, unit="choices"
    )
    return (
        len(rows),
        mean(earned[:, 0], clusters=blocks, level=table.level, bounds=_bounds(table, rows)),
        _detail(rows[0])["labels"][best],
        regret,
        random,
        0.0,
        chance_corrected(regret, random.value or 0.0, 0.0),
    )


def _bounds(table: Measurements, rows: Sequence[MeasurementRow]) -> tuple[float | None, float | None]:
    """What one choice can earn, where it earns all that the match does."""
    reference = table.baselines.get(rows[0].game)
    if reference is None or len({(row.match, row.player) for row in rows}) < len(rows):
        return None, None
    return reference.min_return, reference.max_return


def _estimate(table: Measurements, earned: Floats, blocks: Sequence[str]) -> Estimate:
    found = bootstrap(
        earned,
        lambda drawn: float(drawn[:, 1:].mean(axis=0).max() - drawn[:, 0].mean()),
        clusters=blocks,
        method="percentile",
        level=table.level,
        resamples=RESAMPLES,
        seed=table.seed,
    )
    if found.value is None or found.low is None or found.high is None:
        return found
    return attrs.evolve(found, low=min(found.low, found.value), high=max(found.high, found.value))


def _detail(row: MeasurementRow) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", row.detail)

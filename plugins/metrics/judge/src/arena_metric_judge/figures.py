"""Radar figures of the judges' scores."""

from collections.abc import Callable, Iterator
from typing import Any

from arena.metric import MeasurementRow
from arena.tables import Figure

from arena_metric_judge.scores import JudgeScores, detail

LEAST = 3
"""The fewest dimensions that a radar is drawn for."""


def radars(scores: JudgeScores) -> Iterator[Figure]:
    """For each game a radar of its agents, and one of their personas if any; scales are drawn from 0 to 1."""
    if len(scores.dimensions) < LEAST or not scores.is_of_players:
        return
    for game in sorted({row.game for row in scores.rows}):
        yield _radar(scores, game, "agents", lambda row: row.agent)
        if any(detail(row)["persona"] for row in scores.rows if row.game == game):
            yield _radar(scores, game, "personas", lambda row: detail(row)["persona"])


def _radar(scores: JudgeScores, game: str, what: str, key: Callable[[MeasurementRow], Any]) -> Figure:
    groups = scores.groups(lambda row: (key(row),) if row.game == game else (None,))
    series = {name: tuple(_share(scores, rows, d) for d in scores.dimensions) for (name,), rows in groups.items()}
    told = ", ".join(f"{name} n={len({(row.match, row.player) for row in rows})}" for (name,), rows in groups.items())
    return Figure(
        kind="radar",
        title=f"{game}: {scores.rubric.name} by {what}",
        x=tuple(d.title for d in scores.dimensions),
        series=series,
        note=f"Matches of a player: {told}. From the least to the greatest score; intervals are in the tables.",
    )


def _share(scores: JudgeScores, rows: list[MeasurementRow], dimension: Any) -> float | None:
    value = scores.mean(rows, dimension).value
    return None if value is None else (value - dimension.low) / (dimension.high - dimension.low)

"""What judges gave, as radars."""

from collections.abc import Callable, Iterator
from typing import Any

from arena.metric import Figure, Row

from arena_metric_judge.scores import Scores, detail

LEAST = 3
"""A radar needs so many dimensions."""


def radars(scores: Scores) -> Iterator[Figure]:
    """For each game: agents, and personas where there are any; scales are drawn from 0 to 1."""
    if len(scores.dimensions) < LEAST or scores.rubric.per == "match":
        return
    for game in sorted({row.game for row in scores.rows}):
        yield _radar(scores, game, "agents", lambda row: row.agent)
        if any(detail(row)["persona"] for row in scores.rows if row.game == game):
            yield _radar(scores, game, "personas", lambda row: detail(row)["persona"])


def _radar(scores: Scores, game: str, what: str, key: Callable[[Row], Any]) -> Figure:
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


def _share(scores: Scores, rows: list[Row], dimension: Any) -> float | None:
    value = scores.mean(rows, dimension).value
    return None if value is None else (value - dimension.low) / (dimension.high - dimension.low)

"""Figures of outcomes and of invalid behaviour."""

from collections.abc import Iterator

from arena.tables import Figure
from arena_metric_statistics.rates import rate

from arena_metric_tradecraft.conduct import INVALID
from arena_metric_tradecraft.tables import KINDS, Plays, detail, pair_names, pair_outcome

_OUTCOMES = ("first wins", "second wins", "both win", "nobody wins", "broken off")


def figures(plays: Plays) -> Iterator[Figure]:
    """For each game, a figure of outcomes by pair and one of invalid behaviour by kind."""
    for game in sorted({row.game for row in plays.matches}):
        yield from _pairs(plays, game)
        yield _invalid(plays, game)


def _pairs(plays: Plays, game: str) -> Iterator[Figure]:
    found: dict[tuple[str, str], list[str]] = {}
    for row in plays.matches:
        if row.game == game and len(row.agents) == 2:
            found.setdefault(pair_names(row), []).append(pair_outcome(row))
    if not found:
        return
    yield Figure(
        kind="stacked-bar",
        title=f"{game}: outcomes by pair",
        x=tuple(f"{first} : {second} (n={len(ended)})" for (first, second), ended in found.items()),
        series={what: tuple(e.count(what) / len(e) for e in found.values()) for what in _OUTCOMES},
        y_title="share of matches",
        note="Intervals are in the tables.",
    )


def _invalid(plays: Plays, game: str) -> Figure:
    own = [row for row in plays.players if row.game == game]
    series = {}
    for agent in dict.fromkeys(str(row.agent) for row in own):
        rows = [row for row in own if row.agent == agent]
        turns, blocks = [float(row.value or 0) for row in rows], [row.block for row in rows]
        series[agent] = tuple(
            rate([detail(row)[kind] for row in rows], turns, clusters=blocks, level=plays.level) for kind in INVALID
        )
    return Figure(
        kind="bar",
        title=f"{game}: invalid behaviour",
        x=tuple(KINDS[kind] for kind in INVALID),
        series=series,
        y_title="per turn",
    )

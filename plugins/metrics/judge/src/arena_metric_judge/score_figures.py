"""Figures of the judges' scores: radars, and winners against losers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
from arena.metric import MeasurementRow
from arena.tables import Estimate, Figure

from arena_metric_judge.dimension import Dimension
from arena_metric_judge.score_tables import Contrast, contrasts
from arena_metric_judge.scores import JudgeScores, detail

LEAST = 3
"""The fewest dimensions that a radar is drawn for."""


def figures(scores: JudgeScores) -> Iterator[Figure]:
    """For each game radars of its agents, of their personas and of each pairing, and its winners against its losers."""
    if len(scores.dimensions) < LEAST or not scores.is_of_players:
        return
    compared = list(contrasts(scores))
    for game in sorted({row.game for row in scores.rows}):
        own = [row for row in scores.rows if row.game == game]
        yield _radar(scores, game, "by agents", lambda row: row.agent)
        if any(detail(row)["persona"] for row in own):
            yield _radar(scores, game, "by personas", lambda row: detail(row)["persona"])
        yield from _pairings(scores, game, own)
        yield from _contrasts(scores, game, [each for each in compared if each.game == game])


def _pairings(scores: JudgeScores, game: str, rows: Sequence[MeasurementRow]) -> Iterator[Figure]:
    """A radar of each pairing; of the only one there is the radar of all agents says the same."""
    met = {row.pairing: row.agents for row in rows}
    if len(met) == 1 and all(len(set(agents)) == len(agents) for agents in met.values()):
        return
    for pairing in sorted(met):
        named = " : ".join(sorted(met[pairing]))
        yield _radar(scores, game, f"in {named}", lambda row, p=pairing: _seated(row) if row.pairing == p else None)


def _seated(row: MeasurementRow) -> str:
    """The agent, with its seat added where an agent meets itself."""
    agent = str(row.agent)
    return agent if row.agents.count(agent) == 1 else f"{agent}, seat {(row.player or 0) + 1}"


def _radar(scores: JudgeScores, game: str, what: str, key: Callable[[MeasurementRow], Any]) -> Figure:
    groups = scores.groups(lambda row: (key(row),) if row.game == game else (None,))
    series = {
        name: tuple(_share(scores.mean(rows, d), d) for d in scores.dimensions) for (name,), rows in groups.items()
    }
    told = ", ".join(f"{name} n={len({(row.match, row.player) for row in rows})}" for (name,), rows in groups.items())
    return Figure(
        kind="radar",
        title=f"{game}: {scores.rubric.name} {what}",
        x=tuple(d.title for d in scores.dimensions),
        series=series,
        references={"greatest score": 1.0},
        note=f"Matches of a player: {told}. 0 is the least score and 1 the greatest.",
    )


def _contrasts(scores: JudgeScores, game: str, found: Sequence[Contrast]) -> Iterator[Figure]:
    """The scores of winners and of losers, and the relative difference of the two."""
    if not found:
        return
    titles = tuple(each.dimension.title for each in found)
    matches = f"Matches that have winners and losers: n={max(each.matches for each in found)}."
    yield Figure(
        kind="bar",
        title=f"{game}: {scores.rubric.name} of winners and losers",
        x=titles,
        series={
            "winners": tuple(_share(each.winners, each.dimension) for each in found),
            "losers": tuple(_share(each.losers, each.dimension) for each in found),
        },
        y_title="mean score, from 0 to 1",
        note=f"{matches} 0 is the least score and 1 the greatest.",
    )
    yield Figure(
        kind="bar",
        title=f"{game}: {scores.rubric.name}, relative difference",
        x=titles,
        series={"(winners - losers) / losers": tuple(each.relative for each in found)},
        y_title="(winners - losers) / losers",
        references={"no difference": 0.0},
        note=f"{matches} There is no value where losers have 0.",
    )


def _share(estimate: Estimate, dimension: Dimension) -> Estimate:
    """The same estimate on the scale from 0, the least score of a dimension, to 1, the greatest."""
    low, width = dimension.low, dimension.high - dimension.low

    def scaled(value: float | None) -> float | None:
        return None if value is None else (value - low) / width

    error = estimate.standard_error
    return attrs.evolve(
        estimate,
        value=scaled(estimate.value),
        low=scaled(estimate.low),
        high=scaled(estimate.high),
        standard_error=None if error is None else error / width,
    )

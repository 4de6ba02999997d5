"""Figures of outcomes, of heuristic measures by agent and persona, and of the problems by how hard they are."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from arena.metric import MeasurementRow
from arena.tables import Estimate, Figure
from arena_game_tradecraft.match.problem import Problem

from arena_metric_tradecraft.conduct import INVALID
from arena_metric_tradecraft.tradecraft_tables import (
    BASELINES,
    KINDS,
    Plays,
    by_agent,
    detail,
    grouped,
    invalid,
    pair_names,
    pair_outcome,
)

_OUTCOMES: Final = ("first wins", "second wins", "both win", "nobody wins", "broken off")


def figures(plays: Plays, problems: Mapping[str, Sequence[Problem]]) -> Iterator[Figure]:
    """For each game, figures of outcomes by pair, of measures by agent and persona, and of its problems."""
    for game in sorted({row.game for row in plays.matches}):
        own = [row for row in plays.players if row.game == game]
        yield from _pairs(plays, game)
        yield from _heuristics(plays, game, "agent", grouped(own, by_agent))
        if any(detail(row)["persona"] for row in own):
            yield from _heuristics(plays, game, "persona", grouped(own, _by_persona))
        yield from _difficulty(game, problems.get(game, ()))


def _pairs(plays: Plays, game: str) -> Iterator[Figure]:
    found: dict[tuple[str, str], list[MeasurementRow]] = {}
    for row in plays.matches:
        if row.game == game and len(row.agents) == 2:
            found.setdefault(pair_names(row), []).append(row)
    if not found:
        return
    ended = {pair: [pair_outcome(row) for row in rows] for pair, rows in found.items()}
    yield Figure(
        kind="stacked-bar",
        title=f"{game}: outcomes by pair",
        x=tuple(f"{' : '.join(_short(rows[0]))} (n={len(rows)})" for rows in found.values()),
        series={what: tuple(plays.share(found[p], ended[p], what) for p in found) for what in _OUTCOMES},
        y_title="share of matches",
        note="Of an agent and itself, first and second are the seats. Intervals are in the tables.",
    )


def _short(row: MeasurementRow) -> tuple[str, str]:
    first, second = sorted(row.agents)
    return first, second if first != second else "itself"


def _heuristics(
    plays: Plays, game: str, what: str, groups: Mapping[tuple[str, ...], Sequence[MeasurementRow]]
) -> Iterator[Figure]:
    """Wins and rejections, turns, and invalid behaviour by kind, of each agent or persona."""
    rows = {name: own for (_, name), own in groups.items()}
    note = f"Matches of a player: {', '.join(f'{name} n={len(own)}' for name, own in rows.items())}."
    yield Figure(
        kind="bar",
        title=f"{game}: won and rejected by {what}",
        x=("won", "rejected as receiver"),
        series={name: (plays.won(own), plays.rejected(own)) for name, own in rows.items()},
        y_title="share of matches, of answers",
        note=note,
    )
    yield Figure(
        kind="bar",
        title=f"{game}: turns by {what}",
        x=tuple(rows),
        series={"turns": tuple(plays.turns(own) for own in rows.values())},
        y_title="turns of a match",
        note=f"{note} Of matches that the rules ended.",
    )
    yield Figure(
        kind="bar",
        title=f"{game}: invalid behaviour by {what}",
        x=("all kinds", *(KINDS[kind] for kind in INVALID)),
        series={name: tuple(_invalid(plays, own)) for name, own in rows.items()},
        y_title="per turn",
        note=note,
    )


def _invalid(plays: Plays, rows: Sequence[MeasurementRow]) -> Iterator[Estimate]:
    counts: list[Callable[[Any], int]] = [invalid, *(lambda about, k=kind: about[k] for kind in INVALID)]
    return (plays.rate(rows, count) for count in counts)


def _by_persona(row: MeasurementRow) -> tuple[str | None, ...]:
    return row.game, row.agent if row.agent in BASELINES else detail(row)["persona"]


def _difficulty(game: str, problems: Sequence[Problem]) -> Iterator[Figure]:
    """How many problems have which chain and which number of trades, each by its hardest target."""
    hardest = [place for problem in problems if (place := _hardest(problem)) is not None]
    if not hardest:
        return
    found = Counter(hardest)
    chains = range(min(chain for chain, _ in found), max(chain for chain, _ in found) + 1)
    trades = range(max(n for _, n in found), min(n for _, n in found) - 1, -1)
    rest = len(problems) - len(hardest)
    yield Figure(
        kind="heat-map",
        title=f"{game}: problems by difficulty",
        x=tuple(str(chain) for chain in chains),
        series={str(n): tuple(float(found[chain, n]) for chain in chains) for n in trades},
        x_title="length of the crafting chain",
        y_title="trades",
        unit="problems",
        limits=(0.0, float(max(found.values()))),
        note=(
            f"Numbers of problems, n={len(hardest)}, each by its hardest target; all are counted, so there are no "
            f"intervals.{f' Not graded or not proved: {rest}.' if rest else ''}"
        ),
    )


def _hardest(problem: Problem) -> tuple[int, int] | None:
    """The chain and the trades of the hardest target; ``None`` if they are not proved."""
    graded = problem.difficulty
    if graded is None or isinstance(graded.hardest, str):
        return None
    player = max(range(problem.players), key=lambda p: int(graded.score(p)))
    return int(graded.chain[player]), int(graded.trades[player])

"""Measures how close play for payoffs comes to an equilibrium."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from arena.metric import MeasurementRow, Measurements
from arena.tables import Cell, Column, Estimate, Section, Table
from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.topology import GAMES
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import np
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_hits, random_simulated

from arena_metric_equilibria.random_answers import RUNS

TEXT = (
    "The distance is the total variation between how often each combination was played and the nearest equilibrium, "
    "pure or mixed (0: exactly an equilibrium, 1: never anything in it), averaged over games. The mixed equilibrium is "
    "that of the payoffs 1 to 4 as numbers. Few matches of a game make the distance from a mixed equilibrium large. A "
    "match that ended because somebody failed is in no equilibrium."
)


def play_section(pairings: Mapping[str, Mapping[str, Sequence[MeasurementRow]]], table: Measurements) -> Section:
    """Shares of pure equilibria and distances from the nearest equilibrium, by pairing."""
    columns = (
        Column(name="pairing", title="A, B"),
        Column(name="games", title="games", style="count"),
        Column(name="matches", title="matches", style="count"),
        Column(name="pure", title="in a pure equilibrium", style="share"),
        Column(name="random-pure", title="random", style="share"),
        Column(name="distance", title="distance", style="number", unit="share"),
        Column(name="random-distance", title="random", style="number", unit="share"),
    )
    rows = tuple(_line(pairing, games, table) for pairing, games in pairings.items())
    note = "pure equilibria: over games that have one; optimal play has share 1 and distance 0; intervals over games"
    view = Table(title="Play against equilibria", columns=columns, rows=rows, note=note)
    return Section(title="2×2 games played", tables=(view,), text=TEXT)


def distance(shares: Sequence[Fraction], matrix: Matrix) -> Fraction:
    """Total variation distance between the shares of combinations 1 to 4 and the nearest equilibrium.

    What is missing to 1 are matches in which nothing was chosen, which no equilibrium has.
    """
    missing = 1 - sum(shares, Fraction())
    return min(
        sum((abs(share - p) for share, p in zip(shares, point, strict=True)), missing) / 2
        for point in equilibria(matrix)
    )


def equilibria(matrix: Matrix) -> Iterable[tuple[Fraction, ...]]:
    """The probabilities of the four combinations in each equilibrium, pure ones first.

    There is always at least one (Nash 1951).
    """
    for number in sorted(matrix.equilibria):
        yield tuple(Fraction(number == other) for other in range(1, 5))
    if matrix.mixed is not None:
        a, b = matrix.mixed
        yield (a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b))


def _line(pairing: str, games: Mapping[str, Sequence[MeasurementRow]], table: Measurements) -> tuple[Cell, ...]:
    counts = {game: Counter(_cell(row) for row in rows) for game, rows in games.items()}
    solvable = {game: found for game, found in counts.items() if GAMES[game].matrix.equilibria}
    hits = [sum(found[n] for n in GAMES[game].matrix.equilibria) for game, found in solvable.items()]
    trials = [found.total() for found in solvable.values()]
    by_chance = [len(GAMES[game].matrix.equilibria) / 4 for game, own in solvable.items() for _ in range(own.total())]
    distances = [
        float(distance([Fraction(found[n], found.total()) for n in range(1, 5)], GAMES[game].matrix))
        for game, found in counts.items()
    ]
    return (
        pairing,
        len(counts),
        sum(len(rows) for rows in games.values()),
        share(hits, trials, clusters=list(solvable), level=table.level, unit="games"),
        random_hits(by_chance, level=table.level, unit="matches"),
        mean(distances, level=table.level, bounds=(0.0, 1.0), unit="games"),
        _random_distance({game: found.total() for game, found in counts.items()}, table),
    )


def _cell(row: MeasurementRow) -> int:
    """The combination that was chosen, 0 for none."""
    chosen = cast("Mapping[str, Any]", row.detail)["chosen"]
    return 0 if chosen is None else 2 * int(chosen[0][1]) + int(chosen[1][1]) - 2


def _random_distance(matches: Mapping[str, int], table: Measurements) -> Estimate:
    """The mean distance where every combination is as likely in as many ``matches`` of each game."""
    rng = np.random.default_rng(table.seed)
    found = np.zeros(RUNS)
    for game, count in sorted(matches.items()):
        shares = rng.multinomial(count, [0.25] * 4, size=RUNS) / count
        points = np.array([[float(p) for p in point] for point in equilibria(GAMES[game].matrix)])
        found += (np.abs(shares[:, None] - points).sum(axis=2) / 2).min(axis=1)
    found /= len(matches)
    return random_simulated(float(found.mean()), found, len(matches), level=table.level, unit="games")

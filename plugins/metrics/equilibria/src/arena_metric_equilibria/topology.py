"""Draws the topology of the 144 games itself: families, payoffs, equilibria and dominant choices."""

from collections import Counter
from typing import Final

import attrs
from arena.tables import BlockNames, Cell, Column, Figure, Table
from arena_game_two_by_two.matrix import CELLS
from arena_game_two_by_two.topology import GAMES, OrdinalGame, at

from arena_metric_equilibria.maps import SIDE, topology_map
from arena_metric_equilibria.scores import COUNTS

_NOTE: Final = (
    "All 144 games, whoever was asked about them. A row of the map has one family of A's payoffs, a column one of B's. "
    "Payoffs go from 1, the worst, to 4. A combination from which no player gains by departing alone is an equilibrium."
)

RANKS: Final = (1.0, 4.0)
"""The limits of the colours of payoffs."""

PLAYERS: Final = (0.0, 2.0)
"""The limits of the colours of numbers of players, and of equilibria."""

_DOMINANT: Final = {(True, True): "both", (True, False): "A alone", (False, True): "B alone", (False, False): "neither"}
"""Who may have a dominant choice, in the order of the table's columns."""


def topology_figures() -> tuple[Figure, ...]:
    """The topology as figures 9 and 10 of TMGBench have it."""
    return _families(), _solutions()


def kinds() -> Table:
    """How many games have none, one and two equilibria, and in how many of them who has a dominant choice."""
    found = Counter((len(game.matrix.equilibria), _has_dominant(game)) for game in GAMES.values())
    rows: list[tuple[Cell, ...]] = []
    for count in COUNTS:
        own = [found[count, who] for who in _DOMINANT]
        rows.append((str(count), sum(own), *own))
    columns = (
        Column(name="equilibria", title="equilibria"),
        Column(name="games", title="games", style="count"),
        *(Column(name=who, title=who, style="count", unit="games") for who in _DOMINANT.values()),
    )
    return Table(title="Games by equilibria, and by who has a dominant choice", columns=columns, rows=tuple(rows))


def _has_dominant(game: OrdinalGame) -> tuple[bool, bool]:
    return game.matrix.dominant_a is not None, game.matrix.dominant_b is not None


def _families() -> Figure:
    """The families with both players' payoffs, and how many players gain by departing from each combination."""
    names = BlockNames(
        columns=tuple(at(1, column).family_b for column in range(1, SIDE + 1)),
        rows=tuple(at(row, 1).family_a for row in range(1, SIDE + 1)),
    )
    payoffs = [
        topology_map(title, lambda game, n, at=place: float(_payoffs(game, n)[at]), RANKS, unit="rank", names=names)
        for place, title in enumerate(("Families: payoffs of A", "payoffs of B"))
    ]
    leaving = topology_map("who gains by departing", _leaving, PLAYERS, unit="players", names=names)
    first, *beside = (attrs.evolve(each, x_title="", y_title="") for each in (*payoffs, leaving))
    return attrs.evolve(first, beside=tuple(beside), note=_NOTE)


def _solutions() -> Figure:
    """The numbers of equilibria, and who has a dominant choice; all four quarters of a game are alike."""
    equilibria = topology_map(
        "Solutions: number of equilibria",
        lambda game, _: float(len(game.matrix.equilibria)),
        PLAYERS,
        unit="equilibria",
    )
    own = [
        topology_map(
            f"dominant choice of {player}",
            lambda game, _, at=place: float(_has_dominant(game)[at]),
            (0.0, 1.0),
            unit="dominant choices",
        )
        for place, player in enumerate("AB")
    ]
    return attrs.evolve(equilibria, beside=tuple(own), note=_NOTE)


def _payoffs(game: OrdinalGame, number: int) -> tuple[int, int]:
    return list(game.matrix)[number - 1]


def _leaving(game: OrdinalGame, number: int) -> float:
    """How many players get more by changing their own choice alone."""
    row, column = CELLS[number - 1]
    a, b = game.matrix.a, game.matrix.b
    return float((a[1 - row][column] > a[row][column]) + (b[row][1 - column] > b[row][column]))

"""The 144 strictly ordinal 2×2 games in the order of Robinson and Goforth, *The Topology of the 2×2 Games* (2005).

Game ``lrc`` lies in layer l, row r and column c. A's payoffs follow from l and r, B's from l and c: from one index to
the next two neighbouring ranks are exchanged (1 and 2 after an odd index, 2 and 3 after an even one), so a layer closes
to a torus. The layer says how the two best payoffs lie: 1 diagonally opposite, 2 in one row, 3 in one cell,
4 in one column.

The table of 12×12 follows TMGBench (figures 9 and 10): layers 4 and 1 above, 3 and 2 below, so that exchanging the
players reflects the table in its counter-diagonal, on which the twelve symmetric games lie.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from arena_game_two_by_two.matrix import Matrix

ROWS: Final = (2, 3, 4, 5, 6, 1)
"""The index r of the rows of a layer, from top to bottom."""

COLUMNS: Final = (1, 6, 5, 4, 3, 2)
"""The index c of the columns of a layer, from left to right."""

CORNERS: Final = MappingProxyType({4: (0, 0), 1: (0, 6), 3: (6, 0), 2: (6, 6)})
"""The row and column of the table, from 0, at which each layer begins."""

_A_FIRST: Final = {1: (1, 3, 2, 4), 4: (1, 3, 2, 4), 2: (2, 4, 1, 3), 3: (2, 4, 1, 3)}
_B_FIRST: Final = {1: (4, 3, 2, 1), 2: (4, 3, 2, 1), 3: (3, 4, 1, 2), 4: (3, 4, 1, 2)}

_A_FAMILIES: Final = {
    1: ("Dilemma", "Chicken", "Battle", "Hero", "Compromise", "Deadlock"),
    2: ("Concord", "Stag Hunt", "Assurance", "Coordination", "Peace", "Harmony"),
}
_SYMMETRIC: Final = MappingProxyType(
    {
        "311": "Concord", "366": "Harmony", "355": "Peace", "344": "Coordination", "333": "Assurance",
        "322": "Stag Hunt", "111": "Prisoner's Dilemma", "166": "Deadlock", "155": "Compromise", "144": "Hero",
        "133": "Leader", "122": "Chicken",
    }
)  # fmt: skip


@attrs.frozen
class OrdinalGame:
    """One of the 144 games: its name ``lrc``, its place in the table (from 1, top left) and its payoffs."""

    id: str
    row: int
    column: int
    matrix: Matrix = attrs.field(repr=False)

    @property
    def layer(self) -> int:
        """The layer from 1 to 4, which is the first digit of the game's name."""
        return int(self.id[0])

    @property
    def is_symmetric(self) -> bool:
        """Whether the game looks the same to both players."""
        return self.id in _SYMMETRIC

    @property
    def name(self) -> str:
        """Its usual name if it is symmetric, otherwise the names of the families of A's and B's payoffs."""
        return _SYMMETRIC.get(self.id) or f"{self.family_a} / {self.family_b}"

    @property
    def family_a(self) -> str:
        """The name of the symmetric game in which A has the same payoffs."""
        return _A_FAMILIES[1 if self.layer in (1, 4) else 2][int(self.id[1]) - 1]

    @property
    def family_b(self) -> str:
        """The name of the symmetric game in which B has the same payoffs."""
        return _A_FAMILIES[1 if self.layer in (1, 2) else 2][int(self.id[2]) - 1]

    @property
    def sister(self) -> "OrdinalGame":
        """The same game with the players exchanged."""
        return at(13 - self.column, 13 - self.row)


def at(row: int, column: int) -> OrdinalGame:
    """The game in a row and column of the table, both from 1 to 12."""
    return _PLACES[row, column]


def _ranks(first: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Apply the exchanges of ranks that lead from index 1 to ``index``."""
    ranks = first
    for k in range(1, index):
        low = 1 if k % 2 else 2
        ranks = tuple({low: low + 1, low + 1: low}.get(rank, rank) for rank in ranks)
    return ranks


def _place(layer: int, r: int, c: int) -> OrdinalGame:
    down, right = CORNERS[layer]
    matrix = Matrix.of(_ranks(_A_FIRST[layer], r), _ranks(_B_FIRST[layer], c))
    return OrdinalGame(f"{layer}{r}{c}", down + ROWS.index(r) + 1, right + COLUMNS.index(c) + 1, matrix)


GAMES: Final[Mapping[str, OrdinalGame]] = MappingProxyType(
    {game.id: game for game in (_place(la, r, c) for la in range(1, 5) for r in range(1, 7) for c in range(1, 7))}
)
"""All games by their names, ``"111"`` to ``"466"``."""

_PLACES: Final = {(game.row, game.column): game for game in GAMES.values()}

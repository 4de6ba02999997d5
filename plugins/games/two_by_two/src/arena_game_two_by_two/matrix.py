"""A game of two players with two choices each, and its exact properties.

Choices are numbered as the quarters of its table::

              B1   B2
        A1     1    2
        A2     3    4
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias

import attrs

Payoffs: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""One player's payoffs, by A's choice (row) and B's choice (column)."""

Choices: TypeAlias = frozenset[int]
"""A set of combinations of choices, by their numbers 1 to 4."""

CELLS: Final = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Row and column of the combinations 1 to 4."""

REFLECTED: Final = {1: 4, 2: 2, 3: 3, 4: 1}
"""The combination that each one becomes when the players are exchanged by reflection in the counter-diagonal."""


@attrs.frozen
class Matrix:
    """Both players' payoffs, of which larger ones are better.

    In a strictly ordinal game each player's payoffs are the ranks 1 (worst) to 4 (best).
    """

    a: Payoffs
    b: Payoffs

    @classmethod
    def of(cls, a: Sequence[int], b: Sequence[int]) -> "Matrix":
        """Build a matrix from each player's payoffs for the combinations 1 to 4."""
        return cls(((a[0], a[1]), (a[2], a[3])), ((b[0], b[1]), (b[2], b[3])))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield what A and B get in the combinations 1 to 4."""
        return iter([(self.a[row][column], self.b[row][column]) for row, column in CELLS])

    @property
    def is_strict(self) -> bool:
        """Whether each player has four different payoffs."""
        return all(len({value for row in payoffs for value in row}) == 4 for payoffs in (self.a, self.b))

    @property
    def equilibria(self) -> Choices:
        """The pure Nash equilibria: the combinations from which no player gains by changing alone."""
        return Choices(number for number, cell in enumerate(CELLS, start=1) if self._is_stable(*cell))

    @property
    def dominant_a(self) -> int | None:
        """A's choice (1 or 2) that is better whatever B does, or ``None``."""
        return _dominant(self.a)

    @property
    def dominant_b(self) -> int | None:
        """B's choice (1 or 2) that is better whatever A does, or ``None``."""
        return _dominant(_transposed(self.b))

    @property
    def mixed(self) -> tuple[Fraction, Fraction] | None:
        """The probabilities of A1 and B1 in the equilibrium in which both mix; ``None`` if there is none.

        Each player mixes so that the other is indifferent (von Neumann and Morgenstern; Nash 1951).
        """
        a1, b1 = _indifferent(_transposed(self.b)), _indifferent(self.a)
        return None if a1 is None or b1 is None else (a1, b1)

    def exchanged(self) -> "Matrix":
        """The same game with the players' names exchanged: A becomes B."""
        return Matrix(_transposed(self.b), _transposed(self.a))

    def reflected(self) -> "Matrix":
        """The game with players exchanged and all choices renamed: a reflection in the counter-diagonal."""
        return self.exchanged().rows_exchanged().columns_exchanged()

    def rows_exchanged(self) -> "Matrix":
        """The same game with A's choices renamed."""
        return Matrix((self.a[1], self.a[0]), (self.b[1], self.b[0]))

    def columns_exchanged(self) -> "Matrix":
        """The same game with B's choices renamed."""
        return Matrix(_mirrored(self.a), _mirrored(self.b))

    def relabelled(self, a: Sequence[int], b: Sequence[int]) -> "Matrix":
        """The same game with each rank r from 1 to 4 replaced by entry r of ``a`` or ``b``.

        ``ValueError`` unless both rise strictly, since another order would be another game.
        """
        for values in (a, b):
            if len(values) != 4 or any(low >= high for low, high in pairwise(values)):
                raise ValueError(f"four payoffs that go up strictly are needed, not {list(values)!r}")
        return Matrix(_mapped(self.a, lambda rank: a[rank - 1]), _mapped(self.b, lambda rank: b[rank - 1]))

    def _is_stable(self, row: int, column: int) -> bool:
        stays_a = self.a[row][column] >= self.a[1 - row][column]
        return stays_a and self.b[row][column] >= self.b[row][1 - column]


def _dominant(payoffs: Payoffs) -> int | None:
    first, second = payoffs
    if all(x > y for x, y in zip(first, second, strict=True)):
        return 1
    return 2 if all(x < y for x, y in zip(first, second, strict=True)) else None


def _indifferent(payoffs: Payoffs) -> Fraction | None:
    """The probability of the other's first choice that makes this player's rows worth the same, if it is between 0 and
    1.

    p·w + (1-p)·x = p·y + (1-p)·z, hence p = (z-x) / (w-x-y+z).
    """
    (w, x), (y, z) = payoffs
    below = w - x - y + z
    if not below:
        return None
    p = Fraction(z - x, below)
    return p if 0 < p < 1 else None


def _transposed(payoffs: Payoffs) -> Payoffs:
    (w, x), (y, z) = payoffs
    return (w, y), (x, z)


def _mirrored(payoffs: Payoffs) -> Payoffs:
    (w, x), (y, z) = payoffs
    return (x, w), (z, y)


def _mapped(payoffs: Payoffs, new: Callable[[int], int]) -> Payoffs:
    (w, x), (y, z) = payoffs
    return (new(w), new(x)), (new(y), new(z))

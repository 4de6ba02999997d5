"""Simple rules that answer a question, and the right one, as baselines for the scores of solvers."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from arena_game_two_by_two.matrix import Choices, Matrix, Payoffs

Rule: TypeAlias = Callable[[Matrix], tuple[Choices, ...]]
"""A function from a game to its possible answers, all equally likely."""


def nash(matrix: Matrix) -> tuple[Choices, ...]:
    """The pure Nash equilibria, which are always the right answer."""
    return (matrix.equilibria,)


def none(matrix: Matrix) -> tuple[Choices, ...]:
    """The answer that names no combination."""
    return (Choices(),)


def first(matrix: Matrix) -> tuple[Choices, ...]:
    """Always the combination (A1, B1)."""
    return (Choices({1}),)


def joint(matrix: Matrix) -> tuple[Choices, ...]:
    """The combinations with the greatest sum of payoffs."""
    sums = [a + b for a, b in matrix]
    return (Choices(n for n, total in enumerate(sums, start=1) if total == max(sums)),)


def maximin(matrix: Matrix) -> tuple[Choices, ...]:
    """The combinations in which each player takes the choice whose worst payoff is best."""
    return (_both(matrix, min),)


def against_uniform(matrix: Matrix) -> tuple[Choices, ...]:
    """The combinations of best replies to an opponent who chooses evenly at random (level-1 reasoning)."""
    return (_both(matrix, sum),)


def random_cell(matrix: Matrix) -> tuple[Choices, ...]:
    """One of the four combinations, each equally likely."""
    return tuple(Choices({number}) for number in range(1, 5))


RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "nash": nash,
        "none": none,
        "first": first,
        "joint-payoff": joint,
        "maximin": maximin,
        "against-uniform": against_uniform,
        "random-cell": random_cell,
    }
)
"""All rules by their names."""


def _both(matrix: Matrix, worth: Callable[[Iterable[int]], int]) -> Choices:
    rows = _best(matrix.a, worth)
    columns = _best(((matrix.b[0][0], matrix.b[1][0]), (matrix.b[0][1], matrix.b[1][1])), worth)
    return Choices(1 + 2 * row + column for row in rows for column in columns)


def _best(payoffs: Payoffs, worth: Callable[[Iterable[int]], int]) -> list[int]:
    """The choices (0 or 1) that are worth most; both if they are worth the same."""
    values = [worth(row) for row in payoffs]
    return [choice for choice, value in enumerate(values) if value == max(values)]

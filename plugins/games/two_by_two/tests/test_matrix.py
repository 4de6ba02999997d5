from fractions import Fraction

import pytest
from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.topology import GAMES

PENNIES = Matrix.of((1, -1, -1, 1), (-1, 1, 1, -1))
EXCHANGES = {
    "exchanged": {1: 1, 2: 3, 3: 2, 4: 4},
    "rows_exchanged": {1: 3, 2: 4, 3: 1, 4: 2},
    "columns_exchanged": {1: 2, 2: 1, 3: 4, 4: 3},
}


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_equilibria_move_with_the_names(exchange: str):
    """Exchanging players, rows or columns moves the equilibria as it moves the cells, and twice is not at all."""
    for name in GAMES:
        matrix = GAMES[name].matrix

        exchanged = getattr(matrix, exchange)()

        assert exchanged.equilibria == {EXCHANGES[exchange][n] for n in matrix.equilibria}
        assert getattr(exchanged, exchange)() == matrix


def test_increasing_payoffs_change_nothing():
    """Equilibria and dominance depend on the order of payoffs alone."""
    for name in GAMES:
        matrix = GAMES[name].matrix

        other = matrix.relabelled((-7, 0, 3, 100), (2, 30, 31, 32))

        assert (other.equilibria, other.dominant_a, other.dominant_b) == (
            matrix.equilibria,
            matrix.dominant_a,
            matrix.dominant_b,
        )


@pytest.mark.parametrize("values", [(1, 2, 3), (1, 2, 2, 3), (4, 3, 2, 1)])
def test_other_payoffs_would_be_another_game(values: tuple[int, ...]):
    """Payoffs that do not go up strictly are refused."""
    with pytest.raises(ValueError, match="go up strictly"):
        GAMES["111"].matrix.relabelled(values, (1, 2, 3, 4))


def test_matching_pennies_is_mixed():
    """Without a pure equilibrium both players mix; in matching pennies evenly."""
    assert not PENNIES.equilibria
    assert PENNIES.mixed == (Fraction(1, 2), Fraction(1, 2))


def test_nobody_gains_by_leaving_the_mixed_equilibrium():
    """It exists exactly where none or two are pure, and leaves both players indifferent."""
    for name in GAMES:
        matrix = GAMES[name].matrix

        mixed = matrix.mixed

        assert (mixed is not None) == (len(matrix.equilibria) != 1)
        if mixed:
            a1, b1 = mixed
            assert b1 * matrix.a[0][0] + (1 - b1) * matrix.a[0][1] == b1 * matrix.a[1][0] + (1 - b1) * matrix.a[1][1]
            assert a1 * matrix.b[0][0] + (1 - a1) * matrix.b[1][0] == a1 * matrix.b[0][1] + (1 - a1) * matrix.b[1][1]

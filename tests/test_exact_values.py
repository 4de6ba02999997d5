"""Uniform random play, through the real command line and journal, against values computed exactly.

The exact values come from expanding the game trees in fractions; see docs/data-sources.md.
"""

from fractions import Fraction
from math import sqrt

import pytest
from arena_engine import Journal

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_500)]

BENCH = """
name: exact
seed: 20
games: {{ttt: {{use: tic-tac-toe}}, kuhn: {{use: kuhn-poker}}}}
agents: {{random: {{use: random}}}}
schedule: {{use: self-play, repeats: {n}}}
metrics: []
"""

TIC_TAC_TOE = {(1.0, -1.0): Fraction(737, 1260), (-1.0, 1.0): Fraction(121, 420), (0.0, 0.0): Fraction(8, 63)}
PLIES = {5: Fraction(2, 21), 6: Fraction(37, 420), 7: Fraction(37, 140), 8: Fraction(1, 5), 9: Fraction(37, 105)}
KUHN_MEAN = Fraction(1, 8)


def deviation(count: int, n: int, share: Fraction) -> float:
    """How many standard errors an observed count of n lies from its exact share."""
    return (count - n * float(share)) / sqrt(n * float(share * (1 - share)))


@pytest.mark.slow
@pytest.mark.parametrize("n", [2_000, *(pytest.param(n, marks=pytest.mark.campaign) for n in (5_000, 20_000, 100_000))])
def test_random_play_reproduces_the_exact_values(arena, tmp_path, n):
    """Wins, draws and lengths of tic-tac-toe and the first player's earnings in Kuhn poker lie within |z| < 4."""
    (tmp_path / "exact.yaml").write_text(BENCH.format(n=n))
    done = arena("run", "exact.yaml", "--output", "run", timeout_s=1_200)
    assert done.returncode == 0, done.stderr
    results: dict[tuple, int] = {}
    plies: dict[int, int] = {}
    kuhn: list[float] = []

    with Journal.open(tmp_path / "run") as journal:
        for match in journal.records():
            assert match.returns is not None
            if match.game == "kuhn":
                kuhn.append(match.returns[0])
            else:
                results[match.returns] = results.get(match.returns, 0) + 1
                length = sum(1 for _ in match.played())
                plies[length] = plies.get(length, 0) + 1

    assert sum(results.values()) == sum(plies.values()) == len(kuhn) == n
    for returns, share in TIC_TAC_TOE.items():
        assert abs(deviation(results[returns], n, share)) < 4, (returns, results[returns])
    for length, share in PLIES.items():
        assert abs(deviation(plies[length], n, share)) < 4, (length, plies[length])

    exact_mean = sum(length * share for length, share in PLIES.items())
    exact_variance = sum(length**2 * share for length, share in PLIES.items()) - exact_mean**2
    mean_plies = sum(length * count for length, count in plies.items()) / n
    assert exact_mean == Fraction(3203, 420)
    assert abs(mean_plies - float(exact_mean)) / sqrt(float(exact_variance) / n) < 4

    mean = sum(kuhn) / n
    variance = sum((earned - mean) ** 2 for earned in kuhn) / (n - 1)
    assert abs(mean - float(KUHN_MEAN)) / sqrt(variance / n) < 4

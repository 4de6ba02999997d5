"""What answers at random score with as many answers to each game as an agent gave.

Few answers to a game are unevenly spread by chance alone: with four random answers to each game ID is 31 % on average
and BD 12 %, where endlessly many would have 25 % and 0. The expected scores are exact, and their ranges simulated.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

import attrs
from arena.tables import Estimate
from arena_game_two_by_two.matrix import REFLECTED, Choices
from arena_game_two_by_two.topology import GAMES
from arena_metric_statistics.numerics import Floats, np
from arena_metric_statistics.references import random_simulated

from arena_metric_equilibria.scores import with_equilibria

RUNS: Final = 2_000
"""How many times all games are answered at random, for the ranges of the scores."""

Part = Mapping[str, Floats]
"""By game: in each simulated run its part of a score."""


@attrs.frozen(slots=False, kw_only=True)
class RandomAnswers:
    """Each game is answered ``counts`` times, with one of its ``options`` drawn evenly each time."""

    options: Mapping[str, Sequence[Choices]]
    counts: Mapping[str, int]
    level: float
    seed: int

    def scores(self, among: Iterable[str] | None = None) -> tuple[Estimate | None, ...]:
        """PAR, ID and BD over the games ``among`` those that were asked, by default all, in this order."""
        games = [game for game in self.counts if among is None or game in set(among)]
        paired = [game for game in games if GAMES[game].sister.id in self.counts]
        return (
            self._estimate({game: self._accuracy(game) for game in games}, self._accuracies),
            self._estimate({game: self._inconsistency(game) for game in games}, self._inconsistencies),
            self._estimate({game: self._bias(game) for game in paired}, self._biases),
        )

    def preference(self) -> Estimate | None:
        """SD over the games without equilibrium that were asked."""
        games = [game for game in with_equilibria(0) if game in self.counts]
        expected: dict[str, Fraction] = {}
        for game in games:
            f1, f2, f3, f4 = self._means(game)
            expected[game] = (f1 + f4 - f2 - f3) / 4 * _sign(game)
        return self._estimate(expected, self._diagonals)

    def _estimate(self, expected: Mapping[str, Fraction], simulated: Part) -> Estimate | None:
        if not expected:
            return None
        found = np.mean([simulated[game] for game in expected], axis=0)
        value = float(sum(expected.values(), Fraction()) / len(expected))
        return random_simulated(value, found, len(expected), level=self.level, unit="games")

    def _means(self, game: str) -> tuple[Fraction, ...]:
        options = self.options[game]
        return tuple(Fraction(sum(o in each for each in options), len(options)) for o in range(1, 5))

    def _accuracy(self, game: str) -> Fraction:
        right = GAMES[game].matrix.equilibria
        return Fraction(sum(each == right for each in self.options[game]), len(self.options[game]))

    def _inconsistency(self, game: str) -> Fraction:
        right, n = GAMES[game].matrix.equilibria, self.counts[game]
        off = ((p, p - (o in right)) for o, p in enumerate(self._means(game), start=1))
        return sum((gap**2 + p * (1 - p) / n for p, gap in off), Fraction()) / 4

    def _bias(self, game: str) -> Fraction:
        sister = GAMES[game].sister.id
        own, other = self._means(game), self._means(sister)
        return sum((self._gap(game, sister, own, other, pair) for pair in REFLECTED.items()), Fraction()) / 4

    def _gap(
        self, game: str, sister: str, own: Sequence[Fraction], other: Sequence[Fraction], pair: tuple[int, int]
    ) -> Fraction:
        """The expected square of the difference of two frequencies; a symmetric game is its own sister."""
        p, q = own[pair[0] - 1], other[pair[1] - 1]
        if sister != game:
            return (p - q) ** 2 + p * (1 - p) / self.counts[game] + q * (1 - q) / self.counts[sister]
        options = self.options[game]
        differing = Fraction(sum((pair[0] in each) != (pair[1] in each) for each in options), len(options))
        return (p - q) ** 2 + (differing - (p - q) ** 2) / self.counts[game]

    @cached_property
    def _drawn(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """By game: how often each combination was named in each run, and the share of right answers."""
        rng = np.random.default_rng(self.seed)
        named: dict[str, Floats] = {}
        right: dict[str, Floats] = {}
        for game in sorted(self.counts):
            options, count = self.options[game], self.counts[game]
            times = rng.multinomial(count, [1 / len(options)] * len(options), size=RUNS) / count
            named[game] = times @ np.array([[float(o in each) for o in range(1, 5)] for each in options])
            right[game] = times @ np.array([float(each == GAMES[game].matrix.equilibria) for each in options])
        return named, right

    @cached_property
    def _accuracies(self) -> Part:
        return self._drawn[1]

    @cached_property
    def _inconsistencies(self) -> Part:
        found: dict[str, Floats] = {}
        for game, named in self._drawn[0].items():
            right = np.array([float(o in GAMES[game].matrix.equilibria) for o in range(1, 5)])
            found[game] = ((named - right) ** 2).mean(axis=1)
        return found

    @cached_property
    def _biases(self) -> Part:
        named = self._drawn[0]
        order = [REFLECTED[o] - 1 for o in range(1, 5)]
        paired = {game: GAMES[game].sister.id for game in named if GAMES[game].sister.id in named}
        return {game: ((named[game] - named[sister][:, order]) ** 2).mean(axis=1) for game, sister in paired.items()}

    @cached_property
    def _diagonals(self) -> Part:
        ways, wanted = np.array([1.0, -1.0, -1.0, 1.0]) / 4, set(with_equilibria(0))
        return {game: named @ ways * _sign(game) for game, named in self._drawn[0].items() if game in wanted}


def _sign(game: str) -> int:
    """The sign of SD in a game without equilibrium, by the box in which it lies."""
    return 1 if GAMES[game].row > 6 else -1

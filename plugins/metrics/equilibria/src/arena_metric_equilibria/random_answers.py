"""What random answers score with as many answers as an agent gave: the mean, and where 95 % of such scores lie.

With few answers to each game the shares of combinations scatter, so that ID and BD of random answers are larger than
those of endlessly many: with four answers 31 % and 12.5 % where the limits are 25 % and 0. The means are exact, the
intervals come of drawn answers.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import attrs
from arena.metric import Measurements
from arena.tables import Estimate
from arena_game_two_by_two.matrix import REFLECTED, Choices
from arena_game_two_by_two.topology import GAMES
from arena_metric_statistics.numerics import Floats, np

from arena_metric_equilibria.scores import with_equilibria

DRAWN: Final = 1_000
"""How many times the answers to all games are drawn."""

Possible: TypeAlias = Sequence[Choices | None]
"""The answers to one game, of which each is given with the same probability."""


@attrs.frozen(eq=False)
class RandomAnswers:
    """Random answers to games: the expected parts of each score by game, and the drawn ones."""

    expected: Mapping[str, Mapping[str, float]]
    drawn: Mapping[str, Mapping[str, Floats]]
    answers: int
    level: float

    @classmethod
    def of(cls, possible: Mapping[str, Possible], counts: Mapping[str, int], table: Measurements) -> "RandomAnswers":
        """Random answers, so many to each game as ``counts`` says."""
        rng = np.random.default_rng(table.seed)
        expected: dict[str, dict[str, float]] = {name: {} for name in ("PAR", "ID", "BD", "SD")}
        drawn: dict[str, dict[str, Floats]] = {name: {} for name in expected}
        given = {game: _Given.of(possible[game], count, rng) for game, count in counts.items() if count}
        for game, own in given.items():
            right = GAMES[game].matrix.equilibria
            hits = np.array([answer == right for answer in possible[game]], dtype=float)
            off = own.named - np.array([option in right for option in range(1, 5)], dtype=float)
            expected["PAR"][game], drawn["PAR"][game] = float(hits.mean()), own.weights @ hits
            _keep(expected["ID"], drawn["ID"], game, own.squares(off), own.weights @ off)
            sister = GAMES[game].sister.id
            if sister in given:
                other = given[sister]
                order = [o_ref - 1 for _, o_ref in sorted(REFLECTED.items())]
                reflected = other.named[:, order]
                apart = own.weights @ own.named - other.weights @ reflected
                gaps = own.squares(own.named - reflected) if sister == game else own.gaps(other, reflected)
                _keep(expected["BD"], drawn["BD"], game, gaps, apart)
        for game in (each for each in with_equilibria(0) if each in given):
            side = np.array([1.0, -1.0, -1.0, 1.0]) / 4 * (1 if GAMES[game].row > 6 else -1)
            own = given[game]
            expected["SD"][game] = float(own.named.mean(axis=0) @ side)
            drawn["SD"][game] = own.weights @ own.named @ side
        return cls(expected, drawn, sum(counts.values()), table.level)

    def score(self, name: str) -> Estimate:
        """The mean of a score over the games and where it lies; BD is over games whose sister was asked too."""
        own = self.expected[name]
        if not own:
            return Estimate(value=None, n=0, level=self.level, unit="games", method="nothing observed")
        value = sum(own.values()) / len(own)
        found = np.sort(np.mean(list(self.drawn[name].values()), axis=0))
        tail = int(0.8 * (1 - self.level) / 2 * DRAWN)  # a fifth less than the tails, since drawn ends are uncertain
        low, high = float(found[tail]), float(found[-1 - tail])
        method = f"where random answers lie with {self.answers} answers, drawn {DRAWN} times"
        ends = (min(low, value), max(high, value)) if high > low else (None, None)
        return Estimate(
            value=value,
            n=len(own),
            low=ends[0],
            high=ends[1],
            level=self.level,
            unit="games",
            method=method if high > low else "exact",
        )


@attrs.frozen(eq=False)
class _Given:
    """The possible answers to one game as rows of zeros and ones, and how often each was given in each draw."""

    named: Floats
    weights: Floats
    count: int

    @classmethod
    def of(cls, possible: Possible, count: int, rng: Any) -> "_Given":
        named = np.array([[option in (answer or ()) for option in range(1, 5)] for answer in possible], dtype=float)
        evenly = np.full(len(possible), 1 / len(possible))
        return cls(named, rng.multinomial(count, evenly, size=DRAWN) / count, count)

    def squares(self, off: Floats) -> Floats:
        """The expected squares of the mean of a column over the answers given."""
        return off.mean(axis=0) ** 2 + off.var(axis=0) / self.count

    def gaps(self, other: "_Given", reflected: Floats) -> Floats:
        """The expected squares of the differences to another game's shares, which are independent of these."""
        scatter = self.named.var(axis=0) / self.count + reflected.var(axis=0) / other.count
        return (self.named.mean(axis=0) - reflected.mean(axis=0)) ** 2 + scatter


def _keep(
    expected: dict[str, float], drawn: dict[str, Floats], game: str, squares: Floats, differences: Floats
) -> None:
    expected[game] = float(squares.mean())
    drawn[game] = (differences**2).mean(axis=1)

"""The scores of TMGBench, section 2.5, computed exactly: rational numbers from counted answers.

``Freq[g, o]`` is the share of the answers to game g that contain combination o; ``std[g, o]`` is 1 if o is an
equilibrium of g, otherwise 0. All sums run over games; each game counts the same however often it was asked.

TMGBench's text compares a game with its mirror image at (j, i). The symmetry of the table is reflection in the
counter-diagonal, (13 - j, 13 - i), as its own figures show, and only with that does an agent that is always right have
no bias. The text gives the range of the significance degree as [-1, 1]; since four shares are averaged it is [-½, ½].

An answer that cannot be read is wrong in each measure: it counts against accuracy, and each combination is taken to be
named by it or not, whichever is worse. Only the significance degree, of which no value is worse, is that of the answers
that can be read. The paper does not say how it counts such answers.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, pstdev
from typing import Final, TypeAlias

import attrs
from arena_game_two_by_two.matrix import REFLECTED, Choices
from arena_game_two_by_two.topology import GAMES

Answer: TypeAlias = Choices | None
"""The combinations that an answer names; ``None`` if it was unreadable, which is wrong in each measure."""

Answers: TypeAlias = Mapping[str, Sequence[Answer]]
"""The answers by game (``"111"`` to ``"466"``)."""

COUNTS: Final = (0, 1, 2)
"""How many pure equilibria a game can have: 18, 108 and 18 games."""


@attrs.frozen
class Frequencies:
    """``Freq`` of the combinations 1 to 4 among all answers to a game, and the share of answers that are unreadable."""

    named: tuple[Fraction, ...]
    unreadable: Fraction = Fraction()

    @property
    def readable(self) -> tuple[Fraction, ...] | None:
        """``Freq`` among the answers that can be read, or ``None`` if none can."""
        return None if self.unreadable == 1 else tuple(share / (1 - self.unreadable) for share in self.named)

    def apart(self, choice: int, other: Fraction, other_unreadable: Fraction = Fraction()) -> Fraction:
        """How far the share of a choice may be from another one, with unreadable answers on the side that is worse."""
        share = self.named[choice - 1]
        return max(share + self.unreadable - other, other + other_unreadable - share)


@attrs.frozen
class AnswerScores:
    """The three scores of a set of answers.

    ``par`` is the perfect accuracy rate (1 is best), ``id`` the inconsistency degree and ``bd`` the bias degree (0 is
    best). ``None`` if no game was asked, or for ``bd`` no pair of sister games.
    """

    par: Fraction | None
    id: Fraction | None
    bd: Fraction | None


def score(answers: Answers, games: Iterable[str] | None = None) -> AnswerScores:
    """PAR, ID and BD over ``games``, by default over all that were answered.

    A game counts towards the bias if its sister was answered too.
    """
    asked = [game for game in (answers if games is None else games) if answers.get(game)]
    shares = frequencies(answers)
    paired = [game for game in asked if GAMES[game].sister.id in shares]
    return AnswerScores(
        par=_mean([accuracy(game, answers[game]) for game in asked]),
        id=_mean([inconsistency(game, shares[game]) for game in asked]),
        bd=_mean([bias(shares[game], shares[GAMES[game].sister.id]) for game in paired]),
    )


def with_equilibria(count: int) -> tuple[str, ...]:
    """The games that have exactly ``count`` pure equilibria."""
    return tuple(name for name, game in GAMES.items() if len(game.matrix.equilibria) == count)


def frequencies(answers: Answers) -> dict[str, Frequencies]:
    """``Freq`` by game, as in section 2.5 of TMGBench."""
    return {
        game: Frequencies(
            tuple(Fraction(sum(o in (a or ()) for a in given), len(given)) for o in range(1, 5)),
            Fraction(sum(a is None for a in given), len(given)),
        )
        for game, given in answers.items()
        if given
    }


def accuracy(game: str, given: Sequence[Answer]) -> Fraction:
    """The share of answers that name all equilibria of the game and nothing else."""
    right = GAMES[game].matrix.equilibria
    return Fraction(sum(answer == right for answer in given), len(given))


def inconsistency(game: str, shares: Frequencies) -> Fraction:
    """The game's part of ID: ¼ Σ (Freq - std)²."""
    right = GAMES[game].matrix.equilibria
    return sum((shares.apart(o, Fraction(o in right)) ** 2 for o in range(1, 5)), Fraction()) / 4


def bias(shares: Frequencies, sister: Frequencies) -> Fraction:
    """The game's part of BD: ¼ Σ (Freq - Freq of the reflected combination in the sister game)²."""
    gaps = (shares.apart(o, sister.named[o_ref - 1], sister.unreadable) for o, o_ref in REFLECTED.items())
    return sum((gap**2 for gap in gaps), Fraction()) / 4


def significance(answers: Answers) -> Fraction | None:
    """How strongly answers to games without equilibrium prefer the diagonal.

    1/18 Σ ¼ (F₁ + F₄ - F₂ - F₃)·S over the games without equilibrium, S = 1 in the lower right box of the table and -1
    in the upper left; from -½ to ½ (TMGBench, appendix E.1). ``None`` if no answer to such a game can be read.
    """
    shares = frequencies(answers)
    parts = [diagonal(game, shares[game]) for game in with_equilibria(0) if game in shares]
    return _mean([part for part in parts if part is not None])


def diagonal(game: str, shares: Frequencies) -> Fraction | None:
    """The part of SD of a game without equilibrium, of the answers that can be read: ¼ (F₁ + F₄ - F₂ - F₃)·S."""
    if shares.readable is None:
        return None
    f1, f2, f3, f4 = shares.readable
    return (f1 + f4 - f2 - f3) / 4 * (1 if GAMES[game].row > 6 else -1)


def variations(rates: Iterable[Sequence[float]]) -> list[float]:
    """The coefficient of variation of the stories' accuracy rates in each game with a mean above zero."""
    return [pstdev(values) / fmean(values) for values in rates if values and fmean(values) > 0]


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None

"""The scores of TMGBench, section 2.5, computed exactly: rational numbers from counted answers.

``Freq[g, o]`` is the share of the answers to game g that contain combination o; ``std[g, o]`` is 1 if o is an
equilibrium of g, otherwise 0. All sums run over games; each game counts the same however often it was asked.

TMGBench's text compares a game with its mirror image at (j, i). The symmetry of the table is reflection in the
counter-diagonal, (13 - j, 13 - i), as its own figures show, and only with that does an agent that is always right have
no bias. The text gives the range of the significance degree as [-1, 1]; since four shares are averaged it is [-½, ½].
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, pstdev
from typing import Final, TypeAlias

import attrs
from arena_game_two_by_two.matrix import REFLECTED, Choices
from arena_game_two_by_two.topology import GAMES

Answer: TypeAlias = Choices | None
"""The combinations that an answer names; ``None`` if it was unreadable, which is wrong and names nothing."""

Answers: TypeAlias = Mapping[str, Sequence[Answer]]
"""The answers by game (``"111"`` to ``"466"``)."""

COUNTS: Final = (0, 1, 2)
"""How many pure equilibria a game can have: 18, 108 and 18 games."""


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


def frequencies(answers: Answers) -> dict[str, tuple[Fraction, ...]]:
    """``Freq`` of the combinations 1 to 4, by game, as in section 2.5 of TMGBench."""
    return {
        game: tuple(Fraction(sum(o in (a or ()) for a in given), len(given)) for o in range(1, 5))
        for game, given in answers.items()
        if given
    }


def accuracy(game: str, given: Sequence[Answer]) -> Fraction:
    """The share of answers that name all equilibria of the game and nothing else."""
    right = GAMES[game].matrix.equilibria
    return Fraction(sum(answer == right for answer in given), len(given))


def inconsistency(game: str, shares: Sequence[Fraction]) -> Fraction:
    """The game's part of ID: ¼ Σ (Freq - std)²."""
    right = GAMES[game].matrix.equilibria
    return sum(((share - (o in right)) ** 2 for o, share in enumerate(shares, start=1)), Fraction()) / 4


def bias(shares: Sequence[Fraction], sister: Sequence[Fraction]) -> Fraction:
    """The game's part of BD: ¼ Σ (Freq - Freq of the reflected combination in the sister game)²."""
    return sum(((shares[o - 1] - sister[o_ref - 1]) ** 2 for o, o_ref in REFLECTED.items()), Fraction()) / 4


def significance(answers: Answers) -> Fraction | None:
    """How strongly answers to games without equilibrium prefer the diagonal.

    1/18 Σ ¼ (F₁ + F₄ - F₂ - F₃)·S over the games without equilibrium, S = 1 in the lower right box of the table and -1
    in the upper left; from -½ to ½ (TMGBench, appendix E.1).
    """
    shares = frequencies(answers)
    return _mean([diagonal(game, shares[game]) for game in with_equilibria(0) if game in shares])


def diagonal(game: str, shares: Sequence[Fraction]) -> Fraction:
    """The part of SD of a game without equilibrium: ¼ (F₁ + F₄ - F₂ - F₃)·S."""
    f1, f2, f3, f4 = shares
    return (f1 + f4 - f2 - f3) / 4 * (1 if GAMES[game].row > 6 else -1)


def variations(rates: Iterable[Sequence[float]]) -> list[float]:
    """The coefficient of variation of the stories' accuracy rates in each game with a mean above zero."""
    return [pstdev(values) / fmean(values) for values in rates if values and fmean(values) > 0]


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None

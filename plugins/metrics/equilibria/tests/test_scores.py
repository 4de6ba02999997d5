from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.topology import GAMES, OrdinalGame
from arena_metric_equilibria.scores import COUNTS, Answers, score, significance, with_equilibria


def answered(*rules: Callable[[OrdinalGame], Choices]) -> Answers:
    """Each rule answers each game once."""
    return {name: [rule(game) for rule in rules] for name, game in GAMES.items()}


def right(game: OrdinalGame) -> Choices:
    return game.matrix.equilibria


def constant(*choices: int) -> Callable[[OrdinalGame], Choices]:
    return lambda game: Choices(choices)


def peculiar(game: OrdinalGame) -> Choices:
    if right(game):
        return right(game)
    return Choices({1, 4} if game.row > 6 else {2, 3})


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (answered(right), (Fraction(1), Fraction(0), Fraction(0))),
        (answered(constant()), (Fraction(1, 8), Fraction(1, 4), Fraction(0))),
        (answered(constant(1, 2, 3, 4)), (Fraction(0), Fraction(3, 4), Fraction(0))),
        (answered(constant(1)), (Fraction(3, 16), Fraction(3, 8), Fraction(1, 2))),
        (answered(right, constant()), (Fraction(9, 16), Fraction(1, 16), Fraction(0))),
    ],
    ids=["always right", "always empty", "all four", "always (A1,B1)", "half right and half empty"],
)
def test_known_agents_have_known_scores(answers: Answers, expected: tuple[Fraction, Fraction, Fraction]):
    """Simple ways to answer have exact scores that can be worked out by hand."""
    found = score(answers)

    assert (found.par, found.id, found.bd) == expected


def test_a_preferred_diagonal_is_significant():
    """Who names one diagonal in one box without equilibria and the other in the other has the greatest significance."""
    answers = answered(peculiar)

    found = score(answers, with_equilibria(0))

    assert significance(answers) == Fraction(1, 2)
    assert (found.bd, found.id) == (1, Fraction(1, 2))


@pytest.mark.parametrize("games", [GAMES, *map(with_equilibria, COUNTS)], ids=["all", "none", "one", "two"])
def test_who_never_answers_has_the_worst_scores_there_are(games: Sequence[str]):
    """Unreadable answers are wrong in every measure, over all games and over each number of equilibria."""
    found = score({name: [None] for name in GAMES}, games)

    assert (found.par, found.id, found.bd) == (0, 1, 1)
    assert significance({name: [None] for name in GAMES}) is None


@pytest.mark.parametrize("rule", [right, constant(), constant(1), constant(1, 2, 3, 4), peculiar])
def test_an_unreadable_answer_is_never_better_than_any_other(rule: Callable[[OrdinalGame], Choices]):
    """Instead of one of two answers, none that can be read makes no score better than any of the sixteen answers."""
    mixed = score({name: [rule(game), None] for name, game in GAMES.items()})

    for bits in range(16):
        named = Choices(n for n in range(1, 5) if bits >> (n - 1) & 1)
        other = score({name: [rule(game), named] for name, game in GAMES.items()})
        assert (mixed.par or 0) <= (other.par or 0)
        assert (mixed.id or 0) >= (other.id or 0)
        assert (mixed.bd or 0) >= (other.bd or 0)


def test_a_preference_is_that_of_the_answers_that_can_be_read():
    """An unreadable answer beside each other one changes nothing about the preferred diagonal."""
    answers = {name: [peculiar(game), None] for name, game in GAMES.items()}

    assert significance(answers) == Fraction(1, 2)


@pytest.mark.parametrize("rule", [right, constant(), constant(1), constant(2, 3), peculiar])
def test_parts_make_up_the_whole(rule: Callable[[OrdinalGame], Choices]):
    """A score over all games is the mean of those over 18, 108 and 18 games with none, one and two equilibria."""
    answers = answered(rule)
    parts = [score(answers, with_equilibria(count)) for count in COUNTS]

    for name in ("par", "id", "bd"):
        weighted = sum(w * getattr(part, name) for w, part in zip((18, 108, 18), parts, strict=True))
        assert getattr(score(answers), name) == weighted / 144


def test_half_a_pair_has_no_bias():
    """A game whose sister was not asked counts for accuracy, and not for bias."""
    found = score({"123": [Choices({1})]})

    assert found.par is not None
    assert found.bd is None

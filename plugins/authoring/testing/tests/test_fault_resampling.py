"""Planted faults in positions that are drawn for a player: the truth, half the truth, and what cannot be."""

import pytest
from arena.chance import Chance
from arena.record import EVERYONE, GameEvent
from arena.testing import check_game
from arena_testing.foundation.homogeneity import contrast, fisher

from .games_secrets import Cards, Dice, Hands, Rolls
from .planted import Planted, fault_of


@pytest.mark.slow
@pytest.mark.parametrize("game", [Cards(), Cards(ranks=52), Dice()], ids=repr)
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.sample(slow=1)
def test_positions_drawn_rightly(game, seed):
    """A game that draws what a player has not seen passes, and says how many draws were compared."""
    report = check_game(game, seed=seed)

    assert (report.draws > 1_000) is isinstance(game, Cards)


class Copied(Hands):
    """Thinks on the match as it is."""

    def resample_hidden(self, player, chance):
        return self.clone()


@pytest.mark.slow
def test_truth_in_every_draw():
    """A copy of the match in place of a drawn position shows search agents the hidden card."""
    fault = fault_of(Planted(Cards(), Copied))

    assert fault.check == "resample"
    assert fault.what.startswith("drawn positions always hold the true hidden part (200 of 200 draws, ")
    assert "is always" in fault.sight


class HalfTrue(Hands):
    """Gives the true card away in every third draw."""

    def resample_hidden(self, player, chance):
        is_true = chance.index("is true", 3) == 0
        return self.clone() if is_true else Hands.resample_hidden(self, player, chance)


@pytest.mark.campaign
@pytest.mark.parametrize("ranks", [6, 52])
def test_truth_more_often_than_chance(ranks):
    """The true card among drawn ones is found where it comes up more often than from another truth."""
    fault = fault_of(Planted(Cards(ranks=ranks), HalfTrue))

    assert fault.check == "resample"
    assert "depend on what the player cannot see" in fault.what


class TheFirst(Hands):
    """Always draws the lowest card that the player does not hold."""

    def resample_hidden(self, player, chance):
        other = min({1, 2} - {self.hands[player]})
        return type(self)(self.ranks, self._with(player, other), list(self.guesses))


@pytest.mark.slow
def test_one_position_though_several_fit():
    """A position that is always the same, and true for one match, is found though it tells nothing of the other."""
    fault = fault_of(Planted(Cards(ranks=3), TheFirst))

    assert (fault.check, "always" in fault.what) == ("resample", True)


class Twice(Hands):
    """Draws the other card from all cards, the player's own among them."""

    def resample_hidden(self, player, chance):
        other = chance.choice("other", range(1, self.ranks + 1))
        return type(self)(self.ranks, self._with(player, other), list(self.guesses))


@pytest.mark.slow
def test_position_that_cannot_come_about():
    """A card that both players hold in a drawn position is found, since no deal leads there."""
    fault = fault_of(Planted(Cards(ranks=4), Twice))

    assert fault.check == "resample"
    assert "no deal leads there" in fault.what


class OtherGuesses(Hands):
    """Forgets a guess."""

    def resample_hidden(self, player, chance):
        drawn = Hands.resample_hidden(self, player, chance)
        drawn.guesses = [1, *self.guesses[1:]] if self.guesses else []
        return drawn


def test_position_that_looks_different():
    """A drawn position in which the player sees something else than in the match is found."""
    fault = fault_of(Planted(Cards(), OtherGuesses))

    assert (fault.check, "observation" in fault.what) == ("resample", True)


class Itself(Hands):
    """Gives the match itself away."""

    def resample_hidden(self, player, chance):
        return self


class Drawing(Hands):
    """Deals the match itself anew."""

    def resample_hidden(self, player, chance):
        drawn = Hands.resample_hidden(self, player, chance)
        self.hands[1 - player] = drawn.hands[1 - player]
        return drawn


class Sharing(Hands):
    """Shares the list of guesses with what it draws."""

    def resample_hidden(self, player, chance):
        drawn = Hands.resample_hidden(self, player, chance)
        drawn.guesses = self.guesses
        return drawn


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (Itself, "returns the match itself"),
        (Drawing, "changes the match"),
        (Sharing, "happens in the match"),
    ],
)
def test_match_that_is_not_left_alone(state, said):
    """Drawing a position, and playing on from it, must leave the match alone."""
    fault = fault_of(Planted(Cards(), state))

    assert (fault.check, said in fault.what) == ("resample", True)


class SameDice(Rolls):
    """Thinks on with the dice of the match."""

    def resample_hidden(self, player, chance):
        return self.clone()


def test_chance_of_the_match():
    """A drawn position that will roll what the match will roll shows search agents the future."""
    fault = fault_of(Planted(Dice(), SameDice))

    assert fault.check == "resample"
    assert "go on with the chance of the match itself" in fault.what
    assert "'die'" in fault.sight


class Foretelling(Rolls):
    """Looks into its chance and tells what will be rolled next."""

    def apply(self, actions):
        events = Rolls.apply(self, actions)
        coming = 1 + self.chance.clone().index("die", 6)
        return [*events, GameEvent("coming", coming, EVERYONE)] if self.to_act() else events


@pytest.mark.slow
def test_draw_that_is_foretold():
    """An event that tells a draw before it is made is found by exchanging the draw."""
    fault = fault_of(Planted(Dice(), Foretelling))

    assert fault.check == "announced"
    assert "'die'" in fault.what


@pytest.mark.parametrize(("a", "b", "expected"), [(5, 5, 1.0), (10, 0, 2 / 184756), (3, 1, 0.58204)])
def test_exact_test(a, b, expected):
    """Fisher's exact test gives what the hypergeometric distribution says, for ten against ten."""
    assert fisher(a, 10, b, 10) == pytest.approx(expected, rel=1e-4)


@pytest.mark.slow
def test_equal_distributions_are_not_told_apart():
    """Of samples from one distribution, about as few are told apart as the level allows, however rich they are."""
    wrong = 0
    for number in range(200):
        chance = Chance(number)
        one, two = ([[chance.index("a", 6), chance.index("b", 2)] for _ in range(100)] for _ in range(2))
        found = contrast(one, two)
        wrong += found is not None and found.corrected < 0.05

    assert wrong <= 10

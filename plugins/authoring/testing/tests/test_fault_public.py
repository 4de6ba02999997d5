"""Planted faults in what a bystander sees: each is found, and called by its name."""

import itertools

import pytest
from arena.game import ABSENT, public_view
from arena.testing import check_game

from .games_board import TicTacToe
from .games_cards import Fireworks, FireworksTable, KuhnHand, KuhnPoker
from .games_together import Benches, Europe, Letters, Workshop
from .planted import Planted, fault_of


class ShowsBids(KuhnHand):
    """Shows what everybody hears, and the cards that are shown at the end."""

    def observe_public(self):
        is_shown = not self.to_act() and self.bids[-1] != "fold"
        return {"bids": list(self.bids), "cards": list(self.hands) if is_shown else None}


def test_sound_view_passes():
    """A view made of what everybody is told is no fault, and is compared between many matches."""
    report = check_game(Planted(KuhnPoker(), ShowsBids), without=("told", "announced", "resample"))

    assert report.differing


class ShowsCards(KuhnHand):
    """Shows the cards of both players."""

    def observe_public(self):
        return {"bids": list(self.bids), "cards": list(self.hands)}


class ShowsFolded(KuhnHand):
    """Shows the cards at the end, also after a fold, when nobody shows them."""

    def observe_public(self):
        return {"bids": list(self.bids), "cards": None if self.to_act() else list(self.hands)}


class TellsWhoLeads(KuhnHand):
    """Says who has the better card."""

    def observe_public(self):
        return {"bids": list(self.bids), "leads": self.hands[0] == "king"}


class ShowsDeck(FireworksTable):
    """Shows the card that is drawn next."""

    def observe_public(self):
        return {"next": [list(card) for card in self.deck[-1:]]}


class CountsLetters(Europe):
    """Says how many letters were written, which only those know who wrote or got one."""

    def observe_public(self):
        return {"armies": list(self.armies), "letters": len(self.letters)}


class CountsSteps(Benches):
    """Says how often something was crafted, of which nobody else is told."""

    def observe_public(self):
        return {"crafted": sum(sum(stock.values()) for stock in self.stocks)}


@pytest.mark.sample(fast=1, slow=3)
@pytest.mark.parametrize(
    ("game", "state"),
    [
        (KuhnPoker(), ShowsCards),
        (KuhnPoker(), ShowsFolded),
        (KuhnPoker(), TellsWhoLeads),
        (Fireworks(), ShowsDeck),
        (Letters(), CountsLetters),
        (Workshop(), CountsSteps),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_more_than_everybody_is_told(game, state):
    """What differs after the same public events is a fault that names both views."""
    fault = fault_of(Planted(game, state))

    assert fault.check == "public"
    assert fault.what.startswith("a bystander is shown ")


class Changes(KuhnHand):
    """Shows another number each time."""

    numbers = itertools.count()

    def observe_public(self):
        return {"number": next(self.numbers)}


class OwnData(KuhnHand):
    """Hands out its own list of bids."""

    def observe_public(self):
        return {"bids": self.bids}


class NoJson(KuhnHand):
    """Shows a set."""

    def observe_public(self):
        return {"bids": set(self.bids)}


@pytest.mark.parametrize(("state", "what"), [(OwnData, "own data"), (NoJson, "set")])
def test_view_is_data_of_its_own(state, what):
    """It is JSON, and changing it changes nothing of the match."""
    fault = fault_of(Planted(KuhnPoker(), state))

    assert what in fault.what


def test_view_is_the_same_each_time():
    """A view that differs each time it is read is a fault."""
    assert fault_of(Planted(KuhnPoker(), Changes)).check in ("public", "observation", "determinism")


def test_forms_take_the_view():
    """A form that needs what only players see is a fault, with the actions that lead to it."""
    fault = fault_of(Planted(KuhnPoker(), ShowsBids, forms_added={"brief": lambda view: str(view["cards"]["0"])}))

    assert fault.check in ("crash", "forms")


def test_view_of_games_that_do_not_say():
    """Where nothing is hidden a bystander sees everything; where something is, it sees no position."""
    from arena.chance import Chance

    open_, hidden = TicTacToe(), KuhnPoker()
    board, _ = open_.start(Chance(1), 2)
    hand, _ = hidden.start(Chance(1), 2)

    assert public_view(board, open_.facts(2)) == board.observe(None)
    assert public_view(hand, hidden.facts(2)) is ABSENT

"""Planted events that tell too much: a private deal told to all, and what has not happened yet."""

import attrs
import pytest
from arena.game import Decision, GameFacts, Options
from arena.record import EVERYONE, GameEvent, Player
from arena.testing import check_game

from .games_cards import Fireworks, KuhnHand, KuhnPoker
from .games_secrets import Cards, Dice, Hands, Rolls
from .games_tables import Proposals
from .games_together import Letters, Workshop
from .planted import Planted, fault_of


def to_all(event):
    """Tell everybody the card of the first player."""
    data = event.data
    is_first = data["player"] == 0 if isinstance(data, dict) else event.to == (0,)
    return event._replace(to=EVERYONE) if event.kind == "dealt" and is_first else event


@pytest.mark.slow
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("game", [Cards(), Cards(ranks=52), KuhnPoker()], ids=repr)
def test_private_deal_told_to_all(game):
    """A card that everybody is told, though the observation of its holder alone shows it, is found."""
    fault = fault_of(Planted(game, told=to_all))

    assert fault.check == "told"
    assert fault.what == "'dealt' tells player 1 what only player 0's observation shows"
    assert fault.sight.startswith("event 'dealt' ")
    assert fault.sight.endswith(" to everybody")


class ToldDraw(KuhnHand):
    """Tells the second player the card of the first with the first bid."""

    def apply(self, actions):
        events = KuhnHand.apply(self, actions)
        return [*events, GameEvent("slip", self.hands[0], (Player(1),))] if len(self.bids) == 1 else events


@pytest.mark.slow
def test_private_value_told_later():
    """A card that slips out in the middle of a match is found as well."""
    fault = fault_of(Planted(KuhnPoker(), ToldDraw))

    assert (fault.check, "'slip' tells player 1" in fault.what) == ("told", True)


class OpenDeals(GameFacts):
    """Facts of a game by whose rules some deals are open."""

    public_events = ("dealt",)


@attrs.frozen
class HalfOpen(Cards):
    """Tells everybody the card of the first player, and draws positions by it."""

    def facts(self, players):
        return OpenDeals(**attrs.asdict(Cards.facts(self, players)))

    def start(self, chance, players):
        state, events = Cards.start(self, chance, players)
        state.__class__ = Remembered
        return state, list(map(to_all, events))


class Remembered(Hands):
    """Draws the card of the second player alone."""

    def resample_hidden(self, player, chance):
        return Hands.resample_hidden(self, player, chance) if player == 0 else self.clone()


class Forgotten(Hands):
    """Draws the card of the first player too, though everybody was told it."""


@pytest.mark.slow
def test_deal_that_the_facts_declare_public():
    """A game whose rules make a card public declares the kind of event that tells it."""
    assert check_game(HalfOpen()).draws


@attrs.frozen
class Forgetful(HalfOpen):
    """Draws anew what everybody was told."""

    def start(self, chance, players):
        state, events = HalfOpen.start(self, chance, players)
        state.__class__ = Forgotten
        return state, events


@pytest.mark.slow
def test_position_that_contradicts_an_event():
    """What an event told must be so in drawn positions, though no observation shows it."""
    fault = fault_of(Forgetful())

    assert fault.check == "resample"
    assert fault.what in (
        "a drawn position does not fit what the player was told before",
        "a drawn position cannot come about: no deal leads there",
    )


class ShownToBoth(Hands):
    """Shows the card of the first player to both."""

    def observe(self, player):
        return {**Hands.observe(self, player), "open": self.hands[0]}

    def resample_hidden(self, player, chance):
        return None


@pytest.mark.slow
def test_card_that_everybody_is_shown():
    """A card that the observations show to everybody may be told to everybody."""
    assert check_game(Planted(Cards(), ShownToBoth, told=to_all)).differing


@pytest.mark.parametrize("game", [KuhnPoker(), Fireworks(), Proposals(), Letters(), Workshop()], ids=repr)
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.sample(fast=1, slow=0)
def test_what_may_be_told(game, seed):
    """A showdown, cards that all but their holder see, offers and letters are told to whom they may be told."""
    assert check_game(game, seed=seed).differing


class RolledAhead(Rolls):
    """Rolls one step ahead and tells it at once, though the die shows only after the next action."""

    coming = 3

    def decision(self, player):
        return Decision(player=player, options=Options(["roll", "shake and roll"]))

    def apply(self, actions):
        self.rolled.append(self.coming)
        self.coming = 1 + self.chance.index("die", 6)
        return [GameEvent("rolled", self.coming, EVERYONE)]

    def resample_hidden(self, player, chance):
        return None

    def clone(self):
        copied = Rolls.clone(self)
        copied.coming = self.coming
        return copied


def test_event_before_it_happens():
    """An event that tells what the observations show only after the next step is found."""
    fault = fault_of(Planted(Dice(), RolledAhead))

    assert (fault.check, fault.what) == ("announced", "'rolled' tells what players are shown only one step later")


class Numbered(RolledAhead):
    """Shows the number of the turn too, which now and then equals what is told ahead."""

    def observe(self, player):
        return {**RolledAhead.observe(self, player), "turn": len(self.rolled) + 4}


@pytest.mark.slow  # the plain case is fast
def test_event_before_it_happens_among_equal_values():
    """What is told ahead is found although another value that shows at once is sometimes equal to it."""
    fault = fault_of(Planted(Dice(), Numbered))

    assert (fault.check, fault.what) == ("announced", "'rolled' tells what players are shown only one step later")

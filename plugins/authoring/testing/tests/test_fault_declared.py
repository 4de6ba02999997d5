"""Planted faults in what a game declares, says in words, or promises: one for each thing that is looked at."""

from typing import ClassVar

import attrs
import pytest
from arena.game import Decision, Illegal, Options
from arena.record import EVERYONE
from arena.testing import REFERENCE_GAME, ConformanceError, check_game
from arena_testing.fixtures.reference_game import Count, ReferenceGame
from arena_testing.game.playouts import play_many
from arena_testing.game.renamed_seats import renamed

from .games_cards import KuhnHand, KuhnPoker
from .games_secrets import Cards, Dice, Hands
from .planted import Planted, changed, fault_of


@pytest.mark.slow
def test_chance_that_is_not_declared():
    """Facts that say no chance are held against draws."""
    fault = fault_of(Planted(Dice(), facts_changed={"chance": False}))

    assert (fault.check, "something was drawn" in fault.what) == ("facts", True)


class Untold(Hands):
    """Deals without a word, so that no event is private."""

    def resample_hidden(self, player, chance):
        return None


@attrs.frozen
class Deaf(Cards):
    """Tells nobody of the deal."""

    def start(self, chance, players):
        state, events = Cards.start(self, chance, players)
        state.__class__ = Untold
        return state, [event._replace(data=None, to=EVERYONE) for event in events]


class Blind(Untold):
    """Shows each player the card of the other alone, which no event tells."""

    def observe(self, player):
        return {"guesses": list(self.guesses), **({"cards": list(self.hands)} if player in (None, 0) else {})}

    def decision(self, player):
        return Decision(player=player, options=Options(range(1, 7), lambda card: f"guess {card}"))


def test_hidden_information_that_is_not_declared():
    """What one player is shown and another cannot know is hidden information, and must be declared."""
    fault = fault_of(Planted(Deaf(), Blind, facts_changed={"hidden_information": False}))

    assert fault.check in ("facts", "leak")


class Telling(Hands):
    """A base for players who are told in words what they may not know."""

    def resample_hidden(self, player, chance):
        return None


class TellingLabel(Telling):
    """Adds a note to the label of the right guess."""

    def decision(self, player):
        other = self.hands[1 - player]
        label = "guess {}, which is right".format
        return changed(
            Hands.decision(self, player),
            options=Options(
                Hands.decision(self, player).options.actions, lambda c: label(c) if c == other else f"guess {c}"
            ),
        )


@pytest.mark.slow
def test_hidden_value_in_a_label():
    """A label that holds the other's card is a leak in the options."""
    fault = fault_of(Planted(Cards(), TellingLabel))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "options")


class TellingOrder(Telling):
    """Offers the right guess first."""

    def decision(self, player):
        decision = Hands.decision(self, player)
        order = sorted(decision.options.actions, key=lambda card: card != self.hands[1 - player])
        return changed(decision, options=Options(order, lambda card: f"guess {card}"))


@pytest.mark.slow
def test_hidden_value_in_the_order_of_options():
    """An order of options that depends on the other's card is a leak in the options."""
    fault = fault_of(Planted(Cards(), TellingOrder))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "options")


class LastDeal:
    """Where the games below keep what was dealt last."""

    hands: ClassVar[list[int]] = [0, 0]


@attrs.frozen
class TellingRules(Cards):
    """Puts the cards that were dealt into its rules."""

    @property
    def rules(self):
        return f"{Cards(self.ranks).rules} This time the cards are {LastDeal.hands}."

    def start(self, chance, players):
        state, events = Cards.start(self, chance, players)
        LastDeal.hands = list(state.hands)
        return state, events


def test_hidden_value_in_the_rules():
    """Rules that hold what was dealt differ after a match began."""
    fault = fault_of(TellingRules())

    assert (fault.check, "after a match began" in fault.what) == ("rules", True)


@attrs.frozen
class TellingWords(Cards):
    """Puts the cards that were dealt last into the words for every event."""

    def start(self, chance, players):
        state, events = Cards.start(self, chance, players)
        LastDeal.hands = list(state.hands)
        return state, events

    def describe_event(self, event, player):
        return f"{Cards.describe_event(self, event, player)} {LastDeal.hands}"


def test_hidden_value_in_the_words_for_an_event():
    """Words for an event that hold more than the event are a leak."""
    fault = fault_of(TellingWords())

    assert (fault.check, fault.what.partition(":")[0]) in [("leak", "words"), ("determinism", "the same match")]


@attrs.frozen
class Alphabetical(ReferenceGame):
    """Pays the player who comes first in the alphabet."""

    def start(self, chance, players):
        return AlphabeticalCount(self.seats(2)), ()


class AlphabeticalCount(Count):
    def __init__(self, seats=("", ""), number=0, turn=0):
        super().__init__(number, turn)
        self.seats = seats

    def returns(self):
        is_first = self.seats[0] < self.seats[1]
        return None if self.to_act() else (1.0, -1.0) if is_first else (-1.0, 1.0)

    def clone(self):
        return AlphabeticalCount(self.seats, self.number, self.turn)


def test_returns_that_depend_on_names():
    """Who is paid must not depend on what players are called."""
    fault = fault_of(Alphabetical())

    assert (fault.check, "names" in fault.what) == ("returns", True)


class Crowded(ReferenceGame):
    """Says that more players are usual than it allows."""

    usual_players = 3


def test_usual_number_of_players_that_is_not_allowed():
    """The number of players that is taken where nobody names one is one of those that the game allows."""
    fault = fault_of(Crowded())

    assert fault.check == "players"
    assert "usual_players is 3, which player_counts() does not allow: (2,)" in fault.what


@pytest.mark.parametrize("seats", [("anna", "bert"), ("X", "O"), ("b", "a", "c"), ("one",)])
def test_other_names_are_in_the_opposite_order(seats):
    """Names are exchanged for others whose alphabet runs the other way."""
    others = renamed(seats)

    assert len(set(others)) == len(seats)
    assert sorted(range(len(seats)), key=seats.__getitem__) == sorted(
        range(len(seats)), key=others.__getitem__, reverse=True
    )


class Looking(Count):
    """Counts how often it was looked at."""

    looks = 0

    def observe(self, player):
        self.looks += player == 1
        return {**Count.observe(self, player), "looks": self.looks}

    def clone(self):
        copied = Looking(self.number, self.turn)
        copied.looks = self.looks
        return copied


def test_observation_that_changes_by_being_read():
    """An observation that differs at the second call, with no action between them, is found."""
    fault = fault_of(Planted(REFERENCE_GAME, Looking))

    assert fault.check in ("observation", "leak", "determinism", "decision")


def test_limit_that_matches_pass():
    """A limit of steps that cuts off matches which end by their rules soon after is found."""
    fault = fault_of(Planted(Cards(), facts_changed={"max_steps": 3}))

    assert fault.check == "limit"
    assert fault.what == "max_steps is 3, and a match ends by the rules only after 4 steps"


def test_limit_that_few_matches_pass():
    """Where only some matches are longer than the limit, very many playouts find one."""
    with pytest.raises(ConformanceError) as caught:
        play_many(Planted(KuhnPoker(), facts_changed={"max_steps": 2}), at_most=200)

    assert caught.value.check == "limit"


class NoSample(Count):
    """Has a schema that no number fits, and a sampler that finds none."""

    def decision(self, player):
        schema = {"type": "integer", "minimum": 4, "maximum": 3}
        return Decision(player=player, action_schema=schema, sampler=lambda rng: rng.choice([]))

    def check(self, player, action):
        return Illegal("range", "no number fits")


def test_schema_without_a_sample():
    """A sampler that finds no action is found, and said to be the schema's."""
    fault = fault_of(Planted(REFERENCE_GAME, NoSample))

    assert fault.check == "schema"
    assert fault.what.startswith("sample finds no action (IndexError")


class NoOption(Count):
    """Offers nothing."""

    def decision(self, player):
        return Decision(player=player, options=Options([]))


def test_decision_without_an_option():
    """A decision without a single option is found."""
    fault = fault_of(Planted(REFERENCE_GAME, NoOption))

    assert (fault.check, fault.what) == ("options", "the player is to act and has no option")


LONG = "very " * 4_000


@attrs.frozen
class LongRules(ReferenceGame):
    @property
    def rules(self):
        return LONG


@attrs.frozen
class LongWords(KuhnPoker):
    def describe_event(self, event, player):
        return LONG + KuhnPoker.describe_event(self, event, player)


class LongLabel(Count):
    def decision(self, player):
        return Decision(player=player, options=Options(range(1, 4), lambda add: f"{LONG} add {add}"))


class LongReason(KuhnHand):
    def check(self, player, action):
        refused = KuhnHand.check(self, player, action)
        return refused and Illegal(refused.kind, LONG)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (LongRules(), "the rules have 20,000 characters"),
        (Planted(KuhnPoker(), forms_added={"text": lambda seen: LONG}), "form 'text' of the observation has 20,000"),
        (LongWords(), "what is told of the event 'dealt' has 20,0"),
        (Planted(REFERENCE_GAME, LongLabel), "the label of an option"),
        (Planted(KuhnPoker(), LongReason), "the reason why "),
    ],
    ids=["rules", "form", "event", "label", "reason"],
)
def test_text_that_nobody_reads(game, said):
    """Texts of 20,000 characters are found wherever a player is given them."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game)

    assert caught.value.check == "length"
    assert said in caught.value.what

"""What a game hands over is checked, and what was found sound in an earlier match is not checked again."""

import pytest
from arena.errors import PluginError
from arena.game import Decision, GameFacts, Options, State
from arena.record import Event, Player
from arena_engine.match.checks import CheckedState, event_of


class Choice(State):
    """One choice, which is always the same ``question``."""

    def __init__(self, question):
        self.question = question

    def to_act(self):
        return (Player(0),)

    def decision(self, player):
        return self.question

    def observe(self, player):
        return None

    def apply(self, actions):
        return []

    def returns(self):
        return None


class Asking:
    """A game that asks one question."""

    def __init__(self, question):
        self.question = question

    def start(self, chance, players):
        return Choice(self.question), []


def asked(question, begun):
    """The first decision of a match that asks this question, as the referee gets it."""
    return CheckedState(Asking(question), GameFacts(), "asking", 1, 1, begun).decision(Player(0))


def test_labels_with_which_a_match_began_are_read_once():
    """The labels of a decision that all matches begin with are made in the first of them."""
    read, begun = [], set()
    question = Decision(
        player=Player(0), options=Options([1, 2], lambda action: read.append(action) or f"take {action}")
    )

    assert asked(question, begun) is asked(question, begun) is question
    assert read == [1, 2]


def test_other_labels_are_still_read():
    """That one match began soundly says nothing of a match that begins with another decision."""
    begun = set()
    asked(Decision(player=Player(0), options=Options([1, 2])), begun)

    with pytest.raises(PluginError, match="two options have the label 'it'"):
        asked(Decision(player=Player(0), options=Options([1, 2], lambda action: "it")), begun)


def test_event_is_made_of_its_fields():
    """The quick way to make an event makes the same one as its class."""
    fields = (3, "game", "dealt", Player(1), [7], (Player(1),))

    made = event_of(fields)

    assert type(made) is Event
    assert made == Event(*fields)
    assert made.data == [7]

"""Planted faults in how a match goes: luck, clones, steps, rewards and returns."""

import importlib
import random
from itertools import count
from typing import ClassVar

import pytest
from arena.errors import RuleError
from arena.record import EVERYONE, GameEvent, Player
from arena.testing import ConformanceError, check_game

from .games_cards import KuhnHand, KuhnPoker
from .games_tables import Auction, Bidding
from .games_together import RockPaperScissors, Throws
from .planted import Planted, fault_of


def test_event_to_a_stranger():
    """An event for a player who is not there is a fault."""
    game = Planted(KuhnPoker(), told=lambda event: event._replace(to=(Player(2),)))

    assert fault_of(game).check == "events"


class GlobalLuck(Throws):
    """Draws from the generator that everybody shares."""

    def apply(self, actions):
        return (*Throws.apply(self, actions), GameEvent("weather", random.random(), EVERYONE))


def test_global_luck():
    """Luck from the global generator is found."""
    fault = fault_of(Planted(RockPaperScissors(), GlobalLuck))

    assert (fault.check, "global generator" in fault.what) == ("determinism", True)


class CountsMatches(Throws):
    """A game whose steps depend on how many were taken in matches before."""

    counter: ClassVar = count()

    def apply(self, actions):
        return (*Throws.apply(self, actions), GameEvent("number", next(self.counter), EVERYONE))


def test_counter_across_matches():
    """A match that depends on how many were played before is not deterministic."""
    assert fault_of(Planted(RockPaperScissors(), CountsMatches)).check == "determinism"


class SharedTable(Throws):
    """Keeps what was thrown in a place shared by all matches, emptied when one ends."""

    table: ClassVar[list] = []

    def apply(self, actions):
        events = Throws.apply(self, actions)
        self.table.append(actions[0])
        events = (*events, GameEvent("table", list(self.table), EVERYONE))
        if not self.to_act():
            self.table.clear()
        return events


def test_matches_that_share_state():
    """Two matches that disturb each other are found by playing them in turns."""
    assert fault_of(Planted(RockPaperScissors(), SharedTable)).check == "interleaved"


WEATHER = """
from arena.game import Decision, Game, GameFacts, Options, State
from arena.record import EVERYONE, GameEvent

class Weather(Game):
    rules = "Look out of the window."

    def player_counts(self):
        return (1,)

    def facts(self, players):
        return GameFacts(max_steps=1)

    def start(self, chance, players):
        return Window(), [GameEvent("sky", list({"rain", "hail", "snow", "fog", "wind", "sun", "frost"}), EVERYONE)]

class Window(State):
    is_closed = False

    def to_act(self):
        return () if self.is_closed else (0,)

    def decision(self, player):
        return Decision(player=player, options=Options(["close"]))

    def observe(self, player):
        return {"is_closed": self.is_closed}

    def apply(self, actions):
        self.is_closed = True
        return [GameEvent("closed", None, EVERYONE)]

    def returns(self):
        return [0.0] if self.is_closed else None
"""


def test_order_of_a_set(installed):
    """What depends on the order of a set is found by playing in another process."""
    installed.add("acme-weather", {}, {"acme_weather.py": WEATHER})
    game = importlib.import_module("acme_weather").Weather()

    with pytest.raises(ConformanceError, match="in another process; look for a loop over a set"):
        check_game(game, thorough=True)


class ShallowClone(Throws):
    """Hands its clones its own list."""

    def clone(self):
        return type(self)(self.rounds, self.thrown)


def test_clone_that_shares():
    """A clone that shares data with its original is found."""
    assert fault_of(Planted(RockPaperScissors(), ShallowClone)).check == "clone"


class Inflation(Throws):
    """A game called zero-sum that pays both players."""

    def returns(self):
        return None if self.to_act() else (1.0, 1.0)


@pytest.mark.slow
def test_returns_that_do_not_add_up():
    """Returns of a zero-sum game that do not add up to zero are found."""
    fault = fault_of(Planted(RockPaperScissors(), Inflation))

    assert (fault.check, "zero-sum" in fault.what) == ("returns", True)


class ForOneOnly(Throws):
    """Has returns for the first player alone."""

    def returns(self):
        return None if self.to_act() else (0.0,)


@pytest.mark.slow
def test_returns_for_some():
    """Returns that leave a player out are found."""
    assert fault_of(Planted(RockPaperScissors(), ForOneOnly)).check == "returns"


@pytest.mark.slow
def test_returns_out_of_bounds():
    """Returns above what the facts allow are found."""
    assert fault_of(Planted(RockPaperScissors(), facts_changed={"max_return": 0.5})).check in {"facts", "returns"}


class ForgetsRewards(Throws):
    """Pays only the last round."""

    def returns(self):
        return None if self.to_act() else self.rewards()


@pytest.mark.campaign
def test_rewards_that_do_not_add_up():
    """Rewards that do not add up to the returns are found."""
    assert fault_of(Planted(RockPaperScissors(), ForgetsRewards)).check == "rewards"


class Endless(Bidding):
    """Lets everybody pass for ever."""

    def apply(self, actions):
        return (GameEvent("passed", list(actions), EVERYONE),)


@pytest.mark.campaign
def test_endless_match():
    """A match that does not end is found."""
    assert fault_of(Planted(Auction(), Endless, {"max_steps": 1000})).check == "endless"


class HalfDone(Throws):
    """Notes the first throw before it looks at the second."""

    def apply(self, actions):
        self.thrown.append((actions[0], "rock"))
        self.thrown[-1] = (actions[0], actions[1])
        return (GameEvent("thrown", list(self.thrown[-1]), EVERYONE),)


def test_wave_that_is_half_done():
    """A step that raises and leaves something done is found."""
    assert fault_of(Planted(RockPaperScissors(), HalfDone)).check == "atomic"


class Unordered(Throws):
    """Names the players backwards."""

    def to_act(self):
        return Throws.to_act(self)[::-1]


def test_players_out_of_order():
    """Players who are not told in order are found."""
    assert fault_of(Planted(RockPaperScissors(), Unordered)).check == "turn"


def test_simultaneous_undeclared():
    """Acting at the same time without saying so is found."""
    game = Planted(RockPaperScissors(), facts_changed={"simultaneous": False})

    assert fault_of(game).check == "facts"


class Unplanned(Bidding):
    """Takes whatever is not a raise for a pass, but cannot do without a player."""

    def apply(self, actions):
        ((player, action),) = actions.items()
        if action not in ("raise", "pass"):
            raise RuleError(f"player {player} does what cannot be done")
        return Bidding.apply(self, actions)


def test_player_who_left_is_not_planned_for():
    """A game that says others go on, but cannot do without a player, is found."""
    assert fault_of(Planted(Auction(), Unplanned)).check == "crash"


class Crashing(KuhnHand):
    """Fails after two bets."""

    def returns(self):
        if self.bids == ["bet", "call"]:
            raise ZeroDivisionError("no pot")
        return KuhnHand.returns(self)


def test_crash_says_how_to_see_it():
    """An error in the game comes with the shortest line of play that leads to it."""
    fault = fault_of(Planted(KuhnPoker(), Crashing))

    assert fault.check == "crash"
    assert [list(step.values()) for step in fault.line.steps] == [["bet"], ["call"]]
    assert "ZeroDivisionError: no pot" in str(fault)
    assert "apply {0: 'bet'}, {1: 'call'}" in str(fault)

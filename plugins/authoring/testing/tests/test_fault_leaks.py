"""Planted leaks: whatever tells a player more than it may know is found and called by its name."""

import json

import pytest
from arena.chance import Chance
from arena.game import Illegal, Options, Query
from arena.record import Player

from .games_board import Board, TicTacToe
from .games_cards import Fireworks, FireworksTable, KuhnHand, KuhnPoker
from .games_tables import Negotiation, Proposals
from .games_together import Benches, Europe, Letters, Workshop
from .planted import Planted, changed, fault_of


class SeesAllCards(KuhnHand):
    """Shows everybody all cards."""

    def observe(self, player):
        return {**KuhnHand.observe(self, player), "all": list(self.hands)}


def test_leak_in_observation():
    """An observation with the other's card in it is a leak."""
    fault = fault_of(Planted(KuhnPoker(), SeesAllCards))

    assert fault.check == "leak"
    assert fault.what.startswith("observation")


class CannotLose(KuhnHand):
    """Offers a bet only to who has the better card."""

    def decision(self, player):
        decision = KuhnHand.decision(self, player)
        if self.hands[player] == "queen" and self.hands[1 - player] == "king":
            return changed(decision, options=Options(list(decision.options.actions)[:1]))
        return decision


def test_leak_in_options():
    """Options that depend on the other's card are a leak."""
    fault = fault_of(Planted(KuhnPoker(), CannotLose))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "options")


class TellingSchema(Europe):
    """Bounds letters by how many others were written that only some may see."""

    def decision(self, player):
        decision = Europe.decision(self, player)
        if decision.options is None:
            schema = {**decision.action_schema, "maxProperties": 6 + len(self.letters)}
            return changed(decision, action_schema=schema)
        return decision


@pytest.mark.slow
def test_leak_in_schema():
    """A schema that counts other people's letters is a leak."""
    fault = fault_of(Planted(Letters(), TellingSchema))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "schema")


class TellingQuery(Benches):
    """Answers a look-up from the other's stock."""

    def decision(self, player):
        decision = Benches.decision(self, player)
        other = dict(self.stocks[1 - player])
        spy = Query(name="spy", summary="peep", schema={"type": "null"}, answer=lambda a: _null(a) or other)
        return changed(decision, queries=(*decision.queries, spy))


def _null(arguments):
    return None if arguments is None else Illegal("schema", "ask for nothing")


def test_leak_in_query():
    """A query that answers from hidden information is a leak."""
    fault = fault_of(Planted(Workshop(), TellingQuery))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "queries")


class TellingRefusal(FireworksTable):
    """Names the player's own cards when it refuses an action."""

    def check(self, player, action):
        refused = FireworksTable.check(self, player, action)
        return refused and Illegal(refused.kind, f"with {self.hands[player]} you cannot do this")


@pytest.mark.slow
def test_leak_in_error_text():
    """A reason that names what the player may not know is a leak."""
    fault = fault_of(Planted(Fireworks(), TellingRefusal))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "verdicts")


class TellingCheck(Negotiation):
    """Allows the whole pie to be offered only to who has earned little, which the proposer does not know."""

    def decision(self, player):
        decision = Negotiation.decision(self, player)
        if decision.options is None:
            others = [p for p in range(3) if p != player]
            return changed(decision, sampler=lambda rng: {"partner": rng.choice(others), "slices": rng.randint(0, 5)})
        return decision

    def check(self, player, action):
        refused = Negotiation.check(self, player, action)
        is_whole = refused is None and self.offer is None and action["slices"] == 6
        return Illegal("slices", "not the whole pie") if is_whole and self.earned[action["partner"]] > 3 else refused


@pytest.mark.slow
def test_leak_in_verdict():
    """Refusing an action for reasons the player cannot know is a leak, though the words are harmless."""
    fault = fault_of(Planted(Proposals(), TellingCheck))

    assert (fault.check, fault.what.partition(":")[0]) == ("leak", "verdicts")


class CountsCrafting(Benches):
    """Shows who waits how much the other has crafted since."""

    def observe(self, player):
        made = sum(sum(stock.values()) for stock in self.stocks)
        return {**Benches.observe(self, player), "made": made}


def test_leak_while_waiting():
    """An observation that changes while the other acts unseen is a leak."""
    assert fault_of(Planted(Workshop(), CountsCrafting)).check == "leak"


class Silent(Board):
    """A game that tells nobody which mark was set."""

    def apply(self, actions):
        Board.apply(self, actions)
        return ()


def test_unannounced_move():
    """A move that no event announces makes the board tell more than the events."""
    assert fault_of(Planted(TicTacToe(), Silent)).check == "leak"


@pytest.mark.slow
def test_hidden_information_that_is_nowhere():
    """A game that declares hidden information but has none was not tested, which is a fault."""
    fault = fault_of(Planted(TicTacToe(), facts_changed={"hidden_information": True}))

    assert "was not tested" in fault.what


def test_private_event_in_an_open_game():
    """A private event in a game without hidden information contradicts the facts."""
    fault = fault_of(Planted(KuhnPoker(), facts_changed={"hidden_information": False}))

    assert (fault.check, "'dealt'" in fault.what) == ("facts", True)


def test_state_of_a_fault_can_be_reached_again():
    """The line of play in an error leads to the position it speaks of."""
    line = fault_of(Planted(KuhnPoker(), SeesAllCards)).line

    state, _ = line.game.start(Chance(line.seed, line.forced), line.players)
    for step in line.steps:
        state.apply(step)

    assert "all" in json.dumps(state.observe(Player(0)))

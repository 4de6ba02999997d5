"""Faults planted in sound games: the conformance check finds every one and calls it by its name."""

import importlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar

import attrs
import pytest
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Form, Game, GameFacts, Illegal, Options, Query, State
from arena.record import EVERYONE, GameEvent, Player
from arena.testing import ConformanceError, check_game

from .games_board import Board, TicTacToe
from .games_cards import Fireworks, FireworksTable, KuhnHand, KuhnPoker
from .games_tables import Auction, Bidding, Negotiation, Proposals
from .games_together import Benches, Europe, Letters, RockPaperScissors, Throws, Workshop


@attrs.frozen
class Planted(Game):
    """A sound game whose states are of another class, or whose facts, events or forms are changed."""

    sound: Game
    state: type[State] | None = None
    facts_changed: Mapping[str, Any] = attrs.field(factory=dict)
    told: Callable[[GameEvent], GameEvent] = lambda event: event
    forms_added: Mapping[str, Form] = attrs.field(factory=dict)

    @property
    def rules(self) -> str:
        return self.sound.rules

    def player_counts(self) -> Sequence[int]:
        return self.sound.player_counts()[:1]

    def seats(self, players: int) -> Sequence[str]:
        return self.sound.seats(players)

    def facts(self, players: int) -> GameFacts:
        return attrs.evolve(self.sound.facts(players), **self.facts_changed)

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**self.sound.forms, **self.forms_added}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        state, events = self.sound.start(chance, players)
        if self.state is not None:
            state.__class__ = self.state
        return state, [self.told(event) for event in events]


def fault_of(game: Game) -> ConformanceError:
    """What the check says about ``game``."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game)
    return caught.value


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
            decision.options = Options(list(decision.options.actions)[:1])
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
            decision.action_schema = {**decision.action_schema, "maxProperties": 6 + len(self.letters)}
        return decision


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
        decision.queries = (*decision.queries, spy)
        return decision


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
            decision.sampler = lambda rng: {"partner": rng.choice(others), "slices": rng.randint(0, 5)}
        return decision

    def check(self, player, action):
        refused = Negotiation.check(self, player, action)
        is_whole = refused is None and self.offer is None and action["slices"] == 6
        return Illegal("slices", "not the whole pie") if is_whole and self.earned[action["partner"]] > 3 else refused


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
    """Announces no mark."""

    def apply(self, actions):
        Board.apply(self, actions)
        return ()


def test_unannounced_move():
    """A move that no event announces makes the board tell more than the events."""
    assert fault_of(Planted(TicTacToe(), Silent)).check == "leak"


def test_hidden_information_that_is_nowhere():
    """A game that declares hidden information but has none was not tested, which is a fault."""
    fault = fault_of(Planted(TicTacToe(), facts_changed={"hidden_information": True}))

    assert "was not tested" in fault.what


def test_private_event_in_an_open_game():
    """A private event in a game without hidden information contradicts the facts."""
    fault = fault_of(Planted(KuhnPoker(), facts_changed={"hidden_information": False}))

    assert (fault.check, "'dealt'" in fault.what) == ("facts", True)


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
    """Counts across matches."""

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
        return GameFacts(wave_limit=1)

    def start(self, chance, players):
        return Window(), [GameEvent("sky", list({"rain", "hail", "snow", "fog", "wind", "sun", "frost"}), EVERYONE)]

class Window(State):
    is_closed = False

    def to_act(self):
        return () if self.is_closed else (0,)

    def decision(self, player):
        return Decision(state=self, player=player, options=Options(["close"]))

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
    """Pays both."""

    def returns(self):
        return None if self.to_act() else (1.0, 1.0)


def test_returns_that_do_not_add_up():
    """Returns of a zero-sum game that do not add up to zero are found."""
    fault = fault_of(Planted(RockPaperScissors(), Inflation))

    assert (fault.check, "zero-sum" in fault.what) == ("returns", True)


class ForOneOnly(Throws):
    """Has returns for the first player alone."""

    def returns(self):
        return None if self.to_act() else (0.0,)


def test_returns_for_some():
    """Returns that leave a player out are found."""
    assert fault_of(Planted(RockPaperScissors(), ForOneOnly)).check == "returns"


def test_returns_out_of_bounds():
    """Returns above what the facts allow are found."""
    assert fault_of(Planted(RockPaperScissors(), facts_changed={"greatest_return": 0.5})).check in {"facts", "returns"}


class ForgetsRewards(Throws):
    """Pays only the last round."""

    def returns(self):
        return None if self.to_act() else self.rewards()


def test_rewards_that_do_not_add_up():
    """Rewards that do not add up to the returns are found."""
    assert fault_of(Planted(RockPaperScissors(), ForgetsRewards)).check == "rewards"


class SameLabel(Board):
    """Calls every cell the same."""

    def decision(self, player):
        decision = Board.decision(self, player)
        decision.options = Options(decision.options.actions, lambda cell: "a cell")
        return decision


class BareNumbers(Board):
    """Labels cells with their numbers."""

    def decision(self, player):
        return Decision(state=self, player=player, options=Options([c for c in range(9) if not self.cells[c]]))


@pytest.mark.parametrize("state", [SameLabel, BareNumbers])
def test_label_that_says_nothing(state):
    """Labels that are not unique, or bare numbers, are found."""
    assert fault_of(Planted(TicTacToe(), state)).check == "labels"


class Lenient(Board):
    """Compares actions as Python does, for which ``True`` is ``1``."""

    def check(self, player, action):
        is_empty = action in range(9) and not self.cells[action] if isinstance(action, int | float) else False
        return None if is_empty else Illegal("cell", "not an empty cell")


def test_true_taken_for_one():
    """A check that takes ``true`` or ``1.0`` for ``1`` is found."""
    fault = fault_of(Planted(TicTacToe(), Lenient))

    assert (fault.check, "accepted but not among the options" in fault.what) == ("options", True)


class Raising(Board):
    """Looks an action up before asking what it is."""

    def check(self, player, action):
        return Illegal("cell", "taken") if self.cells[action] else None


def test_check_that_raises():
    """A check that raises on nonsense is found."""
    fault = fault_of(Planted(TicTacToe(), Raising))

    assert (fault.check, "raises" in fault.what) == ("check", True)


class RefusesOwn(Board):
    """Refuses the centre it offers."""

    def check(self, player, action):
        return Illegal("centre", "not the centre") if action == 4 else Board.check(self, player, action)


def test_option_that_is_refused():
    """An option that the check refuses is found."""
    assert fault_of(Planted(TicTacToe(), RefusesOwn)).check == "options"


class LooseSchema(Negotiation):
    """Accepts a proposal with anything else in it."""

    def check(self, player, action):
        if self.offer is None and isinstance(action, dict):
            action = {key: action[key] for key in ("partner", "slices") if key in action}
        return Negotiation.check(self, player, action)


def test_accepted_against_the_schema():
    """An action that the schema forbids and the check accepts is found."""
    assert fault_of(Planted(Proposals(), LooseSchema)).check == "schema"


class Endless(Bidding):
    """Lets everybody pass for ever."""

    def apply(self, actions):
        return (GameEvent("passed", list(actions), EVERYONE),)


def test_endless_match():
    """A match that does not end is found."""
    assert fault_of(Planted(Auction(), Endless, {"wave_limit": 1000})).check == "endless"


class LooksAreDeeds(Board):
    """Notes who looked."""

    looks = 0

    def observe(self, player):
        type(self).looks += 1
        return {**Board.observe(self, player), "looks": self.looks}


def test_observation_that_changes():
    """An observation that is another each time is found."""
    assert fault_of(Planted(TicTacToe(), LooksAreDeeds)).check == "observation"


class NotesAsking(Board):
    """Shows whether it was asked for a decision."""

    is_asked = False

    def observe(self, player):
        return {**Board.observe(self, player), "is_asked": self.is_asked}

    def decision(self, player):
        self.is_asked = True
        return Board.decision(self, player)

    def apply(self, actions):
        self.is_asked = False
        return Board.apply(self, actions)


def test_decision_that_changes_the_state():
    """A decision that changes what can be seen is found."""
    assert fault_of(Planted(TicTacToe(), NotesAsking)).check == "decision"


class EagerCheck(Board):
    """Marks the cell already when asked whether it may be marked."""

    def check(self, player, action):
        refused = Board.check(self, player, action)
        if refused is None and action == 8:
            self.cells[8] = "XO"[player]
        return refused


def test_check_that_acts():
    """A check that changes the state is found."""
    assert fault_of(Planted(TicTacToe(), EagerCheck)).check in {"check", "options"}


class OwnData(Board):
    """Hands out its own list."""

    def observe(self, player):
        return {"cells": self.cells}


def test_observation_that_is_the_state():
    """An observation through which an agent could change the board is found."""
    fault = fault_of(Planted(TicTacToe(), OwnData))

    assert (fault.check, "hand out a copy" in fault.what) == ("observation", True)


class LivingEvent(Throws):
    """Tells the list of all throws, which goes on growing."""

    def apply(self, actions):
        Throws.apply(self, actions)
        return (GameEvent("all", self.thrown, EVERYONE),)


def test_event_that_changes_later():
    """An event whose data change after it was told is found."""
    fault = fault_of(Planted(RockPaperScissors(), LivingEvent))

    assert (fault.check, "give it a copy" in fault.what) == ("events", True)


class NumberedKeys(Board):
    """Uses numbers as keys, which JSON turns into texts."""

    def observe(self, player):
        return {"cells": dict(enumerate(self.cells))}


def test_observation_that_is_not_json():
    """Data that a journal would give back differently are found."""
    fault = fault_of(Planted(TicTacToe(), NumberedKeys))

    assert (fault.check, "not a text" in fault.what) == ("observation", True)


class HalfDone(Throws):
    """Notes the first throw before it looks at the second."""

    def apply(self, actions):
        self.thrown.append((actions[0], "rock"))
        self.thrown[-1] = (actions[0], actions[1])
        return (GameEvent("thrown", list(self.thrown[-1]), EVERYONE),)


def test_wave_that_is_half_done():
    """A wave that raises and leaves something done is found."""
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


def test_form_that_is_empty():
    """A form that shows nothing is found, in the final position as well."""
    blank = {"blank": lambda observation: "" if "" not in observation["cells"] else "board"}

    assert fault_of(Planted(TicTacToe(), forms_added=blank)).check == "forms"


class BrokenQuery(Benches):
    """Answers nonsense with an error of its own."""

    def decision(self, player):
        decision = Benches.decision(self, player)
        (recipe,) = decision.queries
        decision.queries = (attrs.evolve(recipe, answer=lambda arguments: arguments["thing"]),)
        return decision


def test_query_that_raises():
    """A query that raises on nonsense is found."""
    assert fault_of(Planted(Workshop(), BrokenQuery)).check == "queries"


class NoSkip(Benches):
    """Says that doing nothing is an action it does not accept."""

    def decision(self, player):
        decision = Benches.decision(self, player)
        decision.skip = "sleep"
        return decision


def test_skip_that_is_refused():
    """A do-nothing action that is not legal is found."""
    assert fault_of(Planted(Workshop(), NoSkip)).check == "skip"


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
    assert [list(wave.values()) for wave in fault.line.waves] == [["bet"], ["call"]]
    assert "ZeroDivisionError: no pot" in str(fault)
    assert "apply {0: 'bet'}, {1: 'call'}" in str(fault)


def test_state_of_a_fault_can_be_reached_again():
    """The line of play in an error leads to the position it speaks of."""
    line = fault_of(Planted(KuhnPoker(), SeesAllCards)).line

    state, _ = line.game.start(Chance(line.seed, line.forced), line.players)
    for wave in line.waves:
        state.apply(wave)

    assert "all" in json.dumps(state.observe(Player(0)))

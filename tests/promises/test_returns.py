"""Returns that are no returns become no result: the match fails with a sentence, and other matches go on."""

import math

import attrs
import numpy
import pytest
from arena.errors import ConfigError
from arena.game import Decision, Game, GameFacts, Options, State
from arena_engine import load_benchmark, run
from arena_engine.foundation.json_values import returns_fault

FACTS = GameFacts(returns="zero-sum", min_return=-1, max_return=1, max_steps=9)


@attrs.frozen
class Paying(Game):
    """Two steps, after which it pays what a test wants."""

    rules = "Say go."
    kind: str = "good"

    def player_counts(self):
        return (2,)

    def facts(self, players):
        return FACTS_OF.get(self.kind, FACTS)

    def start(self, chance, players):
        return (RewardingState if self.kind in REWARDS else PayingState)(self.kind), []


class PayingState(State):
    def __init__(self, kind):
        self.kind, self.steps = kind, 0

    def to_act(self):
        return (self.steps % 2,) if self.steps < 2 else ()

    def decision(self, player):
        return Decision(player=player, options=Options(["go"]))

    def observe(self, player):
        return None

    def apply(self, actions):
        self.steps += 1
        return []

    def returns(self):
        return PAID[self.kind] if self.steps == 2 else None


class RewardingState(PayingState):
    def rewards(self):
        return REWARDS[self.kind]


PAID = {
    "good": (1, -1),
    "good-numpy": numpy.array([0.5, -0.5]),
    "good-int64": [numpy.int64(1), numpy.int64(-1)],
    "good-float32": [numpy.float32(0.1), numpy.float32(-0.1)],
    "good-rounded": [0.1 + 0.2, -0.3],
    "good-rewards": (1.0, -1.0),
    "good-bound": [1.0 + 1e-12, -1.0 - 1e-12],
    "nan": [math.nan, 0.0],
    "infinite": [math.inf, -math.inf],
    "one-too-few": [1.0],
    "one-too-many": [1.0, -1.0, 0.0],
    "too-high": [1e9, -1e9],
    "too-low": [0.5, -1.5],
    "zero-sum": [1, 1],
    "nearly-zero-sum": [1.0, -1.0 + 1e-6],
    "texts": ["1", "-1"],
    "text": "10",
    "truths": [True, False],
    "numpy-truths": [numpy.bool_(True), numpy.bool_(False)],
    "nothing": None,
    "number": 1.0,
    "by-player": {0: 1.0, 1: -1.0},
    "nobody": [None, None],
    "huge": [10**400, -(10**400)],
    "cooperative": [1.0, 0.5],
    "constant-sum": [1.0, 0.5],
    "rewards": (1.0, -1.0),
    "rewards-nan": (1.0, -1.0),
    "rewards-short": (1.0, -1.0),
    "rewards-text": (1.0, -1.0),
}
REWARDS = {
    "good-rewards": [0.5, -0.5],
    "rewards": [0.5, -0.6],
    "rewards-nan": [math.nan, 0.0],
    "rewards-short": [1.0],
    "rewards-text": ["much", "little"],
}
FACTS_OF = {
    "cooperative": GameFacts(returns="cooperative", max_steps=9),
    "constant-sum": GameFacts(returns="constant-sum", optimal_returns=(0.5, 0.5), max_steps=9),
}
SAID = {
    "nan": "returns [nan, 0.0] after step 2: the return of player 0 is not a finite number",
    "infinite": "returns [inf, -inf] after step 2: the return of player 0 is not a finite number",
    "one-too-few": "returns [1.0] after step 2: expected one number for each of 2 players, got 1",
    "one-too-many": "returns [1.0, -1.0, 0.0] after step 2: expected one number for each of 2 players, got 3",
    "too-high": "returns [1000000000.0, -1000000000.0] after step 2: the return of player 0 is above max_return 1",
    "too-low": "returns [0.5, -1.5] after step 2: they add up to -1.0 in a zero-sum game",
    "zero-sum": "returns [1, 1] after step 2: they add up to 2.0 in a zero-sum game",
    "nearly-zero-sum": "in a zero-sum game",
    "texts": "returns ['1', '-1'] after step 2: the return of player 0 is not a finite number",
    "text": "returns '10' after step 2: expected one number for each of 2 players",
    "truths": "returns [True, False] after step 2: the return of player 0 is not a finite number",
    "numpy-truths": "the return of player 0 is not a finite number",
    "nothing": "returns None after step 2: expected one number for each of 2 players",
    "number": "returns 1.0 after step 2: expected one number for each of 2 players",
    "by-player": "returns {0: 1.0, 1: -1.0} after step 2: expected one number for each of 2 players",
    "nobody": "returns [None, None] after step 2: the return of player 0 is not a finite number",
    "huge": "the return of player 0 is not a finite number",
    "cooperative": "returns [1.0, 0.5] after step 2: they differ in a cooperative game",
    "constant-sum": "they add up to 1.5 in a game whose returns always add up to 1.0",
    "rewards": "returns (1.0, -1.0) after step 2: the rewards of player 1 add up to -1.2",
    "rewards-nan": "rewards [nan, 0.0] after step 1: the reward of player 0 is not a finite number",
    "rewards-short": "rewards [1.0] after step 1: expected one number for each of 2 players, got 1",
    "rewards-text": "rewards ['much', 'little'] after step 1: the reward of player 0 is not a finite number",
}


def played(kind, installed_plugin, run_dir):
    """A run of two games, one of which pays what ``kind`` says."""
    installed_plugin("game", "paying", Paying, summary="pays")
    plain = {"seed": 1, "agents": {"a": "random", "b": "random"}, "schedule": {"use": "round-robin"}}
    plain |= {"games": {"g": {"use": "paying", "kind": kind}, "fine": "paying"}, "metrics": ["outcomes"]}
    return run(plain, output=run_dir)


@pytest.mark.parametrize("kind", SAID)
@pytest.mark.sample(fast=2, slow=7)
def test_wrong_returns_are_no_result(kind, installed_plugin, run_dir):
    """The match fails with what was wrong, the run's exit code is 1, and the other game's matches have results."""
    found = played(kind, installed_plugin, run_dir)

    (reason,) = set(found.outcome.failed.values())
    assert reason.startswith("game 'g': ")
    assert SAID[kind] in reason
    assert found.outcome.exit_status == 1
    assert {(match.game, match.ending.value, match.returns) for match in found.matches} == {
        ("g", "failed", None),
        ("fine", "rules", (1.0, -1.0)),
    }


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("kind", [kind for kind in PAID if kind.startswith("good")])
def test_right_returns_are_results(kind, installed_plugin, run_dir):
    """Integers and NumPy's numbers are numbers, and sums may differ by rounding; the record holds floats."""
    found = played(kind, installed_plugin, run_dir)

    assert found.outcome.exit_status == 0
    returns = [match.returns for match in found.matches if match.game == "g"]
    assert returns == [tuple(map(float, PAID[kind]))] * 2
    assert {type(earned) for each in returns for earned in each} == {float}


def test_kinds_of_wrong_returns_are_all_tried():
    """Each kind of returns is either good or has its sentence."""
    assert set(SAID) == {kind for kind in PAID if not kind.startswith("good")}


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        (GameFacts(returns="zero-sum", forfeit_return=-1, others_return=0.5), "they add up to -0.5 in a zero-sum game"),
        (GameFacts(forfeit_return=math.nan), "the return of player 0 is not a finite number"),
        (GameFacts(others_return=True), "the return of player 1 is not a finite number"),
        (GameFacts(others_return="1"), "the return of player 1 is not a finite number"),
    ],
)
def test_returns_of_a_forfeit_are_checked_when_a_benchmark_is_read(facts, fault, installed_plugin, monkeypatch):
    """What a game pays after a forfeit must fit its own facts; the benchmark is refused before anything is played."""
    installed_plugin("game", "paying", Paying, summary="pays")
    monkeypatch.setitem(FACTS_OF, "good", facts)
    plain = {"games": {"g": "paying"}, "agents": {"a": "random", "b": "random"}}

    with pytest.raises(ConfigError, match=r"games\.g: if player 0 forfeits, the returns are .*: ") as refused:
        load_benchmark(plain)

    assert fault in str(refused.value)


def test_tolerance_grows_with_what_is_paid():
    """Sums may differ by 1e-9 times the sum of all absolute values, and no more."""
    facts = GameFacts(returns="zero-sum")

    assert returns_fault(facts, [1e9, -1e9 + 1], 2) is None
    assert returns_fault(facts, [1e9, -1e9 + 3], 2) == "they add up to 3.0 in a zero-sum game"

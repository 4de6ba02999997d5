"""The game keeps its contract, hides what it must, and makes nothing out of nothing."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, cast

import attrs
import pytest
from arena.chance import Chance
from arena.game import State
from arena.record import GameEvent, Player, canonical_json
from arena.testing import ConformanceError, check_game, golden_playthrough
from arena_game_tradecraft.game import Lookups, TradeCraft
from arena_game_tradecraft.match.state import TradeState
from arena_game_tradecraft.rules.amounts import read_amount, write_amounts
from arena_game_tradecraft.rules.loading import load
from hypothesis import given, settings, strategies as st

from .table import WORKSHOP

GOLDEN = Path(__file__).parent / "golden"
SHORT = TradeCraft(**WORKSHOP, max_turns=2, max_crafts=2, lookups=Lookups(propose=1, decide=1, craft=1))


@pytest.mark.parametrize("playouts", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("players", [1, 2, 3, 5])
@pytest.mark.sample(fast=1, slow=0)
def test_short_matches_keep_the_contract(players: int, playouts: int):
    """Matches of two turns pass the conformance checks, and hide targets, proposals, messages and crafts."""
    report = check_game(SHORT, players=players, playouts=playouts)

    assert report.untested == ()
    assert report.differing > 0 or players == 1


@pytest.mark.campaign
@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_whole_matches_keep_the_contract(players: int):
    """Matches of fifteen turns, where who is put out leaves the others playing, pass them too."""
    report = check_game(TradeCraft(**WORKSHOP, order="random", quitting="continue"), players=players, playouts=5)

    assert report.untested == ()


def third_player_sees(leak: Callable[[TradeState], object]) -> TradeCraft:
    """The game, with one private thing in what the third player sees."""

    class Telling(TradeState):
        __slots__ = ()

        def observe(self, player: Player | None) -> Any:
            seen: Any = super().observe(player)
            return {**seen, "leak": canonical_json(cast("Any", leak(self)))} if player == 2 else seen

    class Leaky(TradeCraft):
        def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
            state, events = super().start(chance, players)
            return Telling(**{field.name: getattr(state, field.name) for field in attrs.fields(TradeState)}), events

    return Leaky(**WORKSHOP, max_turns=2, max_crafts=2, lookups=Lookups(propose=0, decide=0, craft=0))


def said(state: TradeState) -> object:
    """The last message between two players."""
    return [event.data for _, event in state.log if event.kind == "reply"][-1:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "leak"),
    [
        pytest.param(3, lambda state: dict(state.problem.targets[0]), id="target"),
        # of three players, who is not concerned by a proposal knows which two are
        pytest.param(5, lambda state: state.proposal and state.proposal.partner, id="partner of a proposal"),
        pytest.param(3, lambda state: state.proposal and state.reader.write_proposal(state.proposal), id="proposal"),
        pytest.param(3, said, id="message"),
        pytest.param(3, lambda state: write_amounts(state.hands[0]), id="crafted hand"),
        pytest.param(3, lambda state: sorted(state.done - {2}), id="who is done"),
    ],
)
@pytest.mark.sample(slow=1)
def test_each_leak_would_be_found(players: int, leak: Callable[[TradeState], object]):
    """If a third player saw any one private thing, the checks that the game passes would say so."""
    with pytest.raises(ConformanceError, match="leak"):
        check_game(third_player_sees(leak), players=players, playouts=4)


def test_playthrough_is_the_one_that_was_read():
    """What each of three players sees, may do and is told is what a person has read and found right."""
    path = GOLDEN / "tradecraft.txt"
    played = golden_playthrough(TradeCraft(**WORKSHOP), seed=4, players=3, steps=24)
    if os.environ.get("ARENA_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(played, encoding="utf-8")

    assert played == path.read_text(encoding="utf-8")


def amounts(hands: Mapping[str, Mapping[str, object]]) -> Counter[str]:
    """What all hold together."""
    total: Counter[str] = Counter()
    for hand in hands.values():
        for item, amount in hand.items():
            exact = read_amount(amount)
            assert exact is not None
            assert exact > 0
            total[item] += exact  # pyright: ignore[reportArgumentType]
    return total


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 5]))
@settings(max_examples=40, deadline=None)
def test_nothing_is_made_but_by_recipes(seed: int, players: int):
    """Over random play, what all hold together changes by the crafts that were told, by flooring, and by nothing else.

    Every craft is one of the rule set, and fractions are exact: the sums agree to the last digit.
    """
    rules = load("workshop")
    state, _ = TradeCraft(**WORKSHOP, max_turns=4).start(Chance(seed), players)
    rng = Random(seed)
    before = amounts(state.observe(None)["hands"])
    while state.to_act():
        events = state.apply({p: state.decision(p).sample(rng) for p in state.to_act()})
        expected = Counter(before)
        for event in events:
            if event.kind == "crafted":
                inputs = {item: read_amount(amount) for item, amount in event.data["inputs"].items()}
                ((output, made),) = event.data["output"].items()
                assert any(made % recipe.count == 0 for recipe in rules.makes[output])
                expected.subtract(inputs)
                expected[output] += made
        after = amounts(state.observe(None)["hands"])
        if any(event.kind == "hands" for event in events):
            assert all(0 <= expected[item] - after[item] < players for item in expected | after)
            assert all(Fraction(n).denominator == 1 for n in after.values())
        else:
            assert +expected == +after
        before = after


@pytest.mark.campaign
def test_random_players_reach_targets_now_and_then():
    """Among random matches some are won and some are not, so both endings are tested above."""
    endings: Counter[str] = Counter()
    for seed in range(40):
        state, _ = TradeCraft(ruleset="workshop", problems="workshop#1").start(Chance(seed), 2)
        rng = Random(seed)
        while state.to_act():
            state.apply({p: state.decision(p).sample(rng) for p in state.to_act()})
        endings[state.observe(Player(0))["result"]["reason"]] += 1

    assert endings["won"] > 0
    assert endings["turn-limit"] > 0

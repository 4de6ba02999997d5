"""Fewest trades and joint plans, held against trying everything, and played in the game itself."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from arena.chance import Chance
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Problem, load_problems
from arena_game_tradecraft.match.state import TradeState
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.solver import (
    Plan,
    fewest_trades,
    hands_by_turn,
    joint_plan,
    jointly_reachable,
    play,
    shopping,
)

from .brute_force import ITEMS, TooMany, fewest_trades_to, fewest_turns, frozen, random_rules

Amounts = dict[str, Fraction]


def drawn(seed: int) -> tuple[RuleSet, list[Amounts], list[Amounts]]:
    """Small rules, two hands between which lies most of what two targets need, and the targets, which are not held."""
    rng = Random(seed)
    rules = random_rules(rng)
    wanted = [rng.choice(rules.recipes) for _ in range(2)]
    needed = [item for recipe in wanted for i in recipe.ingredients for item in sorted(i.members)[:1]]
    hands: list[Amounts] = [{}, {}]
    for item in (*needed, rng.choice(ITEMS)):
        hand = rng.choice(hands)
        hand[item] = Fraction(rng.randint(1, 2))
    for hand, recipe in zip(hands, wanted, strict=True):
        hand.pop(recipe.output, None)
    return rules, hands, [{recipe.output: Fraction(1)} for recipe in wanted]


def halves(hands: Sequence[Amounts]) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Hands as brute force counts them."""
    return tuple(frozen({item: int(2 * n) for item, n in hand.items()}) for hand in hands)


def match(source: str, problem: Problem) -> TradeState:
    """The game at its beginning."""
    state, _ = TradeCraft(ruleset=source, problems=(problem,)).start(Chance(0), problem.players)
    assert isinstance(state, TradeState)
    return state


@pytest.mark.campaign
def test_no_trade_less_would_do():
    """On small rules, trades and kinds are as few as trying everything finds, and plans lead to the target."""
    found = 0
    for seed in range(40):
        rules, hands, targets = drawn(seed)
        trades = fewest_trades(rules, hands, 0, targets[0])
        if trades.plan:
            held = hands_by_turn(hands, trades.plan)[-1][0]
            assert all(held.get(item, 0) >= n for item, n in targets[0].items())
            assert trades.plan.trades == trades.trades
        try:
            tried = fewest_trades_to(rules, halves(hands), targets[0], ITEMS, 2, 60)
        except TooMany:
            continue
        assert trades.status == "unknown" or trades.trades == tried or (tried is None and (trades.trades or 0) > 2)
        if tried and trades.kinds is not None:
            found += 1
            assert trades.kinds == fewest_kinds(rules, hands, targets[0])

    assert found >= 5


def fewest_kinds(rules: RuleSet, hands: list[Amounts], target: Amounts) -> int:
    """The least number of kinds with which some trades do."""
    for number in range(len(ITEMS)):
        for kinds in combinations(ITEMS, number):
            if fewest_trades_to(rules, halves(hands), target, kinds, 4, 400) is not None:
                return number
    raise AssertionError("four trades of any kinds do not suffice")


@pytest.mark.slow
def test_no_plan_of_fewer_turns_would_do():
    """On small rules, joint plans take as few turns as trying everything finds."""
    found = 0
    for seed in range(40):
        rules, hands, targets = drawn(seed)
        joint = joint_plan(rules, hands, targets)
        try:
            tried = fewest_turns(rules, halves(hands), targets, 2, 100)
        except TooMany:
            continue
        found += bool(tried)
        assert joint.status == "unknown" or joint.turns == tried or (tried is None and (joint.turns or 0) > 2)

    assert found >= 8


PAPER = {1: ((1, 1), (2, 2), 2), 2: ((1, 1), (1, 1), 1), 3: ((1, 1), (1, 1), 1), 4: ((1, 1), (1, 1), 1),
         5: ((1, 1), (1, 1), 1)}  # fmt: skip


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("number", PAPER)
def test_the_problems_of_the_paper(number: int):
    """Each target of the paper takes one trade, the torch two; both can be had at once, in one turn or two."""
    rules, (problem,) = load("minecraft"), load_problems(f"paper#{number}")

    trades = [fewest_trades(rules, problem.hands, player, problem.targets[player]) for player in (0, 1)]
    joint = joint_plan(rules, problem.hands, problem.targets)

    assert ([(t.trades, t.kinds) for t in trades], joint.turns) == ([*PAPER[number][:2]], PAPER[number][2])
    assert jointly_reachable(rules, problem.hands, problem.targets) is True


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("number", range(1, 6))
def test_a_joint_plan_wins_for_both_in_the_game(number: int):
    """Played by the rules, turn after turn, the plan ends the match with two winners after just so many turns."""
    (problem,) = load_problems(f"paper#{number}")
    state = match("minecraft", problem)
    joint = joint_plan(state.rules, problem.hands, problem.targets)
    assert joint.plan is not None

    after = play(state, joint.plan)

    assert after.outcome is not None
    assert after.outcome.winners == (0, 1)
    assert after.turn == joint.turns
    assert state.turn == 1


@pytest.mark.parametrize("number", range(1, 11))
@pytest.mark.sample(fast=1, slow=3)
def test_plans_of_trades_play_in_the_game(number: int):
    """For one, two, three and five players, whoever a plan is for holds its target when it has been played."""
    rules, (problem,) = load("workshop"), load_problems(f"workshop#{number}")
    for player, target in enumerate(problem.targets):
        found = fewest_trades(rules, problem.hands, player, target)
        if found.plan is None:
            assert found.status == "none"
            continue
        # nobody else may win on the way, so the others want what cannot be had
        alone = [dict(t) if p == player else dict.fromkeys(t, 99) for p, t in enumerate(problem.targets)]

        after = play(match("workshop", Problem(problem.hands, tuple(alone))), found.plan)

        assert after.outcome is not None
        assert after.outcome.winners == (player,)


def test_what_can_be_had_singly_need_not_be_had_together():
    """Where one of two targets uses up what the other needs, each can be had and both cannot."""
    rules, hands = load("workshop"), [{"sand": 3}, {"coal": 1, "oak_log": 1}]
    targets = [{"bottle": 3}, {"torch": 4}]

    assert fewest_trades(rules, hands, 0, targets[0]).trades == 1
    assert fewest_trades(rules, hands, 1, targets[1]).trades == 0
    assert jointly_reachable(rules, [{"sand": 3}, {"coal": 1, "oak_log": 2}], targets) is True
    assert jointly_reachable(rules, [{"sand": 3}, {"coal": 1, "stick": 1}], targets) is False
    assert joint_plan(rules, [{"sand": 3}, {"coal": 1, "stick": 1}], targets).status == "none"


def test_a_plan_for_one_winner():
    """Where both cannot win, a plan for one of them is found."""
    rules, hands, targets = load("workshop"), [{"sand": 3}, {"coal": 1, "stick": 1}], [{"bottle": 3}, {"torch": 5}]

    joint = joint_plan(rules, hands, targets, winners=(0,))

    assert (joint.status, joint.turns) == ("found", 1)
    assert joint_plan(rules, hands, targets, winners=(1,)).status == "none"


def test_a_plan_that_takes_too_long_is_none():
    """The turn limit of the match holds for plans too."""
    (problem,) = load_problems("paper#1")

    assert joint_plan(load("minecraft"), problem.hands, problem.targets, max_turns=1).status == "none"


def test_a_plan_whose_crafts_feed_on_themselves_is_passed_over():
    """One trunk cannot burn as the charcoal that is made of it; another way to smelt the gold is found."""
    hands = [
        {
            "netherite_upgrade_smithing_template": 1,
            "deepslate_redstone_ore": 2,
            "nether_quartz_ore": 1,
            "netherite_scrap": 4,
        },
        {"diamond_block": 1, "cobblestone": 6, "deepslate_gold_ore": 4, "mangrove_wood": 3},
    ]
    problem = Problem(tuple(hands), ({"netherite_leggings": 1}, {"observer": 1}))
    state = match("minecraft", problem)

    joint = joint_plan(state.rules, problem.hands, problem.targets)

    assert joint.plan is not None
    after = play(state, joint.plan)
    assert after.outcome is not None
    assert (after.outcome.winners, after.turn) == ((0, 1), joint.turns)


def test_what_a_chain_lacks():
    """A player learns which whole items of others its own chain lacks, as few kinds as possible."""
    (problem,) = load_problems("paper#1")

    torch = shopping(load("minecraft"), problem.hands[1], problem.hands[:1], problem.targets[1])

    assert torch.lacks == ({"cherry_planks": 1, "coal": 1},)
    assert torch.chain.length == 2
    assert shopping(load("minecraft"), {"dirt": 1}, [{"coal": 1}], {"torch": 1}).status == "none"


def test_plans_that_cannot_be_played_are_refused():
    """What is not held is neither traded nor used."""
    rules, hands = load("workshop"), [{"oak_log": 1}, {"coal": 1}]
    found = fewest_trades(rules, hands, 0, {"torch": 4})
    assert isinstance(found.plan, Plan)

    with pytest.raises(ValueError, match="does not hold"):
        hands_by_turn([{"oak_log": 1}, {}], found.plan)

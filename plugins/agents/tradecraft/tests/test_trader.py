"""What the scripted players of TradeCraft do."""

from pathlib import Path
from typing import Any

import pytest
from arena.agent import Agent, Reply
from arena.errors import ConfigError
from arena.record import MatchRecord
from arena.testing import RANDOM, REFERENCE_GAME, check_agent, playing
from arena_agent_tradecraft.planner import TradePlanner
from arena_agent_tradecraft.trader import Trader
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Problem, load_problems
from arena_testing.fixtures.fakes import FunctionAgent
from arena_testing.fixtures.play_match import play

PASS = {"partner": None, "offer": {}, "request": {}, "message": ""}
DONE = {"done": True}
Amounts = dict[str, int]


def matched(
    directory: Path, agents: list[Agent], problem: Problem, ruleset: str = "workshop", **more: Any
) -> MatchRecord:
    """A match of one problem, by the real referee."""
    return play(TradeCraft(ruleset=ruleset, problems=(problem,), **more), agents, directory / "run").over


def problem(*players: tuple[Amounts, Amounts]) -> Problem:
    """Hands with their targets."""
    return Problem(tuple(hand for hand, _ in players), tuple(target for _, target in players))


def told(record: MatchRecord, kind: str) -> list[Any]:
    """What the events of a kind say."""
    return [event.data for event in record.events if event.kind == kind]


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize("number", range(2, 6))
def test_two_traders_both_win_problems_of_the_paper(number: int, tmp_path: Path):
    """Where one trade leaves both with what they need, two traders find it, after a rejected proposal at most."""
    (start,) = load_problems(f"paper#{number}")

    record = matched(tmp_path, [Trader(), Trader()], start, "minecraft")

    assert record.returns == (1.0, 1.0)
    assert len(told(record, "rejected")) <= 1


@pytest.mark.parametrize("number", range(1, 6))
def test_two_planners_both_win_problems_of_the_paper(number: int, tmp_path: Path):
    """The plan ends each problem with both targets held, after one turn, or two for shears and torch."""
    (start,) = load_problems(f"paper#{number}")

    record = matched(tmp_path, [TradePlanner(), TradePlanner()], start, "minecraft")

    assert record.returns == (1.0, 1.0)
    assert len(told(record, "turn")) == (2 if number == 1 else 1)


def test_a_target_within_reach_is_crafted_at_once(tmp_path: Path):
    """Who needs nothing proposes nothing, crafts, and wins in the first turn."""
    start = problem(({"oak_log": 1, "coal": 1}, {"torch": 4}), ({"clay": 1}, {"clay_brick": 1}))

    record = matched(tmp_path, [Trader(), Trader()], start)

    assert record.returns == (3.0, 0.0)
    assert told(record, "accepted") == []


def test_what_is_lacking_is_asked_for_and_what_is_spare_offered(tmp_path: Path):
    """The chain to four torches lacks coal and leaves clay over."""
    start = problem(({"oak_log": 1, "clay": 4}, {"torch": 4}), ({"coal": 2, "sand": 1}, {"bricks": 1}))

    record = matched(tmp_path, [Trader(), Trader()], start)

    (proposal,) = told(record, "proposal")
    assert (proposal["offer"], proposal["request"]) == ({"clay": 4}, {"coal": 1})
    assert record.returns == (1.0, 1.0)


def test_nothing_is_proposed_twice_when_it_was_rejected(tmp_path: Path):
    """Against somebody who rejects everything, all proposals differ, and at last there are none."""
    start = problem(({"oak_log": 2, "clay": 1}, {"torch": 4, "map": 1}), ({"coal": 2, "reed": 6}, {"oak_planks": 9}))

    record = matched(tmp_path, [Trader(), FunctionAgent(lambda decision, _: Reply(action=decision.skip))], start)

    asked = [(tuple(p["offer"].items()), tuple(p["request"].items())) for p in told(record, "proposal")]
    assert len(asked) == len(set(asked)) >= 2
    assert len(told(record, "rejected")) == len(asked)
    assert {"proposer": "player 1"} in told(record, "no-proposal")


@pytest.mark.parametrize(
    ("offer", "asked", "is_accepted"),
    [
        ({"clay": 1}, {}, True),
        ({}, {"sand": 1}, False),
        ({"coal": 1}, {"sand": 1}, True),
        ({"coal": 1}, {"oak_log": 1}, False),
    ],
)
def test_accepts_what_does_not_hurt(offer: Amounts, asked: Amounts, is_accepted: bool, tmp_path: Path):
    """Gifts, and what its chain lacks for what it can spare; not the log that its torches are made of."""
    start = problem(({"coal": 2, "clay": 2}, {"glass": 8}), ({"oak_log": 1, "sand": 2, "bread": 1}, {"torch": 4}))
    move = {"partner": "player 2", "offer": offer, "request": asked, "message": ""}

    record = matched(tmp_path, [playing(move, *[DONE, PASS] * 20), Trader()], start, max_turns=1)

    assert bool(told(record, "accepted")) is is_accepted


@pytest.mark.sample(fast=1, slow=1)
@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_a_trader_keeps_the_contract_of_agents(players: int):
    """At every place, against random players and itself, all it does is legal, and replays the same."""
    report = check_agent(
        Trader(), TradeCraft(ruleset="workshop", problems="workshop"), players, matches=1, is_legal=True
    )

    assert report.replies > 0


@pytest.mark.slow
def test_a_planner_keeps_the_contract_of_agents():
    """At both places, against random players and itself, all it does is legal, and replays the same."""
    game = TradeCraft(ruleset="workshop", problems="workshop")

    assert check_agent(TradePlanner(), game, 2, matches=2, is_legal=True).replies > 0


def test_other_games_are_refused():
    """What is no TradeCraft, or for the planner not for two, is refused before anything is played."""
    with pytest.raises(ConfigError, match="trader plays tradecraft"):
        Trader().needs(REFERENCE_GAME, 2)
    with pytest.raises(ConfigError, match="two players, not 3"):
        TradePlanner().needs(TradeCraft(ruleset="workshop", problems="workshop"), 3)


def test_a_planner_lets_one_win_where_both_cannot(tmp_path: Path):
    """Three bottles take all the sand, and so does the glass of the other."""
    start = problem(({"sand": 2, "coal": 1}, {"bottle": 3}), ({"sand": 1, "clay": 1}, {"glass": 1}))

    record = matched(tmp_path, [TradePlanner(), TradePlanner()], start)

    assert sorted(record.returns or ()) == [0.0, 3.0]
    assert len(told(record, "turn")) == 1


def test_random_players_do_not_win_what_traders_win(tmp_path: Path):
    """The problem on which traders both win is no gift: random players win nothing in fifteen turns."""
    (start,) = load_problems("paper#2")

    record = matched(tmp_path, [RANDOM, RANDOM], start, "minecraft")

    assert record.returns == (0.0, 0.0)

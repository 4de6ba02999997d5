"""The game as a learning environment: real observations, real rewards, and an end."""

import json
from typing import Any

import pytest
from arena import adapters
from arena_game_tradecraft.game import TradeCraft

from .table import ACCEPT, DONE, PASS, craft, problem, propose

START = problem([{"stick": 2}, {"coal": 2}], [{"torch": 4}, {"ladder": 1}])
GAME = TradeCraft(ruleset="workshop", problems=(START,), max_turns=3)
TO_A_WIN = [propose(2, {}, {"coal": 1}), ACCEPT, craft("torch", 4, coal=1, stick=1), DONE, DONE]


def test_a_win_is_rewarded_and_terminates_turn_by_turn():
    """In PettingZoo's turn-by-turn form a match that is won ends, and the winner gets the reward of the scoring.

    The original's environment gave 0 always, observed an array of one 0, and never ended.
    """
    env = adapters.aec_env(GAME, actions="text", observe="text")
    env.reset(seed=1)
    seen: list[str] = []
    for action in TO_A_WIN:
        seen.append(env.observe(env.agent_selection)["observation"])
        assert not any(env.terminations.values())
        env.step(json.dumps(action))

    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 3.0, "player_1": 0.0}
    assert "player 1 proposes to player 2: nothing for 1 coal." in seen[1]
    assert "won by player 1" in env.observe("player_1")["observation"]


def test_all_at_once():
    """In PettingZoo's parallel form rewards come with the last wave, and all end together."""
    env: Any = adapters.parallel_env(GAME, actions="text")
    observations, _ = env.reset(seed=1)
    first = observations["player_0"]["observation"]
    rewards: dict[str, float] = {}
    terminated: dict[str, bool] = {}
    for own, other in [(TO_A_WIN[0], None), (None, ACCEPT), (TO_A_WIN[2], DONE), (DONE, None)]:
        observations, rewards, terminated, _, _ = env.step({"player_0": json.dumps(own), "player_1": json.dumps(other)})

    assert rewards == {"player_0": 3.0, "player_1": 0.0}
    assert all(terminated.values())
    assert (observations["player_0"]["observation"] != first).any()


def test_one_seat_against_an_opponent():
    """As one seat in Gymnasium a match that nobody wins terminates after its turns, with the reward for that."""
    env = adapters.gymnasium_env(GAME, {"use": "random"}, actions="text", observe="text")
    seen, _ = env.reset(seed=3)
    actions = {"Proposal": PASS, "Decision": {"accept": False, "message": ""}, "Crafting": DONE}
    rewards, terminated, asked = [], False, 0
    while not terminated:
        action = next(action for phase, action in actions.items() if f"{phase} phase" in seen)
        seen, reward, terminated, truncated, _ = env.step(json.dumps(action))
        assert not truncated
        rewards.append(reward)
        asked += 1

    assert asked >= 5
    assert rewards == [0.0] * asked


def test_an_illegal_action_is_an_error_or_a_forfeit():
    """What the rules refuse is never replaced: it raises with the reason, or ends the match."""
    env = adapters.aec_env(GAME, actions="text")
    env.reset(seed=1)
    with pytest.raises(Exception, match="nobody trades with itself"):
        env.step(json.dumps(propose(1, {}, {})))

    lenient = adapters.aec_env(GAME, actions="text", illegal="forfeit", penalty=-1.0)
    lenient.reset(seed=1)
    lenient.step(json.dumps(propose(1, {}, {})))

    assert lenient.rewards["player_0"] == -1.0
    assert all(lenient.terminations.values())

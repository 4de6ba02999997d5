"""The game as a learning environment, with real observations, rewards and an end; and for a person at a terminal."""

import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

import arena_gym as adapters
import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Seat
from arena.testing import play, playing
from arena_agent_human.agent import Human, HumanPlayer
from arena_agent_human.terminal import TerminalPrompt
from arena_game_tradecraft.game import TradeCraft
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from .table import ACCEPT, DONE, PASS, WORKSHOP, craft, problem, propose

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
    """In PettingZoo's parallel form rewards come with the last step, and all end together."""
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


@pytest.fixture
def _quiet():
    """Their advice (text observations, dict observations) is not what is tested; their assertions are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


ANY_ACTION = {"actions": "text", "illegal": "forfeit"}
"""Their checks draw actions from the space of texts; what the rules refuse then ends the match as a forfeit."""


@pytest.mark.usefixtures("_quiet")
@pytest.mark.parametrize("players", [2, 3])
def test_pettingzoo_finds_nothing(players: int):
    """PettingZoo's own checks of both forms pass, those of seeds too, for several numbers of players."""
    game = TradeCraft(**WORKSHOP, max_turns=2)

    def turns() -> Any:
        return adapters.aec_env(game, players=players, **ANY_ACTION)

    def together() -> Any:
        return adapters.parallel_env(game, players=players, **ANY_ACTION)

    api_test(turns(), num_cycles=40)
    seed_test(turns, num_cycles=20)
    parallel_api_test(together(), num_cycles=40)
    parallel_seed_test(together, num_cycles=20)


@pytest.mark.usefixtures("_quiet")
@pytest.mark.parametrize("observe", ["vector", "text"])
def test_gymnasium_finds_nothing(observe: str):
    """Gymnasium's ``check_env`` passes, with one seat against an opponent, in a seat that is drawn."""
    env = adapters.gymnasium_env(
        TradeCraft(**WORKSHOP, max_turns=2), players=2, seat=None, observe=observe, **ANY_ACTION
    )

    check_env(env)
    env.close()


def test_alone_in_gymnasium():
    """A match of one player is one seat without opponents: a target that is crafted pays and terminates."""
    game = TradeCraft(ruleset="workshop", problems=(problem([{"stick": 1, "coal": 1}], [{"torch": 4}]),))
    env = adapters.gymnasium_env(game, [], actions="text", observe="text")
    env.reset(seed=1)

    _, first, still_on, _, _ = env.step(json.dumps(craft("torch", 4, coal=1, stick=1)))
    _, reward, terminated, truncated, _ = env.step(json.dumps(DONE))

    assert (first, still_on) == (0.0, False)
    assert (reward, terminated, truncated) == (3.0, True, False)


@attrs.frozen(eq=False)
class Typist(Agent):
    """A person who types what is given, and the screen in front of it."""

    typed: str
    screen: io.StringIO

    def join(self, seat: Seat) -> PlayerAgent:
        return HumanPlayer(Human(), seat, TerminalPrompt(io.StringIO(self.typed), self.screen))


def test_a_person_wins_at_the_terminal(tmp_path: Path):
    """A person trades, looks something up, mistypes, crafts and wins; it sees what its player sees and nothing else."""
    typed = [
        '{"partner": "player 2", "offer": {}, "request": {"coal": 1}, "message": "please"}',
        "ask possible_crafts",
        '{"inputs": {"coal": 1}, "output": {"torch": 4}}',
        '{"inputs": {"Coal": 1, "stick": 1.0}, "output": {"torch": 4}}',
        "done",
    ]
    screen = io.StringIO()
    record = play(GAME, [Typist("\n".join(typed) + "\n", screen), playing(ACCEPT, DONE)], tmp_path / "run").over

    assert record.returns == (3.0, 0.0)
    shown = screen.getvalue()
    assert "Your target: 4 torch" in shown
    assert re.search(r"4 torch  part of your target, once$", shown, re.MULTILINE)
    assert re.search(r"^\[1 coal\] +\[1 stick\]  \[→ 4 torch\]$", shown, re.MULTILINE)
    assert "no recipe makes 4 torch of exactly 1 coal" in " ".join(shown.split())
    assert "ladder" not in shown  # the target of the other
    assert [event.data["kind"] for event in record.refused()] == ["illegal"]


def test_a_person_among_three(tmp_path: Path):
    """At a table of three a person may pass and be done, turn by turn, until the match is over."""
    game = TradeCraft(**WORKSHOP, max_turns=3)
    screen = io.StringIO()
    typed = 'done\ndone\n{"partner": null}\ndone\n'
    others = [playing(PASS, DONE, DONE, DONE), playing(DONE, PASS, DONE, DONE)]
    record = play(game, [*others, Typist(typed, screen)], tmp_path / "run").over

    assert record.returns == (0.0, 0.0, 0.0)
    assert not list(record.refused())
    assert "you are player 3 (players: player 1, player 2, player 3)" in screen.getvalue()

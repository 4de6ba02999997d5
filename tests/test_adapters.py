"""Arena's games as environments: each library's own checks, and what they do not look at."""

import asyncio
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from random import Random

import arena_gym as adapters
import attrs
import numpy as np
import pytest
from arena.agent import Reply
from arena.chance import Chance
from arena.errors import ConfigError, PluginError, RuleError
from arena.game import Decision, Game, GameFacts, Illegal, Options, State
from arena.installing import full_name, install_line
from arena.record import EVERYONE, GameEvent, Player
from arena_gym import HashedFeatures
from arena_testing.fixtures.fakes import FunctionAgent
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

GAMES = ["tic-tac-toe", "connect-four", "kuhn-poker", "matrix-rps", "matrix-pd", "chess"]


@attrs.frozen
class Countdown(Game):
    """Take 1, 2 or 3 from a heap; each taken thing is paid at once. Says nothing of its actions."""

    heap: int = 5
    steps: int = 10
    listed: bool = True
    rules = "take 1, 2 or 3"

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(max_steps=self.steps, forfeit_return=-7.0, others_return=2.0)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Heap(self.heap, self.listed), ()


class Heap(State):
    def __init__(self, left: int, listed: bool) -> None:
        self.left, self.listed, self.turn = left, listed, 0
        self.earned, self.paid = [0.0, 0.0], [0.0, 0.0]

    def to_act(self) -> Sequence[Player]:
        return (Player(self.turn),) if self.left else ()

    def decision(self, player: Player) -> Decision:
        if self.listed:
            options = Options(list(range(1, min(3, self.left) + 1)), lambda n: f"take {n}")
            return Decision(player=player, options=options)
        schema = {"type": "integer", "minimum": 1, "maximum": 3}
        return Decision(player=player, action_schema=schema, sampler=lambda rng: 1)

    def check(self, player: Player, action: object) -> Illegal | None:
        return None if type(action) is int and 1 <= action <= min(3, self.left) else Illegal("no", "take what is there")

    def observe(self, player: Player | None) -> dict[str, object]:
        return {"left": self.left, "you": player}

    def apply(self, actions: Mapping[Player, int]) -> Sequence[GameEvent]:
        ((player, taken),) = actions.items()
        self.left -= taken
        self.paid = [float(taken) if p == player else 0.0 for p in (0, 1)]
        self.earned = [a + b for a, b in zip(self.earned, self.paid, strict=True)]
        self.turn = 1 - self.turn
        return (GameEvent("taken", taken, EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        return None if self.left else self.earned

    def rewards(self) -> Sequence[float]:
        return self.paid


@pytest.fixture(autouse=True)
def _quiet():
    """Their advice (names, infinite bounds, dict observations) is not what is tested; their assertions are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.sample(fast=1)
def test_aec_environments_pass_their_own_checks(game):
    """PettingZoo's ``api_test`` and ``seed_test`` find nothing."""
    api_test(adapters.aec_env(game), num_cycles=60)
    seed_test(lambda: adapters.aec_env(game), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_parallel_environments_pass_their_own_checks(game):
    """PettingZoo's ``parallel_api_test`` finds nothing, in games of turns too."""
    parallel_api_test(adapters.parallel_env(game), num_cycles=60)


@pytest.mark.parametrize("game", ["matrix-rps", "matrix-pd"])
def test_parallel_environments_are_deterministic(game):
    """PettingZoo's ``parallel_seed_test``, which knows no masks, finds nothing where all actions are legal."""
    parallel_seed_test(lambda: adapters.parallel_env(game), num_cycles=20)


@pytest.mark.parametrize("observe", ["vector", "text"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.sample(fast=2)
def test_gymnasium_environments_pass_their_own_checks(game, observe):
    """Gymnasium's ``check_env``, which knows no masks, finds nothing against random opponents."""
    env = adapters.gymnasium_env(game, illegal="forfeit", seat=None, observe=observe)

    check_env(env)
    env.close()


DETERMINED = (
    *("backgammon", "bargaining", "breakthrough", "checkers", "chess", "first-price-auction"),
    *("gin-rummy", "hanabi", "leduc-poker", "nine-mens-morris", "othello", "texas-holdem"),
)


@pytest.mark.parametrize("game", DETERMINED)
@pytest.mark.sample(fast=4)
def test_environments_pass_the_check_as_they_come(game):
    """Without a setting, against an opponent that always plays the first option; one always folds at once."""
    env = adapters.gymnasium_env(game, opponents="first-legal")

    check_env(env, skip_render_check=True)
    env.close()


def test_a_learner_that_is_never_asked_gets_what_it_earned():
    """An opponent that folds before it each time leaves nothing to do: the next step ends the match."""
    env = adapters.gymnasium_env("texas-holdem", opponents="first-legal")

    _, info = env.reset(seed=3)
    _, reward, is_over, _, told = env.step(0)

    assert info["unasked"] == 100
    assert (is_over, told["ending"]) == (True, "rules")
    assert reward > 0
    with pytest.raises(RuleError, match="the match is over"):
        env.step(0)


def test_an_index_means_the_same_in_every_position():
    """Index 4 is the centre of the board throughout, and its mask says whether that is free."""
    env = adapters.aec_env("tic-tac-toe")
    env.reset(seed=0)

    assert env.action_space("player_0").n == 9
    assert env.labels("player_0")[4] == "row 2, column 2"
    env.step(4)
    assert 4 not in env.labels("player_1")
    assert env.observe("player_1")["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert env.observe("player_0")["action_mask"].tolist() == [0] * 9


def test_rewards_are_the_games_own():
    """Three in a row earn 1 and -1, once, and terminate both players."""
    env = adapters.aec_env("tic-tac-toe")
    env.reset()
    for cell in (0, 3, 1, 4, 2):
        assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
        env.step(cell)

    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}


def test_simultaneous_choices_stay_hidden_in_turns():
    """Who is asked second in a step sees the same, whatever the first has chosen."""
    seen = []
    for choice in range(3):
        env = adapters.aec_env("matrix-rps")
        env.reset(seed=0)
        before = env.observe("player_1")["observation"]
        env.step(choice)
        assert env.agent_selection == "player_1"
        assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
        seen += [before, env.observe("player_1")["observation"]]

    assert all(np.array_equal(seen[0], each) for each in seen)


def test_parallel_pays_both_at_once():
    """Paper against rock, played at once, pays both players in the same step."""
    env = adapters.parallel_env({"use": "matrix-rps"})
    env.reset(seed=0)

    _, rewards, ended, cut, _ = env.step({"player_0": 1, "player_1": 0})

    assert rewards == {"player_0": 1.0, "player_1": -1.0}
    assert ended == {"player_0": True, "player_1": True}
    assert cut == {"player_0": False, "player_1": False}
    assert env.agents == []


def test_who_waits_in_a_parallel_game_has_no_mask_and_is_not_read():
    """In a game of turns, nonsense given for the one who waits changes nothing."""
    env = adapters.parallel_env("tic-tac-toe")
    seen, _ = env.reset(seed=0)

    assert seen["player_1"]["action_mask"].sum() == 0
    env.step({"player_0": 0, "player_1": 10**6})
    assert env.episode.state.observe(None)["board"][0][0] == "X"


def test_illegal_actions_are_raised_and_change_nothing():
    """With ``illegal="raise"`` the match stands as it was, for all three kinds of environment."""
    env = adapters.aec_env("tic-tac-toe")
    env.reset(seed=0)
    env.step(0)
    together = adapters.parallel_env("tic-tac-toe")
    together.reset(seed=0)
    alone = adapters.gymnasium_env("tic-tac-toe", "first-legal", illegal="raise")
    alone.reset(seed=0)

    for bad in (0, 9, -1, True, 1.0, "1", None):
        with pytest.raises(RuleError, match="O: illegal action"):
            env.step(bad)
    with pytest.raises(RuleError, match="X: illegal action"):
        together.step({"player_0": 9, "player_1": 0})
    with pytest.raises(RuleError, match="given no action"):
        together.step({"player_1": 0})
    with pytest.raises(RuleError, match="X: illegal action"):
        alone.step(9)
    env.step(1)
    alone.step(1)

    assert env.agent_selection == "player_0"
    assert alone.decision() is not None
    alone.close()


def test_illegal_actions_can_end_the_match():
    """With ``illegal="forfeit"`` the game's rule for forfeits pays, less what was paid before, or a penalty."""
    for given, expected in (({}, -7.0), ({"penalty": -1.0}, -1.0)):
        env = adapters.aec_env(Countdown(heap=3), actions=[1, 2, 3], illegal="forfeit", **given)
        env.reset()
        env.step(0)
        env.step(2)

        assert env.rewards == {"player_0": 2.0 - 1.0, "player_1": expected}
        assert all(env.terminations.values())


def test_a_match_cut_by_its_limit_is_truncated():
    """The step limit truncates and what was earned so far is all there is."""
    env = adapters.aec_env(Countdown(heap=9, steps=2), actions=[1, 2, 3])
    env.reset()
    env.step(0)
    env.step(1)

    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())
    assert env.rewards == {"player_0": 0.0, "player_1": 2.0}

    alone = adapters.gymnasium_env(Countdown(heap=9, steps=2), "first-legal", actions=[1, 2, 3])
    alone.reset()
    _, reward, terminated, truncated, info = alone.step(2)
    assert (reward, terminated, truncated, info["ending"]) == (3.0, False, True, "turn-limit")
    alone.close()


def test_games_that_do_not_name_their_actions_say_so():
    """The error names the three ways out, and each of them plays."""
    with pytest.raises(ConfigError, match=r"actions=\[…\].*actions=N.*actions='text'"):
        adapters.aec_env(Countdown())

    for actions, move in (([3, 2, 1], 1), (3, 1), ("text", "2"), ("text", "take 2")):
        env = adapters.aec_env(Countdown(), actions=actions)
        env.reset()
        env.step(move)
        assert env.episode.state.left == 3


def test_actions_without_indices_are_refused():
    """An option that was not declared, too many options, and a decision without any are errors that say what to do."""
    for given, message in (([1, 2], "not among its 2"), (2, "larger number")):
        env = adapters.aec_env(Countdown(), actions=given)
        env.reset()
        with pytest.raises(RuleError, match=message):
            env.last()
    env = adapters.aec_env(Countdown(listed=False), actions=3)
    env.reset()
    with pytest.raises(RuleError, match="actions='text'"):
        env.last()


def test_open_decisions_are_answered_in_text():
    """A game whose options cannot be listed takes JSON, and refuses what is none."""
    env = adapters.aec_env(Countdown(listed=False), actions="text")
    env.reset()
    for bad in ("two", "4", "NaN", '"1"', 2):
        with pytest.raises(RuleError, match="illegal action"):
            env.step(bad)
    env.step("3")

    assert env.episode.state.left == 2


@pytest.mark.parametrize("listed", [True, False])
def test_samples_of_text_actions_are_legal(listed):
    """With ``actions="text"`` a sample is a legal action of the open decision; equal seeds give equal samples."""

    def play(seed):
        env = adapters.gymnasium_env(Countdown(heap=20, listed=listed), "first-legal", actions="text", seat=1)
        env.action_space.seed(seed)
        assert env.action_space.sample() == ""
        env.reset(seed=1)
        given, over = [], False
        while not over:
            given.append(env.action_space.sample())
            _, _, ended, cut, _ = env.step(given[-1])
            over = ended or cut
        env.close()
        return given

    assert play(3) == play(3)
    assert not listed or play(3) != play(4)


def test_samples_of_several_players_are_their_own():
    """With ``actions="text"`` every player of PettingZoo's environments samples what it may do itself."""
    env = adapters.parallel_env("matrix-rps", actions="text")
    env.reset(seed=1)
    _, _, ended, _, _ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
    turns = adapters.aec_env("tic-tac-toe", actions="text")
    turns.reset(seed=1)
    for agent in turns.agent_iter():
        *_, over, _, _ = turns.last()
        turns.step(None if over else turns.action_space(agent).sample())

    assert all(ended.values())
    assert turns.action_space("player_0").sample() == ""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["env = None; gc.collect()", "pass"])
@pytest.mark.parametrize("begun", ["pass", "env.reset(seed=1)"])
@pytest.mark.sample(slow=1)
def test_an_environment_that_is_dropped_says_nothing(how, begun):
    """Without ``close`` an environment cleans up when it is collected, or when the program ends, without a word."""
    program = f"import gc, arena_gym; env = arena_gym.gymnasium_env('tic-tac-toe'); {begun}; {how}; print('over')"

    done = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("over\n", "")


@pytest.mark.parametrize("seat", [0, 1])
def test_opponents_are_agents(seat):
    """An agent of Arena holds the other seat; the learner earns what the game pays."""
    env = adapters.gymnasium_env("tic-tac-toe", "first-legal", seat=seat)
    total, terminated = 0.0, False
    _, info = env.reset(seed=1)
    while not terminated:
        _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        total += reward
    env.close()

    assert info["seat"] == "XO"[seat]
    assert info["ending"] == "rules"
    # from its end the board is filled 8, 7, 6; from its start 0, 1, 2: who moves first wins
    assert total == (1.0 if seat == 0 else -1.0)


def test_equal_seeds_give_equal_matches():
    """Deals, seats and the opponent's luck come from the seed alone, and from no other environment."""

    def play(env):
        story = []
        for seed in (5, None, None):
            seen, info = env.reset(seed=seed)
            over = False
            while not over:
                legal = np.flatnonzero(info["action_mask"])
                seen, reward, over, _, info = env.step(int(legal[0]))
                story += [seen.tobytes(), reward, info["seat"]]
        env.close()
        return story

    one, other = (adapters.gymnasium_env("kuhn-poker", seat=None) for _ in range(2))

    assert play(one) == play(other)


def test_a_failing_opponent_never_becomes_a_move():
    """Its error comes out of ``step``, with its name."""

    def fail(decision, seat):
        raise ValueError("lost my mind")

    env = adapters.gymnasium_env("tic-tac-toe", FunctionAgent(fail))
    env.reset()

    with pytest.raises(PluginError, match="agent 'opponent-0': act in turn 1 raised ValueError: lost my mind"):
        env.step(0)
    env.close()


def test_an_opponent_that_plays_illegally_forfeits():
    """As in a benchmark: asked again, then out, and the learner earns what the game gives the others."""
    env = adapters.gymnasium_env("tic-tac-toe", FunctionAgent(lambda decision, seat: Reply(action=99)))
    env.reset()

    _, reward, terminated, truncated, info = env.step(0)

    assert (reward, terminated, truncated, info["ending"]) == (1.0, True, False, "forfeit-illegal")
    env.close()


def test_environments_play_inside_an_event_loop():
    """In a notebook a loop runs already; that changes nothing."""

    async def notebook():
        env = adapters.gymnasium_env("tic-tac-toe", "first-legal")
        env.reset()
        result = env.step(4)
        env.close()
        return result

    assert asyncio.run(notebook())[1] == 0.0


def test_encoding_is_the_same_everywhere():
    """The columns of an observation do not depend on the process, and differ where the observations do."""
    seen = [{"hand": ["K", None], "pot": 2.5, "over": False}, {"hand": ["Q", None], "pot": 2.5, "over": False}]
    code = f"from arena_gym.encoding import HashedFeatures; print(HashedFeatures(64).encode({seen[0]!r}))"

    elsewhere = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    first, second = (HashedFeatures(64).encode(each) for each in seen)
    assert elsewhere.strip() == str(first)
    assert len(first) == 64
    assert first != second
    assert sum(first) == 4 + 2.5


def test_encoding_tells_types_apart():
    """1, 1.0, true and "1", and empty and absent, are different things."""
    vectors = [HashedFeatures(4096).encode({"v": v}) for v in (1, 1.0, True, "1", None, [], {}, [1])]

    assert len({tuple(v) for v in vectors}) == len(vectors)


@pytest.mark.slow
def test_every_declared_action_is_enough():
    """In random play of each game every option has an index of its own."""
    rng = Random(3)
    for game in (*GAMES, "hanabi", "backgammon", "leduc-poker", "go"):
        env = adapters.aec_env(game)
        env.reset(seed=1)
        for _ in range(40):
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                break
            legal = np.flatnonzero(seen["action_mask"])
            assert len(legal) == len(env.labels(env.agent_selection))
            env.step(int(rng.choice(legal)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"observ": "text"}, "unknown setting"),
        ({"observe": "pixels"}, "observe"),
        ({"illegal": "random"}, "illegal"),
        ({"players": 3}, "players: expected 2"),
        ({"form": "song"}, "form: expected one of text"),
        ({"actions": 0}, "actions"),
        ({"actions": []}, "actions"),
        ({"actions": [1, 1]}, "actions"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    """A setting that does not exist or fit is one clear sentence."""
    with pytest.raises(ConfigError, match=message):
        adapters.aec_env("tic-tac-toe", **settings)


def test_missing_libraries_are_named():
    """Without the libraries the package can be imported, and an environment asked for says what to install."""
    code = """
import sys
sys.modules["pettingzoo"] = sys.modules["gymnasium"] = None
import arena_gym
from arena.errors import PluginError
for make in (arena_gym.aec_env, arena_gym.parallel_env, arena_gym.gymnasium_env):
    try:
        make("tic-tac-toe")
    except PluginError as error:
        print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()

    assert len(said) == 3
    assert all(install_line(full_name("gym")) in line for line in said)

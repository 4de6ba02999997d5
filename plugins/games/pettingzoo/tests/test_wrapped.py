"""Environments of PettingZoo and Gymnasium as games."""

import sys
from random import Random
from types import ModuleType

import gymnasium
import numpy as np
import pytest
from arena.chance import Chance
from arena.errors import ConfigError, RuleError
from arena.game import State
from arena.record import Player
from arena.testing import check_game
from arena_game_pettingzoo.gymnasium_games import Gymnasium
from arena_game_pettingzoo.pettingzoo_games import PettingZoo
from gymnasium import spaces
from gymnasium.wrappers import TransformAction
from pettingzoo import AECEnv

RPS = "pettingzoo.classic.rps_v2"


class Echo(gymnasium.Env):
    """Pays 1 for each action that equals the last observation."""

    observation_space = spaces.Dict({"noise": spaces.Box(0, 1, (1, 2)), "n": spaces.Discrete(9)})

    def __init__(self, action_space: spaces.Space) -> None:
        self.action_space = action_space
        self.got: list[object] = []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._seen(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.got.append(action)
        return self._seen(), 0.5, len(self.got) == 3, False, {}

    def _seen(self):
        noise = self.np_random.integers(2, size=(1, 2)).astype(np.float32)
        return {"noise": noise, "n": np.int64(len(self.got))}


SPACES = {
    "many": spaces.MultiDiscrete([2, 3]),
    "bits": spaces.MultiBinary(2),
    "words": spaces.Text(4, charset="ab"),
    "shifted": spaces.Discrete(3, start=-1),
    "huge": spaces.MultiDiscrete([100, 100]),
    "nested": spaces.Tuple([spaces.Discrete(2)]),
}


class Elimination(AECEnv):
    """Three agents; who says 1 is out at once with -1, the last one in earns 5; over after four rounds."""

    metadata = {"name": "elimination"}  # noqa: RUF012

    def __init__(self) -> None:
        self.possible_agents = ["a", "b", "c"]

    def observation_space(self, agent):
        return spaces.Discrete(4)

    def action_space(self, agent):
        return spaces.Discrete(2)

    def observe(self, agent):
        return len(self.agents)

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection, self.steps, self._skip_agent_selection = "a", 0, None

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._clear_rewards()
        self.steps += 1
        living = [a for a in self.agents if a != agent or not action]
        if action:
            self.rewards[agent], self.terminations[agent] = -1.0, True
        if len(living) == 1:
            self.rewards[living[0]] += 5.0
            self.terminations[living[0]] = True
        if self.steps == 12:
            self.truncations = dict.fromkeys(self.agents, True)
        self._skip_agent_selection = None
        after = [a for a in (*self.agents, *self.agents)[self.agents.index(agent) + 1 :] if a in living]
        self.agent_selection = after[0]
        if any(self.terminations.values()):
            self._deads_step_first()
        return None


@pytest.fixture(scope="module", autouse=True)
def _own_environments():
    """A module of environments, as a user would have one."""
    module = ModuleType("my_environments")
    for name, space in SPACES.items():
        setattr(module, name, lambda space=space: Echo(space))
    module.elimination = Elimination
    module.nothing = dict
    module.__spec__ = gymnasium.__spec__
    sys.modules["my_environments"] = module
    yield
    del sys.modules["my_environments"]


def begin(game, seed: int = 0) -> State:
    return game.start(Chance(seed), game.player_counts()[0])[0]


def play(state: State, seed: int = 0) -> list[list[float]]:
    rng, paid = Random(seed), []
    while state.to_act():
        state.apply({p: state.decision(p).sample(rng) for p in state.to_act()})
        paid.append(list(state.rewards()))
    return paid


@pytest.mark.campaign
@pytest.mark.parametrize(
    "game",
    [
        PettingZoo(name=RPS, parameters={"max_cycles": 3}),
        PettingZoo(name=RPS, parameters={"max_cycles": 3}, api="aec"),
        PettingZoo(name="pettingzoo.classic.tictactoe_v3"),
        pytest.param(PettingZoo(name="pettingzoo.classic.connect_four_v3", longest=12), marks=pytest.mark.slow),
        Gymnasium(name="FrozenLake-v1", longest=20),
        Gymnasium(name="CliffWalking-v1", longest=8, labels=("up", "right", "down", "left")),
        Gymnasium(name="Blackjack-v1", drawing=False),
    ],
    ids=repr,
)
@pytest.mark.parametrize("playouts", [1, 4])
def test_environments_conform(game, playouts):
    """Environments that are deterministic given their seed pass what every game must."""
    report = check_game(game, playouts=playouts)

    assert report.differing > 0
    assert report.untested == ()


@pytest.mark.campaign
def test_taxi_conforms():
    """Taxi too, whose mask is in its info and whose table takes long to make."""
    taxi = next(name for name in ("Taxi-v4", "Taxi-v3") if name in gymnasium.registry)

    check_game(Gymnasium(name=taxi, longest=6, hidden_information=False), playouts=2)


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("name", ["many", "bits", "words", "shifted", "huge"])
def test_every_discrete_or_text_space_is_playable(name):
    """Actions come as the space wants them, whether they can be listed or not."""
    game = Gymnasium(name=f"my_environments:{name}")

    check_game(game, playouts=4)
    assert play(begin(game)) == [[0.5]] * 3


@pytest.mark.parametrize("playouts", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_elimination_conforms(playouts):
    """Agents that die at different times are paid once, and the others play on."""
    game = PettingZoo(name="my_environments:elimination")
    state = begin(game)
    state.apply({Player(0): 1})
    assert state.rewards() == [-1.0, 0.0, 0.0]
    assert state.to_act() == (1,)
    assert state.observe(Player(0))["observation"] == 3
    state.apply({Player(1): 0})
    state.apply({Player(2): 1})

    assert state.to_act() == ()
    assert state.returns() == [-1.0, 5.0, -1.0]
    check_game(game, playouts=playouts)


def test_same_game_as_the_environment_itself():
    """Moves, rewards and observations are those of the environment played directly."""
    from pettingzoo.classic import tictactoe_v3

    direct, state = tictactoe_v3.env(), begin(PettingZoo(name="pettingzoo.classic.tictactoe_v3"))
    direct.reset(seed=0)
    for cell in (0, 3, 1, 4, 2):
        player = state.to_act()[0]
        seen = direct.observe(direct.agent_selection)
        assert state.observe(player)["observation"] == seen["observation"].tolist()
        assert list(state.decision(player).options.actions) == np.flatnonzero(seen["action_mask"]).tolist()
        direct.step(cell)
        state.apply({player: cell})

    assert state.returns() == list(direct.rewards.values()) == [1.0, -1.0]


def test_luck_comes_from_the_chance_alone():
    """Equal chance, equal match; other chance, other match."""
    game = Gymnasium(name="FrozenLake-v1", longest=30)

    def story(seed):
        state, seen = begin(game, seed), []
        for _ in range(30):
            if state.to_act():
                state.apply({Player(0): 2})
            seen.append(state.observe(None))
        return seen

    assert story(1) == story(1)
    slips = {tuple(seen["players"]["player"]["observation"] for seen in story(seed)) for seed in range(8)}
    assert len(slips) > 1


def test_labels_are_words():
    """The user's, the environment's own, or at least that it is an action."""
    words = ("left", "down", "right", "up")

    assert [o.label for o in begin(Gymnasium(name="FrozenLake-v1", labels=words)).decision(Player(0)).options] == [
        *words
    ]
    assert begin(Gymnasium(name="FrozenLake-v1")).decision(Player(0)).options[3].label == "action 3"


def test_meanings_of_the_environment_are_labels():
    """Actions are labelled with what the environment's ``get_action_meanings`` says."""

    class Meant(Echo):
        def get_action_meanings(self):
            return ["NOOP", "FIRE", "UP"]

    sys.modules["my_environments"].meant = lambda: Meant(spaces.Discrete(3))

    assert [o.label for o in begin(Gymnasium(name="my_environments:meant")).decision(Player(0)).options] == [
        "NOOP",
        "FIRE",
        "UP",
    ]


def test_drawings_are_shown_where_asked_for():
    """With ``drawing`` the player sees what the environment draws."""
    state = begin(Gymnasium(name="FrozenLake-v1", drawing=True))

    assert "SFFF" in state.observe(Player(0))["drawing"].replace("\x1b[41m", "").replace("\x1b[0m", "")


def test_the_limit_of_waves_ends_the_match_with_what_was_earned():
    """An environment that would go on is cut off, and its rewards so far count."""
    state = begin(Gymnasium(name="CliffWalking-v1", longest=3))

    paid = play(state)

    assert len(paid) == 3
    assert state.returns() == [sum(r for (r,) in paid)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Gymnasium(name="Pendulum-v1"), "continuous"),
        (lambda: Gymnasium(name="my_environments:nested"), "Tuple"),
        (lambda: Gymnasium(name="Nope-v1"), "cannot be made"),
        (lambda: Gymnasium(name="nowhere:Nope"), "no module 'nowhere'"),
        (lambda: Gymnasium(name="FrozenLake-v1", parameters={"size": 3}), "cannot be made"),
        (lambda: Gymnasium(name="FrozenLake-v1", labels=("a",)), "4 actions, got 1"),
        (lambda: Gymnasium(name="my_environments:many", labels=("a",)), "labels"),
        (lambda: PettingZoo(name="nowhere.at_all"), "needs the module 'nowhere'"),
        (lambda: PettingZoo(name="classic/nope-v1"), "cannot be made"),
        (lambda: PettingZoo(name="pettingzoo.classic.tictactoe_v3", api="parallel"), "choose another api"),
        (lambda: PettingZoo(name="my_environments:nothing"), "no environment of PettingZoo"),
    ],
)
def test_what_cannot_be_played_says_why(make, message):
    """Each mistake is one clear error before anything is played."""
    with pytest.raises(ConfigError, match=message):
        make()


def test_masked_actions_are_refused():
    """What the environment's mask forbids is illegal, and raises if it is applied unchecked."""
    state = begin(PettingZoo(name="pettingzoo.classic.tictactoe_v3"))
    state.apply({Player(0): 4})

    assert state.check(Player(1), 4).kind == "masked"
    assert state.check(Player(1), True).kind == "not-an-action"
    with pytest.raises(RuleError):
        state.apply({Player(1): 4})


def test_discretised_environments_are_playable():
    """The way out that the error for continuous actions names works."""
    sys.modules["my_environments"].pendulum = lambda: TransformAction(
        gymnasium.make("Pendulum-v1"), lambda a: np.array([a - 1.0], np.float32), spaces.Discrete(3)
    )
    state = begin(Gymnasium(name="my_environments:pendulum", longest=5))

    assert len(play(state)) == 5

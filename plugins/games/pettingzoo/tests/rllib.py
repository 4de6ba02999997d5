"""RLlib learns a game of Arena through its ``PettingZooEnv``, and what it learned plays as an agent.

Run with ``make test-rllib``, in an environment of its own.
"""

import functools
import os
from pathlib import Path
from typing import Any

import arena
import numpy as np
import pytest
from arena.game import Decision
from arena_gym import HashedFeatures, Settings
from arena_gym.aec import AECEnvironment
from arena_gym.environment import GameSpaces
from gymnasium import spaces

ray = pytest.importorskip("ray")
torch = pytest.importorskip("torch")

GAME = "tic-tac-toe"
ENCODING = HashedFeatures(256)
ITERATIONS = 4


class Renamed(AECEnvironment):
    """RLlib's module for masked actions looks for ``observations``, where PettingZoo's games have ``observation``."""

    def __init__(self) -> None:
        super().__init__(GAME, encoding=ENCODING)
        self.observation_spaces = {agent: _renamed(space) for agent, space in self.observation_spaces.items()}

    def observe(self, agent: str) -> dict[str, Any]:
        return _as_rllib(super().observe(agent))


def _renamed(space: spaces.Dict) -> spaces.Dict:
    return spaces.Dict(
        {"action_mask": spaces.Box(0, 1, space["action_mask"].shape, np.float32), "observations": space["observation"]}
    )


def _as_rllib(seen: dict[str, Any]) -> dict[str, Any]:
    return {"action_mask": seen["action_mask"].astype(np.float32), "observations": seen["observation"]}


def choose(decision: Decision) -> Any:
    """What the saved module finds best; called by the agent ``policy``."""
    module, table = _saved(os.environ["RLLIB_MODULE"])
    seen = _as_rllib(table.masked(decision.observation, decision))
    batch = {"obs": {name: torch.from_numpy(value)[None] for name, value in seen.items()}}
    with torch.no_grad():
        logits = module.forward_inference(batch)["action_dist_inputs"]
    assert table.numbering is not None
    return table.numbering.action(decision, int(logits.argmax()))


@functools.cache
def _saved(path: str) -> tuple[Any, GameSpaces]:
    from ray.rllib.core.rl_module.rl_module import RLModule

    return RLModule.from_checkpoint(path), GameSpaces(GAME, Settings(encoding=ENCODING))


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> tuple[Path, list[dict[str, Any]]]:
    """A policy trained for both seats by PPO, and what each iteration reported."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    torch.set_num_threads(1)
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    register_env("arena", lambda _: PettingZooEnv(Renamed()))
    env = Renamed()
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=env.observation_space("player_0"),
        action_space=env.action_space("player_0"),
        model_config=DefaultModelConfig(fcnet_hiddens=[64, 64]),
    )
    config = (
        PPOConfig()
        .environment("arena")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, *_, **__: "both")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": module}))
        .training(train_batch_size=1500, minibatch_size=250, num_epochs=8, lr=2e-3, entropy_coeff=0.01)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    results = [algorithm.train() for _ in range(ITERATIONS)]
    directory = tmp_path_factory.mktemp("rllib")
    algorithm.get_module("both").save_to_path(directory)
    algorithm.stop()
    ray.shutdown()
    return directory, results


def test_training_runs_and_learns(trained):
    """Every iteration plays matches to their end; the loss is a number."""
    _, results = trained

    assert len(results) == ITERATIONS
    assert all(r["env_runners"]["num_episodes"] > 100 for r in results)
    assert np.isfinite(results[-1]["learners"]["both"]["total_loss"])


def test_the_saved_policy_plays_as_an_agent(trained, monkeypatch, tmp_path):
    """Loaded again, it plays a benchmark without an illegal action and beats random with its whole interval."""
    directory, _ = trained
    monkeypatch.setenv("RLLIB_MODULE", str(directory))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))

    run = arena.run(
        {
            "name": "rllib",
            "games": {"ttt": GAME},
            "agents": {"trained": {"use": "policy", "policy": "rllib:choose"}, "random": "random"},
            "schedule": {"use": "round-robin", "repeats": 60, "rotate-seats": True},
            "metrics": [],
        },
        output=tmp_path / "run",
        trust_code=True,
    )

    scores = np.array([(m.returns[m.agents.index("trained")] + 1) / 2 for m in run.matches])
    assert len(scores) == 120
    assert all(not list(match.refused()) for match in run.matches)
    error = scores.std(ddof=1) / np.sqrt(len(scores))
    assert scores.mean() - 1.96 * error > 0.5, f"{scores.mean():.3f} ± {1.96 * error:.3f} (n={len(scores)})"

"""Learn tic-tac-toe by self-play: a table of values of positions after a move, trained through PettingZoo's interface.

Both players share one table and learn by temporal differences: when a player is to move again, or the match is over,
the value of the position it left behind moves towards the greedy value it finds, or towards what it earned.

    python train.py --output policy.json
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path
from random import Random

import arena_gym as adapters
from arena.record import JSON


def after(observation: JSON, action: int) -> str:
    """The board after a move, as the one who moves sees it: its marks are ``x``, the other's ``o``."""
    marks = {None: ".", "": ".", observation["you"]: "x"}
    cells = [marks.get(cell, "o") for row in observation["board"] for cell in row]
    return "".join([*cells[:action], "x", *cells[action + 1 :]])


def train(matches: int, seed: int = 0, rate: float = 0.2, explore: float = 0.2) -> dict[str, float]:
    """The value of each position reached, from -1 to 1, for the one who has just moved."""
    rng, values = Random(seed), defaultdict[str, float](float)
    env = adapters.aec_env("tic-tac-toe", encoding=Nothing())
    env.reset(seed=seed)
    for number in range(matches):
        env.reset()
        left: dict[str, str] = {}
        for agent in env.agent_iter():
            _, reward, ended, cut, _ = env.last()
            if ended or cut:
                values[left[agent]] += rate * (reward - values[left[agent]])
                env.step(None)
                continue
            decision = env.decision(agent)
            reached = {a: after(decision.observation, a) for a in decision.options.actions}
            best = max(reached, key=lambda a: values[reached[a]])
            if agent in left:
                values[left[agent]] += rate * (values[reached[best]] - values[left[agent]])
            random = rng.random() < explore * (1 - number / matches)
            action = rng.choice(list(reached)) if random else best
            left[agent] = reached[action]
            env.step(action)
    return dict(values)


class Nothing:
    """No vector: the table is read by the position itself."""

    columns = 1

    def encode(self, observation: JSON) -> list[float]:
        """Encode every observation as one zero, since the table needs only the actions."""
        return [0.0]


def main() -> None:
    """Train a policy by the command's options and save it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("policy.json"))
    given = parser.parse_args()
    values = train(given.matches, given.seed)
    given.output.write_text(json.dumps(values, sort_keys=True))


if __name__ == "__main__":
    main()

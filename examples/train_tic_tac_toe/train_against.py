"""Learn tic-tac-toe against a fixed opponent: the same table of values, trained through Gymnasium's interface.

The environment plays the opponent's moves: a step leads from one position in which the learner moves to the next.

    python train_against.py --opponent random --output policy.json
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path
from random import Random

import arena_gym
from train import Nothing, after


def train(matches: int, opponent: str = "random", seed: int = 0, rate: float = 0.2) -> dict[str, float]:
    """The value of each position reached, from -1 to 1, for the learner, who plays either side by turns of chance."""
    rng, values = Random(seed), defaultdict[str, float](float)
    env = arena_gym.gymnasium_env("tic-tac-toe", opponents=opponent, seat=None, encoding=Nothing())
    env.reset(seed=seed)
    for number in range(matches):
        env.reset()
        left, reward, over = None, 0.0, False
        while not over:
            decision = env.decision()
            reached = {a: after(decision.observation, a) for a in decision.options.actions}
            best = max(reached, key=lambda a: values[reached[a]])
            if left is not None:
                values[left] += rate * (values[reached[best]] - values[left])
            explores = rng.random() < 0.2 * (1 - number / matches)
            action = rng.choice(list(reached)) if explores else best
            left = reached[action]
            _, reward, ended, cut, _ = env.step(action)
            over = ended or cut
        values[left] += rate * (reward - values[left])
    env.close()
    return dict(values)


def main() -> None:
    """Train a policy by the command's options and save it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("policy.json"))
    given = parser.parse_args()
    values = train(given.matches, given.opponent, given.seed)
    given.output.write_text(json.dumps(values, sort_keys=True))


if __name__ == "__main__":
    main()

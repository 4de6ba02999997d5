"""The example that trains a player and measures it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from arena_engine import Journal

pytestmark = pytest.mark.slow


def wilson_low(wins: int, n: int) -> float:
    """The lower end of the 95 % interval of a share."""
    z, share = 1.96, wins / n
    spread = z * ((share * (1 - share) + z * z / (4 * n)) / n) ** 0.5
    return (share + z * z / (2 * n) - spread) / (1 + z * z / n)


def measured(root, program, folder, script):
    """The matches against random play of the example, trained by one of its scripts."""
    example = shutil.copytree(root / "examples" / "train_tic_tac_toe", folder / "example")
    subprocess.run([sys.executable, script], cwd=example, check=True, timeout=250)
    environment = {**os.environ, "PYTHONPATH": str(Path(example))}
    subprocess.run(
        [program, "run", "benchmark.yaml", "--trust-code", "--output", "run"], cwd=example, env=environment, check=True
    )

    with Journal.open(example / "run") as journal:
        return example, [m for m in journal.records() if "random" in m.agents]


@pytest.mark.campaign
@pytest.mark.parametrize(("script", "positions"), [("train.py", 1000), ("train_against.py", 500)])
def test_a_trained_player_beats_random(script, positions, root, program, tmp_path):
    """Trained as its README says, it plays no illegal action and its wins against random are surely more than 60 %."""
    example, matches = measured(root, program, tmp_path, script)
    wins = sum(m.returns[m.agents.index("trained")] == 1.0 for m in matches)

    assert len(json.loads((example / "policy.json").read_text())) > positions
    assert len(matches) == 100
    assert not any(list(match.refused()) for match in matches)
    assert wilson_low(wins, len(matches)) > 0.6

"""The trained policy, as the agent ``policy`` calls it; ``TIC_TAC_TOE_POLICY`` names the file it was written to."""

import json
import os
from functools import cache
from pathlib import Path

from arena.game import Decision
from train import after


def choose(decision: Decision) -> int:
    """The move whose position is worth most; the first of several."""
    values = _values(os.environ.get("TIC_TAC_TOE_POLICY", "policy.json"))
    return max(decision.options.actions, key=lambda a: values.get(after(decision.observation, a), 0.0))


@cache
def _values(path: str) -> dict[str, float]:
    return json.loads(Path(path).read_text())

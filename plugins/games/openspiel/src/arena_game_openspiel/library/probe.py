"""Tries parameters of OpenSpiel's games in a process of its own, since a bad combination ends the process it is in."""

import os
import signal
import subprocess
import sys
from functools import cache
from typing import Final

TRY: Final = """\
import json, random, sys, pyspiel
try:
    state = pyspiel.load_game(sys.argv[1], json.loads(sys.argv[2])).new_initial_state()
    rng = random.Random(0)
    for _ in range(300):
        str(state), state.returns()
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
        elif state.is_simultaneous_node():
            legal = map(state.legal_actions, range(state.num_players()))
            state.apply_actions([rng.choice(actions or [0]) for actions in legal])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
except Exception:
    pass
"""
"""A random match; what OpenSpiel refuses by an error is left to whoever loads the game."""


@cache
def fatal_end(name: str, parameters: str) -> str:
    """How OpenSpiel ends its process with these parameters, a text of JSON; empty if it survives them.

    The answer is kept as long as this process lives.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-c", TRY, name, parameters],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # the same library, wherever it was found
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return ""
    how = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit code {done.returncode}"
    said = next((line.strip() for line in reversed(done.stderr.splitlines()) if line.strip()), "")
    return f"{how}, after {said[:200]!r}" if said else how

"""Replays matches in another process, where strings hash differently and sets have another order.

Run as a program, it reads pickled action sequences on standard input and writes their stories to standard output.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

from arena_testing.foundation.conformance import ActionSequence
from arena_testing.foundation.playthrough import Playthrough, replay
from arena_testing.game.determinism import check_same

_TIME_S = 120


def check_elsewhere(walks: Sequence[Playthrough]) -> str | None:
    """The same seed and actions give the same events in another process.

    Returns why that was not tried, or ``None``.
    """
    try:
        lines = pickle.dumps([walk.line for walk in walks])
    except Exception as error:
        return f"another process: {type(error).__name__}: {error}"
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=lines,
        capture_output=True,
        timeout=_TIME_S,
        env=environment,
        check=False,
    )
    if done.returncode:
        return f"another process: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}"
    stories: list[list[str]] = pickle.loads(done.stdout)
    for walk, story in zip(walks, stories, strict=True):
        check_same(walk, story, "in another process; look for a loop over a set")
    return None


def _answer() -> None:
    lines: list[ActionSequence] = pickle.load(sys.stdin.buffer)
    stories = [replay(line.game, line.players, line).story for line in lines]
    sys.stdout.buffer.write(pickle.dumps(stories))


if __name__ == "__main__":
    _answer()

"""Nothing is steered by the names of the engine's functions and variables."""

import os
import subprocess
import sys
from pathlib import Path

import arena_engine
import pytest

from .renamed import renamed_copy

TESTS = ("test_control.py", "test_open_seats.py", "test_closing.py", "test_referee.py")
"""The tests of this folder that stop runs, cancel matches, leave seats, and break games and agents."""

BLOCKING = "tests/promises/test_turn_limits.py"

PROGRAM = """
import sys
from pathlib import Path

import arena_engine
import pytest

if __name__ == "__main__":
    assert Path(arena_engine.__file__).is_relative_to(sys.argv[1]), arena_engine.__file__
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


@pytest.mark.slow  # it runs other tests in a process of its own
def test_runs_are_stopped_whatever_functions_are_called(tmp_path: Path):
    """With other names for functions and variables, turns, seats and matches end as before, and who blocks is hit."""
    here, engine = Path(__file__).parent, Path(arena_engine.__file__).parent
    root = here.parents[3]
    others = [path for path in (root / "plugins").glob("*/*/src/**/*.py") if engine not in path.parents]
    tests = [here / name for name in TESTS]
    known = [*(root / "core" / "src").rglob("*.py"), *others]

    names = renamed_copy(engine, tmp_path, known, [*tests, here / "test_runner.py", root / BLOCKING])
    case = f"{BLOCKING}::test_agent_that_takes_too_long_is_late[async def act(self, d): blocked(25); return first(d)]"
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), *map(str, tests), case],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert {"take_turn", "ended_on_stop", "waits_for_answers", "_play", "_ask_together", "_end"} <= names.functions
    assert {"self", "here", "error"} <= names.variables["match/player.py"]
    assert len(names.functions) > 150
    assert sum(map(len, names.variables.values())) > 500
    assert ended.returncode == 0, ended.stdout + ended.stderr

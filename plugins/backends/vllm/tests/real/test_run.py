"""A whole run from the command line: many matches in one batch, killed and resumed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import SMALL

pytestmark = pytest.mark.timeout(1800)
ARENA = (sys.executable, "-m", "arena_cli")
MATCHES = 32


def answers(directory: Path) -> int:
    """How many answers the journal of a run holds."""
    path = directory / "journal.sqlite"
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return database.execute("select count(*) from answers").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def planned(base_model) -> dict[str, Any]:
    """A benchmark of many matches of a base model, all at once."""
    backend = {"use": "vllm-engine", "model": base_model, "context": 2048, "options": SMALL, "max-tokens": 96}
    return {
        "name": "base",
        "seed": 5,
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"base": {"use": "llm", "backend": backend, "reasoning-limit": 40}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": MATCHES // 2, "rotate-seats": True},
        "limits": {"concurrency": MATCHES},
    }


@pytest.fixture
def killed(base_model, marked, tmp_path) -> Path:
    """The directory of a run that was killed with -9 once its model had answered half as often as there are matches."""
    (tmp_path / "bench.yaml").write_text(json.dumps(planned(base_model)))
    run = tmp_path / "run"
    command = [*ARENA, "run", str(tmp_path / "bench.yaml"), "--output", str(run)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, env=marked.environment, stdout=log, stderr=log)
    while answers(run) < MATCHES // 2:
        assert process.poll() is None, (tmp_path / "log").read_text()
        time.sleep(0.05)
    played = marked.processes()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(played) > 1
    return run


def test_many_matches_of_a_base_model_are_killed_and_resumed(killed, marked, tmp_path):
    """Matches of a base model share one engine; after kill -9 no process stays, and resuming plays them to the end."""
    marked.vanish()
    after, kept = marked.processes(), answers(killed)

    resumed = subprocess.run(
        [*ARENA, "resume", str(killed)], env=marked.environment, capture_output=True, text=True, check=False
    )
    exported = subprocess.run(
        [*ARENA, "export", str(killed), "--format", "jsonl", "--output", str(tmp_path / "x.jsonl")],
        capture_output=True,
        check=False,
    )

    assert after == []
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout.splitlines()[-1] == str(killed)
    assert exported.returncode == 0
    matches = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert len(matches) == MATCHES
    assert {match["ending"] for match in matches} == {"rules"}
    assert not any(any(match["refusals"].values()) for match in matches)
    assert answers(killed) > kept >= MATCHES // 2

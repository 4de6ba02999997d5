"""Nothing that was computed or paid for is lost or asked twice: full disks, Ctrl-C and ``kill -9``."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from arena.journal import Journal

CONCURRENCY = 8
KILLS = 20

RANDOM = """
name: luck
seed: 8
games: {ttt: {use: tic-tac-toe}}
agents: {one: {use: random}, two: {use: random}}
schedule: {use: round-robin, repeats: 400}
metrics: []
"""

MODEL = f"""
name: model
seed: 9
games: {{ttt: {{use: tic-tac-toe}}, kuhn: {{use: kuhn-poker}}}}
agents:
  model: {{use: llm, backend: {{use: scripted, latency: 0.02, concurrency: {CONCURRENCY}}}}}
  random: {{use: random}}
schedule: {{use: round-robin, repeats: 30}}
illegal-actions: {{retries: 1, then: random}}
metrics: [outcomes]
observers: {{tally: {{use: tally}}}}
limits: {{concurrency: {CONCURRENCY}}}
"""

TALLY = '''
"""Writes a line for each completion that is asked of a backend."""

import os

import attrs

from arena.hookspecs import Observer, hookimpl
from arena.plugin import Plugin

TALLY = Plugin(factory="tally:Tally", summary="counts what is asked")


@attrs.frozen
class Tally(Observer):
    def watch(self):
        return Watcher(os.open(os.environ["TALLY"], os.O_CREAT | os.O_APPEND | os.O_WRONLY))


class Watcher:
    def __init__(self, file):
        self.file = file

    @hookimpl
    def completion_requested(self):
        os.write(self.file, b"asked\\n")
'''


@pytest.fixture
def tally(tmp_path) -> Mapping[str, str]:
    """An environment in which an observer of somebody else, ``tally``, is installed and counts into a file."""
    site = tmp_path / "site"
    metadata = site / "tally-1.0.dist-info"
    metadata.mkdir(parents=True)
    (site / "tally.py").write_text(TALLY)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tally\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[arena.observers]\ntally = tally:TALLY\n")
    return {"PYTHONPATH": str(site), "TALLY": str(tmp_path / "tally.txt")}


def asked(tally: Mapping[str, str]) -> int:
    """How many completions have been asked of a backend so far."""
    path = Path(tally["TALLY"])
    return path.read_bytes().count(b"\n") if path.exists() else 0


def exported(arena, tmp_path, run, **more) -> bytes:
    """The whole story of a run as bytes."""
    target = tmp_path / "export.jsonl"
    target.unlink(missing_ok=True)
    done = arena("export", run, "--format", "jsonl", "--events", "--output", target, **more)
    assert done.returncode == 0, done.stderr
    return target.read_bytes()


def allow_small_files_only() -> None:
    """Let no file grow beyond 200 KB: to the program this is a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def test_full_disk_stops_cleanly(arena, tmp_path):
    """A disk that takes no more is exit status 3 and one sentence; with space again the run goes on to the same end."""
    (tmp_path / "luck.yaml").write_text(RANDOM)
    assert arena("run", "luck.yaml", "--output", "whole").returncode == 0

    full = arena("run", "luck.yaml", "--output", "parted", prepare=allow_small_files_only)
    resumed = arena("resume", "parted")

    assert full.returncode == 3, full.stderr
    assert "Traceback" not in full.stderr
    assert "resume" in full.stderr
    assert resumed.returncode == 0, resumed.stderr
    assert exported(arena, tmp_path, "parted") == exported(arena, tmp_path, "whole")


class Running:
    """An ``arena`` process that can be watched and stopped."""

    def __init__(self, program: Path, arguments: list[str], directory: Path, tally: Mapping[str, str]) -> None:
        self.tally = tally
        self.process = subprocess.Popen(
            [str(program), *arguments],
            cwd=directory,
            env={**os.environ, **tally},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait_until_asked(self, total: int) -> bool:
        """Whether so many completions have been asked before the process ended."""
        deadline = time.monotonic() + 120
        while asked(self.tally) < total and time.monotonic() < deadline:
            if self.process.poll() is not None:
                return asked(self.tally) >= total
            time.sleep(0.002)
        return True

    def stop(self, number: signal.Signals) -> int:
        """Send a signal and hand back how the process ended."""
        self.process.send_signal(number)
        return self.process.wait(60)


def test_ctrl_c_stops_cleanly(arena, program, tmp_path, tally):
    """Ctrl-C is exit status 3; what was in flight is kept, so the resumed run asks nothing twice at all."""
    (tmp_path / "model.yaml").write_text(MODEL)
    assert arena("run", "model.yaml", "--output", "whole", environment=tally).returncode == 0
    needed = asked(tally)
    Path(tally["TALLY"]).unlink()

    running = Running(program, ["run", "model.yaml", "--output", "parted"], tmp_path, tally)
    assert running.wait_until_asked(needed // 3)
    status = running.stop(signal.SIGINT)
    resumed = arena("resume", "parted", environment=tally)

    assert status == 3
    assert resumed.returncode == 0, resumed.stderr
    assert asked(tally) == needed
    assert exported(arena, tmp_path, "parted", environment=tally) == exported(
        arena, tmp_path, "whole", environment=tally
    )


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kill_at_any_moment(arena, program, tmp_path, tally):
    """Killed at 20 random moments, a run ends with the bytes of an uninterrupted one; only calls in flight repeat."""
    (tmp_path / "model.yaml").write_text(MODEL)
    assert arena("run", "model.yaml", "--output", "whole", environment=tally).returncode == 0
    needed = asked(tally)
    Path(tally["TALLY"]).unlink()
    dice = Random(20)

    command, kills = ["run", "model.yaml", "--output", "parted"], 0
    while kills < KILLS:
        running = Running(program, command, tmp_path, tally)
        # Mostly after some more calls, sometimes at once: start-up and replay are moments too.
        more = dice.choice([0, *range(1, 2 * needed // KILLS)])
        assert running.wait_until_asked(asked(tally) + more), "the run ended before it was killed often enough"
        time.sleep(dice.random() * 0.02)
        running.stop(signal.SIGKILL)
        kills += 1
        if (tmp_path / "parted" / "journal.sqlite").exists():
            command = ["resume", "parted"]
            with Journal.open(tmp_path / "parted") as journal:
                kept = journal.totals().calls
            assert kept <= asked(tally) <= kept + kills * CONCURRENCY
    resumed = arena("resume", "parted", environment=tally)

    assert resumed.returncode == 0, resumed.stderr
    assert needed <= asked(tally) <= needed + KILLS * CONCURRENCY
    assert exported(arena, tmp_path, "parted", environment=tally) == exported(
        arena, tmp_path, "whole", environment=tally
    )

"""Nothing that was computed or paid for is lost or asked twice: full disks, Ctrl-C and ``kill -9``."""

import resource
import signal
import subprocess
import time
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest
from arena_engine import Journal

CONCURRENCY = 8
KILLS = 20
LATENCY_S = 0.1
"""Runs last some seconds, so that on a machine that stalls for one they are still played when they are interrupted."""

RANDOM = """
name: luck
seed: 8
games: {ttt: {use: tic-tac-toe}}
agents: {one: {use: random}, two: {use: random}}
schedule: {use: round-robin, repeats: 1200}
metrics: []
"""

PLAIN = "journal: {compress: false}\n"

MODEL = f"""
name: model
seed: 9
games: {{ttt: {{use: tic-tac-toe}}, kuhn: {{use: kuhn-poker}}}}
agents:
  model: {{use: llm, backend: {{use: scripted, latency-s: {LATENCY_S}, concurrency: {CONCURRENCY}, log: asked.log}}}}
  random: {{use: random}}
schedule: {{use: round-robin, repeats: 30}}
illegal-actions: {{retries: 1, then: random}}
metrics: [outcomes]
limits: {{concurrency: {CONCURRENCY}}}
"""

TALK = f"""
name: talk
seed: 10
games:
  diplomacy: {{use: diplomacy, hands: [[FRANCE], [ENGLAND, ITALY], [GERMANY]], negotiation-rounds: 1, last-year: 1904}}
agents:
  one: {{use: llm, backend: {{use: scripted, latency-s: {LATENCY_S}, concurrency: {CONCURRENCY}, log: asked.log}}}}
  two: {{use: llm, backend: {{use: scripted, latency-s: {LATENCY_S}, concurrency: {CONCURRENCY}, log: asked.log}}}}
  random: {{use: random}}
schedule: {{use: round-robin, repeats: 3}}
illegal-actions: {{retries: 1, then: skip}}
metrics: [outcomes]
limits: {{concurrency: {CONCURRENCY // 2}}}
"""


def asked(directory: Path) -> list[str]:
    """The hashes of all requests that reached the backend, in their order."""
    log = directory / "asked.log"
    return [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []


def exported(arena, tmp_path, run) -> bytes:
    """The whole story of a run as bytes."""
    target = tmp_path / "export.jsonl"
    target.unlink(missing_ok=True)
    done = arena("export", run, "--format", "jsonl", "--events", "--output", target)
    assert done.returncode == 0, done.stderr
    return target.read_bytes()


def small_files_only(size: int) -> None:
    """Let no file grow beyond so many bytes: to the program this is a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize(
    ("benchmark", "size"),
    # Plans take 50 kB packed and 400 kB plain, all matches 200 kB and 3.8 MB.
    [(RANDOM, 220_000), (RANDOM + PLAIN, 780_000)],
    ids=["packed", "plain"],
)
def test_full_disk_stops_cleanly(arena, tmp_path, benchmark, size):
    """A disk that takes no more is exit status 3 and one sentence; with space again the run goes on to the same end."""
    (tmp_path / "luck.yaml").write_text(benchmark)
    assert arena("run", "luck.yaml", "--output", "whole").returncode == 0

    full = arena("run", "luck.yaml", "--output", "parted", prepare=partial(small_files_only, size))
    resumed = arena("resume", "parted")

    assert full.returncode == 3, full.stderr
    assert "Traceback" not in full.stderr
    assert "resume" in full.stderr
    assert resumed.returncode == 0, resumed.stderr
    assert exported(arena, tmp_path, "parted") == exported(arena, tmp_path, "whole")


class Running:
    """An ``arena`` process that can be watched and stopped."""

    def __init__(self, program: Path, arguments: list[str], directory: Path) -> None:
        self.directory = directory
        self.process = subprocess.Popen(
            [str(program), *arguments],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait_until_asked(self, total: int) -> bool:
        """Whether so many completions were asked before the process ended."""
        deadline = time.monotonic() + 120
        while len(asked(self.directory)) < total and time.monotonic() < deadline:
            if self.process.poll() is not None:
                return False
            time.sleep(0.002)
        return self.process.poll() is None

    def stop(self, number: signal.Signals) -> int:
        """Send a signal and hand back how the process ended."""
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.fixture(params=[MODEL])
def whole(arena, tmp_path, request) -> tuple[bytes, list[str]]:
    """What a run that nobody interrupts exports, and what it asks."""
    (tmp_path / "model.yaml").write_text(request.param)
    done = arena("run", "model.yaml", "--output", "whole")
    assert done.returncode == 0, done.stderr
    requests = asked(tmp_path)
    assert len(requests) == len(set(requests)) > 200
    (tmp_path / "asked.log").unlink()
    return exported(arena, tmp_path, "whole"), requests


@pytest.mark.slow
def test_ctrl_c_stops_cleanly(arena, program, tmp_path, whole):
    """Ctrl-C is exit status 3; what is in flight is kept, so the resumed run asks nothing twice at all."""
    story, requests = whole
    running = Running(program, ["run", "model.yaml", "--output", "parted"], tmp_path)
    assert running.wait_until_asked(len(requests) // 8)

    status = running.stop(signal.SIGINT)
    resumed = arena("resume", "parted")

    assert status == 3
    assert resumed.returncode == 0, resumed.stderr
    assert sorted(asked(tmp_path)) == sorted(requests)
    assert exported(arena, tmp_path, "parted") == story


def recorded(run: Path) -> set[str]:
    """The hashes of all requests whose answers the journal has."""
    with Journal.open(run) as journal:
        return {answer.request_hash for plan in journal.plans() for answer in journal.answers(plan.id)}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "whole",
    [
        pytest.param(MODEL, id="moves"),
        pytest.param(TALK + PLAIN, id="talk and orders, plain", marks=pytest.mark.campaign),
        pytest.param(MODEL + PLAIN, id="moves, plain", marks=pytest.mark.campaign),
        pytest.param(TALK, id="talk and orders", marks=pytest.mark.campaign),
    ],
    indirect=True,
)
def test_kill_at_any_moment(arena, program, tmp_path, whole):
    """Killed at 20 random moments, a run ends with the bytes of an uninterrupted one; only calls in flight repeat."""
    story, requests = whole
    dice = Random(20)
    in_flight = Counter[str]()

    command = ["run", "model.yaml", "--output", "parted"]
    for number in range(KILLS):
        before = len(asked(tmp_path))
        running = Running(program, command, tmp_path)
        # Mostly after some more calls, sometimes at once: starting and replaying are moments too. Half of what is left
        # stays for after the last time, however late the run was killed before.
        left = len(requests) - len(set(asked(tmp_path)))
        more = dice.choice([0, *range(1, max(2, left // (KILLS - number + 4)))])
        assert running.wait_until_asked(before + more), "the run ended before it was killed often enough"
        time.sleep(dice.random() * 0.02)
        running.stop(signal.SIGKILL)
        if (tmp_path / "parted" / "journal.sqlite").exists():
            command = ["resume", "parted"]
            lost = set(asked(tmp_path)[before:]) - recorded(tmp_path / "parted")
            assert len(lost) <= CONCURRENCY
            in_flight.update(lost)
    resumed = arena("resume", "parted")

    assert resumed.returncode == 0, resumed.stderr
    times = Counter(asked(tmp_path))
    assert set(times) == set(requests)
    assert {request for request, n in times.items() if n > 1 + in_flight[request]} == set()
    assert exported(arena, tmp_path, "parted") == story

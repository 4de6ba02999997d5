"""What the tests of executors share: an observer that writes down what it hears, and runs in processes of their own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena.hookspecs import hookimpl

ARENA = Path(sys.executable).parent / "arena"


class Listener:
    """Writes down what it hears of each match, and does something when so many are over."""

    def __init__(self, matches=0, action=lambda: None):
        self.heard, self.matches, self.action = {}, matches, action

    def hear(self, plan, *what):
        self.heard.setdefault(plan.id, []).append(what)

    @hookimpl
    def match_started(self, plan):
        self.hear(plan, "started")

    @hookimpl
    def decision_asked(self, plan, decision):
        self.hear(plan, "asked", decision.observation, decision.render("text"), decision.schema, decision.news)

    @hookimpl
    def actions_applied(self, plan, events):
        self.hear(plan, "applied", tuple(events))

    @hookimpl
    def match_finished(self, record):
        self.hear(record.plan, "finished", record)
        self.matches -= 1
        if self.matches == 0:
            self.action()


@pytest.fixture
def listener():
    """The class of observers that write down what they hear."""
    return Listener


def marked(mark: str) -> list[int]:
    """The processes whose environment holds a mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.fixture
def processes_with():
    """Finds the processes whose environment holds a mark."""
    return marked


class Resumed:
    """``arena resume`` in a process of its own; ``is_apart`` makes its group one that can be sent signals."""

    def __init__(self, directory, *options, is_apart=False):
        self.mark = f"ARENA_TEST_{os.getpid()}_{time.monotonic_ns()}"
        self.process = subprocess.Popen(
            [str(ARENA), "resume", str(directory), *options],
            env={**os.environ, self.mark: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=is_apart,
        )

    def processes(self) -> list[int]:
        """The process and all that it started, as far as they are still there."""
        return marked(self.mark)


@pytest.fixture
def resumed():
    """Resumes a run in a process that is killed after the test."""
    started = []

    def resume(directory, *options, is_apart=False):
        started.append(Resumed(directory, *options, is_apart=is_apart))
        return started[-1]

    yield resume
    for each in started:
        each.process.kill()
        each.process.wait()

"""What tests of kept promises share: hostile distributions, and commands that play with them."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import pytest
from arena_testing import unwrapped
from arena_testing.fixtures.distributions import Installed

HEAD = """
import asyncio, ctypes, os, signal, sys, threading, time
from pathlib import Path

import attrs
from arena.agent import Agent, PlayerAgent, Reply
from arena.backend import Backend, Completion, Connection
from arena.game import Decision, Game, GameFacts, Options, State
from arena.hookspecs import Observer, hookimpl
from arena.metric import Metric
from arena.record import EVERYONE, GameEvent


def held():
    "Hold the interpreter's lock for minutes, as code in C may; a signal does not end it."
    Path("reached").touch()
    return 7 ** 10**8


def blocked(seconds=25):
    "Block as ordinary code does."
    Path("reached").touch()
    time.sleep(seconds)


async def waited(seconds=25):
    "Wait as asynchronous code does."
    Path("reached").touch()
    await asyncio.sleep(seconds)


def first(decision):
    return Reply(action=decision.options.actions[0])


class Playing(PlayerAgent):
    def __init__(self, seat=None):
        self.seat = seat

    async def act(self, decision):
        return first(decision)


@attrs.frozen
class Plain(Agent):
    def join(self, seat):
        return Playing(seat)
"""


@attrs.frozen
class Lab:
    """A directory where arena finds the distribution ``lab`` of a test, and commands are run."""

    directory: Path
    program: Path

    def install(self, code: str, **names: str) -> None:
        """Write the plugins of ``code``, where each of ``names`` is ``NAME="KIND CLASS"``."""
        points: dict[str, dict[str, str]] = {}
        descriptors = ["from arena.plugin import Plugin\n"]
        for name, what in names.items():
            kind, made = what.split()
            points.setdefault(f"arena.{kind}", {})[name] = f"lab:{name.upper()}"
            descriptors.append(f'{name.upper()} = Plugin(factory="lab.parts:{made}", summary="hostile")\n')
        files = {"lab/__init__.py": "".join(descriptors), "lab/parts.py": f"{HEAD}\n{code}"}
        self.add("lab", points, files)

    def add(self, dist: str, points: Mapping[str, Mapping[str, str]], files: Mapping[str, str]) -> None:
        """Install a distribution with these modules and entry points, of any kind of plugin."""
        Installed(self.directory / "site").add(dist, points, files)

    def benchmark(self, text: str) -> None:
        """Write the file ``b.yaml``."""
        (self.directory / "b.yaml").write_text(text)

    def start(self, *arguments: object, **also: object) -> "subprocess.Popen[str]":
        """Start ``arena`` with these arguments."""
        paths = [str(self.directory / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
        return subprocess.Popen(
            [str(self.program), *map(str, arguments)],
            cwd=self.directory,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **also,  # type: ignore[call-overload]  # what a test needs of subprocess
        )

    def run(self, *arguments: object, timeout_s: float = 60) -> "Done":
        """Run ``arena`` to its end."""
        process = self.start(*arguments)
        return self.ended(process, timeout_s)

    def reached(self, process: "subprocess.Popen[str]", timeout_s: float = 60) -> None:
        """Wait until a plugin has got to where it blocks."""
        end = time.monotonic() + timeout_s
        while not (self.directory / "reached").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < end, "the plugin was never called"
            time.sleep(0.02)

    def signalled(self, number: int, *arguments: object) -> "Done":
        """Start ``arena``, send a signal once a plugin blocks, and wait for the end."""
        (self.directory / "reached").unlink(missing_ok=True)
        process = self.start(*arguments)
        self.reached(process)
        process.send_signal(number)
        return self.ended(process)

    def ended(self, process: "subprocess.Popen[str]", timeout_s: float = 60) -> "Done":
        """Wait for the end of a command; one that does not end is killed, and the test fails."""
        began = time.monotonic()
        try:
            said, status = process.communicate(timeout=timeout_s)
        finally:
            process.kill()
        return Done(process.returncode, said, unwrapped(status), time.monotonic() - began)


@attrs.frozen
class Done:
    """How a command ended: its exit code, what it printed, and the seconds it took."""

    code: int
    said: str
    status: str
    took_s: float


@pytest.fixture
def lab(tmp_path: Path, program: Path) -> Lab:
    """An empty directory for hostile plugins."""
    return Lab(tmp_path, program)


@pytest.fixture
def alone(lab: Lab) -> Callable[..., None]:
    """Write a benchmark of tic-tac-toe: ``alone(agent="block", **more lines)``."""

    def write(
        *lines: str, agent: str = "random", game: str = "tic-tac-toe", schedule: str = "use: round-robin, repeats: 1"
    ) -> None:
        lab.benchmark(
            "\n".join(
                [
                    "name: held",
                    f"games: {{g: {{use: {game}}}}}",
                    f"agents: {{a: {{use: {agent}}}, r: {{use: first-legal}}}}",
                    f"schedule: {{{schedule}}}",
                    *(lines or ("metrics: []",)),
                ]
            )
        )

    return write

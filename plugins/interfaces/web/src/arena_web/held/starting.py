"""Starts commands of ``arena`` in processes of their own, which neither the browser nor this server ends."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, Final

from arena_engine import ControlAddress, is_played

from arena_web.foundation.errors import ApiError
from arena_web.held.provider_keys import ProviderKeys

WAIT_S: Final = 60.0
"""Seconds within which a command has said what is wrong, or has begun; after them it is taken to begin later."""

_LOOK_S: Final = 0.05

_SAID: Final = "arena: "
"""What stands before each sentence in which a command says what is wrong."""

_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from arena_cli import main; sys.argv[0] = 'arena'; "
    "main()"
)


class Starter:
    """Starts commands; with plugins ``disabled`` that the server has disabled, and ``keys`` in their environment."""

    def __init__(
        self,
        *,
        disabled: Sequence[str] = (),
        keys: ProviderKeys | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = ProviderKeys() if keys is None else keys
        self._disabled = tuple(disabled)
        self._clock = clock
        self._running: list[subprocess.Popen[Any]] = []

    def play(self, words: Sequence[str], run: Path) -> None:
        """Start a command that plays a run, and wait until it plays it, or has ended.

        An answer of 409 says in the command's own sentence what kept it from playing.
        """
        with tempfile.TemporaryFile() as said:  # a pipe would end the command with the server
            process = self._start(words, said)
            until = self._clock() + WAIT_S
            while process.poll() is None and self._clock() < until:
                if is_played(run) and ControlAddress.of(run) is not None:
                    return
                time.sleep(_LOOK_S)
            if process.poll():
                said.seek(0)
                if sentence := _sentence(said.read().decode("utf-8", "replace")):
                    raise ApiError(409, run.name, sentence)

    def _start(self, words: Sequence[str], said: IO[bytes]) -> "subprocess.Popen[Any]":
        self._running = [each for each in self._running if each.poll() is None]  # takes note of those that ended
        disabled = [word for name in self._disabled for word in ("--disable", name)]
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, json.dumps(sys.path), *disabled, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
            env={**os.environ, **self._keys.environment(), "NO_COLOR": "1"},
        )
        self._running.append(process)
        return process


def _sentence(said: str) -> str:
    """What a command said was wrong; empty where it said nothing of the kind, as if matches had no result."""
    lines = said.splitlines()
    begun = next((place for place, line in enumerate(lines) if line.startswith(_SAID)), len(lines))
    told = " ".join(map(str.strip, lines[begun:]))
    return "; ".join(filter(None, map(str.strip, told.split(_SAID))))

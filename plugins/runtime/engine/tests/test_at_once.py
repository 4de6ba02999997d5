"""Coroutines that begin at once are tasks like others, on every Python."""

import os
import subprocess
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from arena_engine.match import at_once

from . import begun_tasks


@pytest.mark.parametrize("promise", begun_tasks.PROMISES, ids=lambda promise: promise.__name__)
async def test_promise_holds(promise: Callable[[Any], Coroutine[Any, Any, None]]):
    """What a match relies on when several players are asked at the same time holds on this Python."""
    await promise(at_once.all_begun)


def interpreters(version: str) -> Iterator[str]:
    """The programs that may be a Python of this version: on the PATH, or of pyenv."""
    yield f"python{version}"
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(root.glob(f"versions/{version}.*/bin/python")))


def runs(program: str) -> bool:
    """Whether a program is there and is not a shim of nothing."""
    try:
        return subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_promises_hold_on_other_pythons(version: str):
    """The module needs nothing but Python, so that every version that is here tries it."""
    program = next(filter(runs, interpreters(version)), None)
    if program is None:
        pytest.skip(f"neither the PATH nor pyenv has Python {version}")

    said = subprocess.run(
        [program, "-X", "dev", "-W", "error", begun_tasks.__file__, at_once.__file__], capture_output=True, text=True
    )

    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout == f"{len(begun_tasks.PROMISES)} promises hold on {version}\n"

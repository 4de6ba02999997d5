"""A planner that is scripted, in the place of the user's own."""

import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

SCRIPTED = Path(__file__).with_name("scripted_planner.py")

LATE = """#!/bin/sh
sleep 600 &
echo $! > "$0.pid"
wait
"""
"""A planner that finds nothing, with a process of its own; a shell, which has begun long before its time is over."""


@attrs.frozen
class Scripted:
    """A scripted planner: its program, and how it was called."""

    program: str

    def calls(self) -> list[str]:
        """The arguments of each call, in order."""
        log = Path(self.program).with_suffix(".log")
        return log.read_text().splitlines() if log.exists() else []

    def child(self) -> int:
        """The process that it started."""
        return int(Path(self.program).with_suffix(".pid").read_text())


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., Scripted]:
    """Make a planner that does as a word says: ``scripted("plan", "(move a b)")``."""

    def make(word: str, plan: str = "") -> Scripted:
        program = tmp_path / "planner"
        program.write_text(LATE if word == "late" else f"#!{sys.executable}\n{SCRIPTED.read_text()}")
        program.chmod(0o755)
        program.with_suffix(".txt").write_text(f"{word}\n{plan}")
        return Scripted(str(program))

    return make

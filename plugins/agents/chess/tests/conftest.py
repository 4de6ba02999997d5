"""A scripted engine that fails as it is told."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

SCRIPTED = Path(__file__).with_name("fake_engine.py")


@attrs.frozen
class Scripted:
    """A scripted engine: its program, and what its processes were told."""

    program: str

    def lines(self) -> list[list[str]]:
        """The process and the command of each line of its log."""
        log = Path(self.program).with_suffix(".log")
        return [line.split(" ", 1) for line in log.read_text().splitlines()] if log.exists() else []

    def commands(self) -> list[str]:
        """What all its processes were told, in order."""
        return [command for _, command in self.lines()]

    def processes(self) -> list[int]:
        """The ids of all its processes, in order."""
        return list(dict.fromkeys(int(process) for process, _ in self.lines()))

    def running(self) -> list[int]:
        """Those of its processes that have not ended; one that waits to be collected by its parent has."""
        return [process for process in self.processes() if _is_running(process)]


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., Scripted]:
    """Make an engine of the words of ``fake_engine.py``: ``scripted("e2e4", "die")``; the last one is repeated."""

    def make(*words: str) -> Scripted:
        program = tmp_path / "engine.py"
        program.write_text(f"#!{sys.executable}\n{SCRIPTED.read_text()}")
        program.chmod(0o755)
        program.with_suffix(".json").write_text(json.dumps(words))
        return Scripted(str(program))

    return make

"""Functions as agents keep their answers: a run that is killed at any of their calls asks none of the others again."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import arena
import pytest
from arena.catalog import Catalog
from arena_engine import Journal, load_benchmark
from arena_engine.execution.runner import play_run, resume_run

FUNCTIONS = """
import asyncio, os, signal
from pathlib import Path

HERE = Path(__file__).parent


def asked(decision):
    with open(HERE / "calls", "a") as log:
        log.write(f"{decision.player} {decision.turn}\\n")
    killed = HERE / f"killed {decision.player} {decision.turn}"
    if (HERE / "kills").exists() and not killed.exists():
        killed.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return decision.options.actions[-1]


def plain(decision):
    return asked(decision)


async def awaited(decision):
    await asyncio.sleep(0)
    return asked(decision)


def hands_on(decision):
    return awaited(decision)
"""


def in_child(play: Callable[[], object]) -> int:
    """Play in a forked process, which a function may kill; returns how it ended."""
    child = os.fork()
    if child == 0:
        try:
            play()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def resume(run: Path) -> None:
    """Play the rest of a run."""
    journal, benchmark = resume_run(run, Catalog())
    with journal:
        asyncio.run(play_run(journal, benchmark, {}, lambda *_: None))


@pytest.mark.parametrize("function", ["plain", "awaited", "hands_on"])
@pytest.mark.slow
def test_answers_of_functions_are_kept(tmp_path, monkeypatch, function):
    """Killed at each call of a function, a run asks for each decision once, and again where it was killed."""
    (tmp_path / f"kept_{function}.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(str(tmp_path))
    plain = {
        "name": "kept",
        "games": {"g": {"use": "connect-four"}},
        "agents": {"f": {"use": "policy", "policy": f"kept_{function}:{function}"}, "r": {"use": "first-legal"}},
        "schedule": {"use": "fixed", "seatings": [["f", "r"]]},
        "metrics": [],
    }
    benchmark = load_benchmark(plain, trust_code=True)
    whole = arena.run(benchmark, output=tmp_path / "whole")
    decisions = (tmp_path / "calls").read_text().splitlines()
    (tmp_path / "calls").unlink()
    (tmp_path / "kills").touch()

    ends = [in_child(lambda: arena.run(benchmark, output=tmp_path / "parted"))]
    while ends[-1] == -signal.SIGKILL:
        ends.append(in_child(lambda: resume(tmp_path / "parted")))

    assert ends == [-signal.SIGKILL] * len(decisions) + [0]
    assert (tmp_path / "calls").read_text().splitlines() == [each for each in decisions for _ in range(2)]
    with Journal.open(tmp_path / "parted") as journal:
        assert tuple(journal.records()) == whole.matches

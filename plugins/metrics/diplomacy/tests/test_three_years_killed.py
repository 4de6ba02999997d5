"""The match of three years, killed at twenty random moments and resumed, ends with the same bytes."""

import asyncio
import importlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import arena
import attrs
import pytest
from arena.catalog import Catalog
from arena.metric import FinishedMatch
from arena.record import canonical_json
from arena_engine import Benchmark, Journal, load_benchmark
from arena_engine.execution.runner import play_run, resume_run
from arena_report import measure_all

KILLS = 20

PLAYERS = """
import asyncio
import json
import os
import signal
from pathlib import Path

import annotated_years

MOMENT = Path(__file__).with_name("moment")

calls = 0


async def act(decision):
    global calls
    if MOMENT.exists():
        calls += 1
        call, delay_s = json.loads(MOMENT.read_text())
        if calls == call:
            asyncio.get_running_loop().call_later(delay_s, os.kill, os.getpid(), signal.SIGKILL)
    await asyncio.sleep(0.01)
    return annotated_years.chosen(decision)
"""


@pytest.fixture
def benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """The match, eight times, whose players take ten milliseconds, and kill themselves when they are told."""
    (tmp_path / "three_years_players.py").write_text(PLAYERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    script = importlib.import_module("annotated_years")
    names = [f"player-{number}" for number, _ in enumerate(script.script.HANDS)]
    rules = [
        {"when": f"You annotate what {power} wrote in the phase {phase}", "say": said}
        for (power, phase), said in script.ANSWERS.items()
    ]
    annotator = {"use": "scripted", "rules": rules, "latency_s": 0.002}
    return load_benchmark(
        {
            "name": "three-years",
            "seed": 1,
            "games": {"diplomacy": {"use": "diplomacy", **script.script.SETTINGS}},
            "agents": {name: {"use": "policy", "policy": "three_years_players:act"} for name in names},
            "schedule": {"use": "fixed", "seatings": [names], "repeats": 8},
            "limits": {"concurrency": 1},
            "metrics": {
                **{name: name for name in ("diplomacy-orders", "diplomacy-centres", "diplomacy-talk")},
                "negotiation": {"use": "diplomacy-negotiation", "tries": 2, "backend": annotator},
            },
        },
        trust_code=True,
    )


def in_child(play: Callable[[], object]) -> int:
    """Play in a forked process, which its players may kill; returns how it ended."""
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


def told(run: Path, benchmark: Benchmark) -> tuple[str, str]:
    """The records of a run, and all that its metrics and their judge measure in them, as texts."""
    with Journal.open(run) as journal:
        records = tuple(journal.records())
        judged = {name: journal.judgements(name) for name in benchmark.metrics}
    matches = [FinishedMatch(record, None) for record in records]
    rows: list[Any] = [
        attrs.asdict(row)
        for name, metric in benchmark.metrics.items()
        for row in measure_all(metric, matches, judged[name])
    ]
    assert any(row["name"] == "orders" for row in rows)
    assert len(judged["negotiation"]) == len(records) == 8
    return canonical_json([record.to_json() for record in records]), canonical_json(rows)


@pytest.mark.campaign
def test_killed_match_ends_with_the_same_bytes(tmp_path: Path, benchmark: Benchmark):
    """Killed at twenty random moments, the match is recorded and measured byte for byte as if nothing had happened."""
    parted, moment, dice = tmp_path / "parted", tmp_path / "moment", Random(18)
    arena.run(benchmark, output=tmp_path / "whole")

    ends: list[int] = []
    for number in range(KILLS):
        # a few calls after it went on, and up to a step later, whatever is being written then
        moment.write_text(f"[{dice.randint(1, 12)}, {dice.random() / 100}]")
        ends.append(in_child((lambda: resume(parted)) if number else (lambda: arena.run(benchmark, output=parted))))
    moment.unlink()
    resume(parted)

    assert ends == [-signal.SIGKILL] * KILLS
    assert told(parted, benchmark) == told(tmp_path / "whole", benchmark)

"""A run that asks in batches is killed at any of its requests: no line is sent twice, and the run ends the same."""

import asyncio
import json
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import arena
import pytest
from arena.catalog import Catalog
from arena_cli.application.group import group
from arena_engine import Benchmark, Journal, load_benchmark
from arena_engine.execution.runner import play_run, resume_run
from arena_testing.fixtures.batch_server import BatchServer, serving_batches

SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "36"))
KILLS = 30
MODELS = {"openai-compatible": "m", "litellm": "anthropic/claude-sonnet-4-5"}


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with serving_batches() as found:
        found.answer = answer
        found.looks = 2
        yield found


def answer(body: Mapping[str, Any]) -> str:
    """A legal action by the request alone, so that a match takes the same course whoever asks and whenever."""
    form = body.get("response_format") or {}
    schema = form["json_schema"]["schema"] if form else (body.get("output_format") or {}).get("schema")
    actions = schema["properties"]["action"]["enum"]
    text = actions[crc32(json.dumps(body, sort_keys=True).encode()) % len(actions)]
    return json.dumps({name: text if name == "action" else "so" for name in schema["properties"]})


def plain_benchmark(server: BatchServer, use: str) -> dict[str, Any]:
    backend: dict[str, Any] = {"use": use, "model": MODELS[use], "batch": True, "batch-collect-s": 0.1}
    backend |= {"batch-poll-s": 0.02, "prices": {"input": 1, "output": 2}, "max-tokens": 20}
    backend["base-url"] = server.address if use == "openai-compatible" else server.host
    return {
        "name": "batches",
        "games": {"g": {"use": "tic-tac-toe"}},
        "agents": {"model": {"use": "llm", "backend": backend}, "r": {"use": "random"}},
        "schedule": {"use": "round-robin", "repeats": 4},
        "metrics": [],
        "limits": {"budget-usd": 5},
    }


def benchmark_of(server: BatchServer, use: str) -> Benchmark:
    return load_benchmark(plain_benchmark(server, use))


def in_child(play: Callable[[], object], started: Callable[[int], object]) -> int:
    """Play in a forked process, which may be killed; returns how it ended."""
    child = os.fork()
    if child == 0:
        try:
            play()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    started(child)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def resume(run: Path) -> None:
    journal, benchmark = resume_run(run, Catalog())
    with journal:
        asyncio.run(play_run(journal, benchmark, {}, lambda *_: None))


def kill_at(server: BatchServer, child: int, *, moment: int, is_before: bool) -> None:
    """Kill a process at its request of this number: when it has come, or when it was handled and is not answered."""
    left = [moment]

    def kill() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(child, signal.SIGKILL)

    def come(method: str, path: str) -> None:
        if is_before:
            kill()

    def handled(method: str, path: str) -> None:
        if not is_before:
            kill()

    server.fault, server.handled = come, handled


def killed_until_done(server: BatchServer, benchmark: Benchmark, run: Path, rng: Random) -> int:
    """Play a run that is killed at one of its next requests each time it is started, to its end; returns how often."""
    kills = 0
    while True:
        play = partial(resume, run) if run.exists() else partial(arena.run, benchmark, output=run)
        kill = partial(kill_at, server, moment=rng.randint(1, 5), is_before=rng.random() < 0.5)
        ended = in_child(play, kill)
        if ended == 0:
            server.fault, server.handled = (lambda method, path: None), (lambda method, path: None)
            return kills
        assert ended == -signal.SIGKILL
        kills += 1


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("use", MODELS)
def test_killed_at_any_request_nothing_is_sent_twice(server, tmp_path, monkeypatch, use):
    """After thirty kills the runs have the matches of one that was not killed, and no more lines were sent."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-nobody's")
    benchmark = benchmark_of(server, use)
    whole = arena.run(benchmark, output=tmp_path / "whole")
    lines, rng, kills = server.asked, Random(SEED), 0
    with Journal.open(tmp_path / "whole") as journal:
        used = journal.totals()
    while kills < KILLS:
        server.batches.clear()
        run = tmp_path / f"after {kills}"
        kills += killed_until_done(server, benchmark, run, rng)

        assert server.asked == lines, "a line was sent twice, or not at all"
        with Journal.open(run) as journal:
            assert tuple(journal.records()) == whole.matches
            assert (journal.totals(), journal.sent_batches()) == (used, [])


def interrupted(server: BatchServer, file: Path, run: Path) -> None:
    """Start or resume a run in another process, and interrupt it as a person does while its batch is looked at."""

    def interrupt_at_a_look(child: int) -> None:
        looked = threading.Event()
        server.looks = 1_000_000
        for made in server.batches:
            made.looks = server.looks

        def come(method: str, path: str) -> None:
            if method == "GET" and "batch_" in path:
                looked.set()

        server.fault = come
        assert looked.wait(60)
        os.kill(child, signal.SIGINT)

    arguments = ["resume", str(run)] if run.exists() else ["run", str(file), "-o", str(run), "-q"]
    ended = in_child(partial(group, arguments, standalone_mode=False), interrupt_at_a_look)
    server.fault = lambda method, path: None
    assert ended != -signal.SIGINT


@pytest.mark.slow
@pytest.mark.parametrize("use", MODELS)
def test_interrupted_while_a_batch_waits_it_is_paid_once(server, tmp_path, monkeypatch, use):
    """Ctrl-C leaves the batch at the provider, with its money counted once; a resumed run takes it over."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-nobody's")
    plain = plain_benchmark(server, use)
    whole = arena.run(load_benchmark(plain), output=tmp_path / "whole")
    lines = server.asked
    with Journal.open(tmp_path / "whole") as journal:
        used = journal.totals()
    server.batches.clear()
    file, run = tmp_path / "bench.json", tmp_path / "run"
    file.write_text(json.dumps(plain))

    spent: list[tuple[int, float]] = []
    for _ in range(3):
        interrupted(server, file, run)
        with Journal.open(run) as journal:
            spent.append((journal.totals().calls, journal.totals().cost_usd))
            assert len(journal.sent_batches()) == len(server.batches) == 1
    server.looks = 0
    server.batches[0].looks = 0
    resume(run)

    assert spent == [spent[0]] * 3
    assert spent[0][0] == len(server.batches[0].lines)
    assert server.asked == lines
    with Journal.open(run) as journal:
        assert tuple(journal.records()) == whole.matches
        assert (journal.totals(), journal.sent_batches()) == (used, [])

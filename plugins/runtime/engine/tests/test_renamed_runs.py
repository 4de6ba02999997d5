"""Runs of before their keys were renamed: what journals hold, what goes on from them, and what hashes are made of."""

import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.backend import Backend
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.testing import answering
from arena_engine import (
    Journal,
    RenamedKeyWarning,
    backend_key,
    build_benchmark,
    load_benchmark,
    open_benchmark,
    request_hash,
)
from arena_engine.running.recorded import as_begun, recorded_plain
from arena_engine.running.replay import branch, open_to_ask
from arena_engine.running.runner import create_run, extend_run, play_run, resume_run

pytestmark = pytest.mark.filterwarnings("ignore::arena_engine.RenamedKeyWarning")

RECORDED: Mapping[str, Any] = {
    "name": "old",
    "seed": 0,
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"m": {"use": "llm", "backend": {"use": "scripted", "attempts": 2}}},
    "schedule": "self-play",
    "executor": "asyncio",
    "limits": {"waves": 3},
    "metrics": [],
    "tells_agents": True,
    "illegal_actions": {"retries": 1, "total": 4},
}


@pytest.fixture
def told(recwarn: pytest.WarningsRecorder) -> Callable[[], list[str]]:
    """What was said of renamed keys since it was asked last."""

    def ask() -> list[str]:
        found = [str(warning.message) for warning in recwarn.list if warning.category is RenamedKeyWarning]
        recwarn.clear()
        return found

    warnings.simplefilter("always", RenamedKeyWarning)
    return ask


def old_journal(directory: Path, plain: Mapping[str, Any]) -> None:
    """A run whose journal holds a benchmark as it was written before its keys were renamed."""
    made = load_benchmark(plain)
    with create_run(attrs.evolve(made, plain=dict(plain)), directory):
        pass


def complain(name: str, hook: str, error: Exception) -> None:
    raise AssertionError(name, hook) from error


async def test_a_journal_of_before_is_gone_on_with(tmp_path, told):
    """The benchmark in an old journal is built, resumed, branched and asked of without a line on its keys."""
    old_journal(tmp_path / "run", RECORDED)
    told()
    catalog = Catalog()

    journal, benchmark = resume_run(tmp_path / "run", catalog)
    with journal:
        assert (await play_run(journal, benchmark, {}, complain)).exit_status == 0
        assert open_benchmark(journal, catalog) == benchmark
        agent: Any = benchmark.agents["m"].agent
        assert (benchmark.limits.max_steps, benchmark.reveal_agents, agent.backend.max_attempts) == (3, True, 2)
        record = next(journal.records())
        made, _ = branch(journal, record, 1, ["random"], catalog)
        assert (made.limits.max_steps, made.illegal_actions.max_refusals) == (3, 4)
        assert open_to_ask(journal, "random", catalog).limits.max_steps == 3
    assert told() == []


def test_a_change_to_an_old_run_is_told_of(tmp_path, told):
    """``resume --set`` by an old key is told of, the journal's own keys are not; it keeps those of now afterwards."""
    old_journal(tmp_path / "run", RECORDED)
    told()

    journal, benchmark = resume_run(tmp_path / "run", Catalog(), ["limits.waves=5"])
    with journal:
        assert benchmark.limits.max_steps == 5
        assert journal.header.benchmark["limits"] == {"max-steps": 5}
    assert told() == ["limits.waves is called limits.max-steps now"]


NEW: Mapping[str, Any] = {
    **RECORDED,
    "agents": {"m": {"use": "llm", "backend": {"use": "scripted", "max_attempts": 2}}},
    "limits": {"max_steps": 3},
    "illegal_actions": {"retries": 1, "max_refusals": 4},
}
NEW = {key: value for key, value in NEW.items() if key != "tells_agents"} | {"reveal_agents": True}


@pytest.mark.parametrize(("was", "now"), [(RECORDED, RECORDED), (RECORDED, NEW), (NEW, RECORDED), (NEW, NEW)])
def test_runs_are_extended_in_whichever_words(tmp_path, was, now):
    """``run --extend`` compares what was played with what is asked for after both were renamed."""
    old_journal(tmp_path / "run", was)
    larger = load_benchmark({**now, "schedule": {"use": "self-play", "repeats": 2}})

    with Journal.open(tmp_path / "run") as journal:
        larger = as_begun(larger, journal)
    with extend_run(tmp_path / "run", larger) as journal:
        assert journal.planned() == 2
        assert recorded_plain(journal)["agents"]["m"]["backend"] == {"use": "scripted", "max-attempts": 2}


def test_what_differs_is_told_by_the_keys_of_now(tmp_path):
    """A benchmark that differs from an old run in a renamed key says which, by its name of now."""
    old_journal(tmp_path / "run", RECORDED)
    other = load_benchmark({**NEW, "reveal_agents": False})

    with pytest.raises(ConfigError, match=r"reveal-agents: was True, is False"):
        extend_run(tmp_path / "run", other)


def test_plain_data_of_a_run_holds_the_keys_of_now(tmp_path):
    """What is kept of a benchmark, and handed to workers elsewhere, builds the same without a word on old keys."""
    with pytest.warns(RenamedKeyWarning):
        made = load_benchmark(RECORDED)

    with warnings.catch_warnings():
        warnings.simplefilter("error", RenamedKeyWarning)
        assert build_benchmark(made.plain) == made
    with create_run(made, tmp_path / "run") as journal:
        assert journal.header.benchmark == made.plain


def test_journals_are_only_read(tmp_path):
    """Looking at an old run with other names of keys leaves its journal as it was."""
    old_journal(tmp_path / "run", RECORDED)

    with Journal.open(tmp_path / "run") as journal:
        assert recorded_plain(journal)["limits"] == {"max-steps": 3}
        assert journal.header.benchmark == RECORDED


def test_hashes_know_backends_by_the_names_they_ever_had():
    """What is hashed of a backend leaves out how it is asked, and names that of backends in it as it always did."""
    own = {"max_tokens": 512, "reasoning_effort": None, "temperature": None, "top_p": None}
    asked = {"adapts": True, "attempts": 6, "concurrency": 16, "longest_wait_s": 120.0, "request_timeout_s": 300.0}
    inner = {**own, **asked, "requests_per_minute": None, "tokens_per_minute": None}

    key = backend_key(Inside(max_attempts=3, first=Plain(), others=(Plain(),), named={"a": [Plain()]}))

    assert json.loads(key) == {"class": "Inside", "first": inner, "others": [inner], "named": {"a": [inner]}, **own}
    assert request_hash(key) == "e44f2a09b368e4ad13030502bf01c4a6"


@attrs.frozen(kw_only=True)
class Plain(Backend):
    """A backend without parameters of its own."""

    async def connect(self):
        return await answering("").connect()


@attrs.frozen(kw_only=True)
class Inside(Plain):
    """A backend that holds others."""

    first: Backend
    others: tuple[Backend, ...] = ()
    named: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

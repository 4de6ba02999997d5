"""The cache that runs share: what is found in it, what never is, and what a damaged or unwritable one does."""

import asyncio
import json
import subprocess
import sys
import warnings
from itertools import count
from pathlib import Path

import attrs
import pytest
from arena.agent import Reply
from arena.backend import Backend, Completion, CompletionRequest, Message, Sampling, Secret, ToolCall, Usage
from arena.metric import Measurement, Metric
from arena.testing import FunctionAgent, FunctionBackend, answering
from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.entries import AgentEntry, GameEntry
from arena_engine.execution.asyncio_executor import Asyncio
from arena_engine.execution.runner import create_run, play_run
from arena_engine.job.executor import Limits
from arena_engine.job.schedules import SelfPlay
from arena_engine.journal.journal import Journal
from arena_engine.models.cache import CompletionCache
from arena_report.content.run_facts import Completeness, facts

from ....authoring.testing.tests.games_together import RockPaperScissors

SECRET = 'open sesame "now"'


def ask(text: str = "rock, paper or scissors?", **more: object) -> CompletionRequest:
    return CompletionRequest(messages=(Message.of("user", text),), **more)  # type: ignore[arg-type]


@pytest.fixture
def model():
    """A model that never says the same twice, and how often it was asked."""
    asked = count()

    def answer(request):
        model.asked = next(asked) + 1
        action = ("rock", "paper", "scissors")[model.asked * model.asked // 3 % 3]
        return Completion(
            text=f"{action} {model.asked}", usage=Usage(prompt_tokens=7, completion_tokens=2), cost_usd=0.25
        )

    model = FunctionModel(answer)
    return model


class FunctionModel:
    def __init__(self, answer):
        self.asked = 0
        self.backend = FunctionBackend(answer=answer)


def play(model, directory, cache, *, seed=1, repeats=3, limits=None, metrics=None):
    """Play a benchmark whose players ask the same question every time; the outcome and the journal, opened."""

    async def choose(decision, seat):
        completion = await seat.completions.complete(model.backend, ask())
        return Reply(action=completion.text.split()[0], reasoning=completion.text)

    made = Benchmark(
        name="test",
        seed=seed,
        games={"g": GameEntry(game=RockPaperScissors(rounds=2), use="g", players=2)},
        agents={"a": AgentEntry(agent=FunctionAgent(choose), use="a")},
        schedule=SelfPlay(repeats=repeats),
        executor=Asyncio(),
        limits=limits or Limits(),
        metrics=metrics or {},
        cache=cache,
        plain={"seed": seed},
    )
    with create_run(made, directory) as journal:
        outcome = asyncio.run(play_run(journal, made, {}, print))
    return outcome, Journal.open(directory)


def test_second_run_asks_nothing(model, tmp_path):
    """The same matches with the same seed end alike in a second run, and the model is asked nothing."""
    _, first = play(model, tmp_path / "1", tmp_path / "cache")
    asked = model.asked

    outcome, second = play(model, tmp_path / "2", tmp_path / "cache")

    assert (asked, model.asked, outcome.exit_status) == (12, 12, 0)
    assert list(second.records()) == list(first.records())


def test_cached_answers_are_journaled_and_cost_nothing(model, tmp_path):
    """An answer from the cache is in the journal, marked, with its tokens, and is in no total but its own."""
    play(model, tmp_path / "1", tmp_path / "cache")

    _, journal = play(model, tmp_path / "2", tmp_path / "cache", repeats=4)

    totals = journal.totals()
    assert (totals.cached_calls, totals.calls, totals.prompt_tokens, totals.cost_usd) == (12, 4, 28, 1.0)
    cached = journal.answers("g/a,a/0.0")
    assert {(a.kind, a.prompt_tokens, a.completion_tokens, a.cost_usd) for a in cached} == {("cached", 7, 2, 0.0)}


def test_report_tells_how_many_calls_came_from_the_cache(model, tmp_path):
    """The table of what a run used has a column for the cache once something came from it, and none before."""
    journals = [play(model, tmp_path / str(n), tmp_path / "cache")[1] for n in (1, 2)]

    runs = [
        Completeness(label="run", header=j.header, totals=j.totals(), answering=j.model_versions(), planned=3)
        for j in journals
    ]
    fresh, cached = (facts([run], (), {})[0].tables[1] for run in runs)

    assert "calls from the cache" not in [column.title for column in fresh.columns]
    assert dict(zip([column.title for column in cached.columns], cached.rows[0], strict=True)) == {
        "run": "run",
        "turns": 0,
        "substituted actions": 0,
        "calls": 0,
        "prompt tokens": 0,
        "completion tokens": 0,
        "calls without a price": 0,
        "calls from the cache": 12,
        "cost": 0.0,
    }


def test_no_two_samples_of_a_run_share_an_answer(model, tmp_path):
    """However often a run asks the same, every completion in it is an answer of its own, cached or not."""
    for run in ("1", "2"):
        _, journal = play(model, tmp_path / run, tmp_path / "cache")
        values = [a.value for plan in journal.plans() for a in journal.answers(plan.id)]

        assert len(set(values)) == len(values) == 12


def test_another_seed_asks_anew(model, tmp_path):
    """Runs with different seeds are independent samples, so they share nothing."""
    play(model, tmp_path / "1", tmp_path / "cache", seed=1)

    play(model, tmp_path / "2", tmp_path / "cache", seed=2)

    assert model.asked == 24


def test_cache_is_not_bounded_by_the_budget(model, tmp_path):
    """What the cache answers spends no budget; the first call beyond it does."""
    play(model, tmp_path / "1", tmp_path / "cache", repeats=2)

    outcome, _ = play(model, tmp_path / "2", tmp_path / "cache", limits=Limits(budget_calls=0, concurrency=1))

    assert (model.asked, outcome.finished, outcome.exit_status) == (8, 2, 3)


def test_judges_share_the_cache(model, tmp_path):
    """What a judge has asked in one run is not asked again in the next."""

    @attrs.frozen
    class Judge(Metric):
        backend: Backend = attrs.field(hash=False)

        def measure(self, match):
            return ()

        def summarize(self, measurements):
            return ()

        async def judge(self, match, completions):
            completion = await completions.complete(self.backend, ask(f"who won {match.record.id}?"))
            return (Measurement(name="said", value=float(len(completion.text))),)

    judges = {"judge": Judge(model.backend)}
    play(model, tmp_path / "1", tmp_path / "cache", metrics=judges)
    asked = model.asked

    play(model, tmp_path / "2", tmp_path / "cache", metrics=judges)

    assert (asked, model.asked) == (15, 15)


@pytest.mark.parametrize(
    "change",
    [
        {"messages": (Message.of("user", "another"),)},
        {"messages": (Message.of("system", "rock, paper or scissors?"),)},
        {"sampling": Sampling(temperature=0.5)},
        {"sampling": Sampling(seed=5)},
        {"schema": {"type": "object"}},
    ],
    ids=["text", "role", "temperature", "seed", "schema"],
)
def test_key_holds_all_that_is_asked(model, tmp_path, change):
    """Whatever changes the question or who is asked changes the key; names of prompt parts do not."""
    cache = CompletionCache(tmp_path, 1)
    key = cache.key(model.backend, ask(), "m", "0/0/0/0")

    assert cache.key(model.backend, attrs.evolve(ask(), **change), "m", "0/0/0/0") != key
    assert cache.key(attrs.evolve(model.backend, top_p=0.1), ask(), "m", "0/0/0/0") != key
    assert cache.key(model.backend, ask(), "m", "0/0/0/1") != key
    assert cache.key(model.backend, ask(), "n", "0/0/0/0") != key
    assert cache.key(model.backend, ask(parts={"rules": "2"}), "m", "0/0/0/0") == key
    assert cache.key(attrs.evolve(model.backend, concurrency=3), ask(), "m", "0/0/0/0") == key


async def test_whole_answer_comes_back(tmp_path):
    """Text, reasoning, tool calls, usage and the model's name come back as they were; the cost is nothing."""
    cache = CompletionCache(tmp_path / "deep" / "er", 1)
    completion = Completion(
        text="☃ {",
        reasoning="because",
        tool_calls=(ToolCall("1", "play", '{"a": 1}'),),
        finish_reason="tool-calls",
        usage=Usage(prompt_tokens=5, completion_tokens=4, cached_tokens=3, reasoning_tokens=2),
        cost_usd=1.5,
        model="big",
        fingerprint="f",
        logprobs=[1, {"a": None}],
    )

    await cache.put("abcdef", answering("x"), completion)

    assert await cache.get("abcdef") == attrs.evolve(completion, cost_usd=0.0)
    assert await cache.get("abcdee") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "null", '{"check": "x"}', '{"check": 1, "completion": 2}', "\x00\xff"]
)
@pytest.mark.sample(slow=3)
def test_damaged_entries_are_asked_again(model, tmp_path, damage):
    """An entry that cannot be read is warned of once in a run, asked again, and whole from then on."""
    cache = tmp_path / "cache"
    play(model, tmp_path / "1", cache)
    for file in cache.rglob("*.json"):
        file.write_text(damage, encoding="latin-1")

    with pytest.warns(RuntimeWarning, match="cannot be used .* the model is asked again") as caught:
        play(model, tmp_path / "2", cache)
    play(model, tmp_path / "3", cache)

    assert (len(caught), model.asked) == (1, 24)


async def test_entry_of_another_key_or_with_a_changed_word_is_not_believed(tmp_path):
    """A file that was moved to another key or whose answer was changed is not taken for an answer."""
    cache = CompletionCache(tmp_path, 1)
    await cache.put("aa11", answering("x"), Completion(text="yes"))
    file = tmp_path / "aa" / "11.json"

    (tmp_path / "aa" / "22.json").write_bytes(file.read_bytes())

    with pytest.warns(RuntimeWarning, match="checksum"):
        moved = await cache.get("aa22")
    file.write_text(file.read_text().replace("yes", "no!"))
    assert (moved, await cache.get("aa11")) == (None, None)


def test_directory_that_cannot_be_written_does_not_stop_a_run(model, tmp_path):
    """Where the cache cannot be kept the run goes on, with one warning."""
    (tmp_path / "file").write_text("in the way")

    with pytest.warns(RuntimeWarning) as caught:
        outcome, _ = play(model, tmp_path / "1", tmp_path / "file" / "cache")

    assert (len(caught), outcome.exit_status, model.asked) == (1, 0, 12)


def test_home_is_expanded(model, tmp_path, monkeypatch):
    """``~`` is the user's home directory."""
    monkeypatch.setenv("HOME", str(tmp_path))

    play(model, tmp_path / "1", Path("~/answers"))

    assert len(list((tmp_path / "answers").rglob("*.json"))) == 12


async def test_secrets_are_not_kept(tmp_path, monkeypatch):
    """An answer that gives a key away is kept without it, and nothing else in a file could hold one."""
    monkeypatch.setenv("CACHE_TEST_KEY", SECRET)

    @attrs.frozen(kw_only=True)
    class Keyed(FunctionBackend):
        key: Secret

    cache = CompletionCache(tmp_path, 1)
    await cache.put("abcdef", Keyed(answer=str, key=Secret("CACHE_TEST_KEY")), Completion(text=f"the key is {SECRET}!"))

    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert "sesame" not in file.read_text()
    found = await cache.get("abcdef")
    assert found is not None
    assert found.text == "the key is [secret]!"


WRITER = """
import asyncio, sys, warnings
from pathlib import Path
from arena.backend import Completion
from arena_engine.models.cache import CompletionCache
from arena.testing import answering

async def main():
    cache = CompletionCache(Path(sys.argv[1]), 1)
    for number in range(200):
        key = f"{number % 10:02}same"
        await cache.put(key, answering("x"), Completion(text=sys.argv[2] * 5000))
        found = await cache.get(key)
        assert found and len(set(found.text)) == 1 and len(found.text) == 5000

warnings.simplefilter("error")
asyncio.run(main())
"""


@pytest.mark.slow
def test_processes_share_a_directory(tmp_path):
    """Two processes that write and read the same entries at the same time see whole answers only."""
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), letter]) for letter in "ab"]

    assert [writer.wait() for writer in writers] == [0, 0]
    assert all(json.loads(path.read_text()) for path in tmp_path.rglob("*.json"))
    assert not list(tmp_path.rglob(".*"))


def test_without_a_cache_nothing_is_shared(model, tmp_path):
    """Unless a benchmark names a directory every run asks for itself, and writes nothing beside its journal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for run in ("1", "2"):
            play(model, tmp_path / run, None)

    assert model.asked == 24
    assert {path.name.partition(".")[0] for path in tmp_path.rglob("*") if path.is_file()} == {"journal"}

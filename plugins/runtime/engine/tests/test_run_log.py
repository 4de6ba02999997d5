"""The log of a run: which events are told, with which fields, and what never stands in them."""

import asyncio
import inspect
import json
import logging
import threading

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Reply
from arena.backend import Backend, Completion, CompletionRequest, Message, Secret, Usage
from arena.errors import BackendOverloaded, RequestRejected, StopRun, TransientBackendError
from arena.hookspecs import hookimpl
from arena.metric import Metric
from arena.testing import RANDOM, FunctionAgent, FunctionBackend
from arena_engine import RunLog
from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.entries import AgentEntry, GameEntry
from arena_engine.execution.asyncio_executor import Asyncio
from arena_engine.execution.runner import create_run, play_run
from arena_engine.foundation.run_log import BOUND, FIELDS
from arena_engine.job.executor import Limits
from arena_engine.job.schedules import RoundRobin
from arena_engine.journal.journal import Journal

from ....authoring.testing.tests.games_board import TicTacToe

PROMPT, ANSWER, KEY = "prompt-of-nobody", "answer-of-nobody", "key-of-nobody-1234"
EVENTS = {name: method for name, method in vars(RunLog).items() if hasattr(method, "level")}


def benchmark(agents, repeats=1, **more):
    """A benchmark of tic-tac-toe."""
    return Benchmark(
        name="logged",
        seed=3,
        games={"g": GameEntry(game=TicTacToe(), use="g", players=2)},
        agents={name: AgentEntry(agent=agent, use=name) for name, agent in agents.items()},
        schedule=RoundRobin(repeats=repeats),
        executor=Asyncio(),
        plain={"seed": 3, "games": {"g": {}}, "agents": {name: {"use": "x"} for name in agents}},
        **more,
    )


def logged(made, directory, observers=None, level=logging.DEBUG):
    """Play a run, or go on with it; returns the events as pairs of name and fields, and the log as text."""
    told = []
    if (directory / "journal.sqlite").exists():
        journal = Journal.open(directory, write=True)
        journal.begin_attempt(())
    else:
        journal = create_run(made, directory)

    def complain(name, hook, error):
        pass

    log = RunLog(lambda level, event, fields: told.append((event, dict(fields))), level)
    with journal:
        asyncio.run(play_run(journal, made, observers or {}, complain, log=log))
    return told, json.dumps(told)


def names(told):
    return [name for name, _ in told]


def fields(told, event):
    """The fields of the first event of a name."""
    return next(found for name, found in told if name == event)


@attrs.frozen
class Asking(FunctionAgent):
    """An agent with a model."""

    backend: Backend


def asker(backend, then=lambda text: None):
    """An agent that asks a model and plays at random."""

    async def choose(decision, seat):
        request = CompletionRequest(messages=(Message.of("user", PROMPT),))
        then((await seat.completions.complete(backend, request)).text)
        return Reply(action=decision.sample(seat.rng))

    return Asking(choose, backend)


def test_every_event_says_what_it_means():
    """An event has a level, a sentence, and fields that are explained; nothing is explained that no event has."""
    used = {field for method in EVENTS.values() for field in inspect.signature(method).parameters} - {"self"}

    assert used <= set(FIELDS)
    assert set(FIELDS) - used == {"place", "stack"}  # of the field `error`
    assert not set(FIELDS) & set(BOUND)
    assert all(inspect.getdoc(method).endswith(".") for method in EVENTS.values())


def test_matches_of_a_run_are_told(run_dir):
    """A run begins, each match begins and ends, the run ends; every event names the run."""
    told, _ = logged(benchmark({"a": RANDOM, "b": RANDOM}, limits=Limits(concurrency=1)), run_dir)

    match = ["match_started", "match_finished"]
    assert names(told) == ["run_started", *match, *match, "run_finished"]
    with Journal.open(run_dir) as journal:
        assert {found["run"] for _, found in told} == {journal.header.id}
        first = next(iter(journal.records()))
    assert fields(told, "match_finished")["match"] == first.id
    assert fields(told, "match_finished")["steps"] == first.steps
    assert fields(told, "run_finished") | {"seconds": 0} == {
        "run": fields(told, "run_started")["run"],
        "finished": 2,
        "failed": 0,
        "calls": 0,
        "is_stopped": False,
        "seconds": 0,
    }


def test_less_is_told_where_less_is_asked(run_dir):
    """Events below the level are not told."""
    told, _ = logged(benchmark({"a": RANDOM, "b": RANDOM}), run_dir, level=logging.INFO)

    assert "match_started" not in names(told)
    assert "match_finished" in names(told)


def test_calls_are_told_with_what_they_used(run_dir):
    """A call that fails, is retried and answered is three events, with whose it is and what it used."""
    calls = []

    async def answer(request):
        calls.append(request)
        if len(calls) == 1:
            raise BackendOverloaded(f"busy: {PROMPT}", retry_after_s=0.0)
        return Completion(text=ANSWER, usage=Usage(prompt_tokens=3, completion_tokens=2), cost_usd=0.5)

    agents = {"a": asker(FunctionBackend(answer=answer)), "b": RANDOM}
    told, text = logged(benchmark(agents, limits=Limits(concurrency=1)), run_dir)

    first = [name for name in names(told) if name.startswith(("call", "connection"))][:5]
    assert first == ["connection_opened", "call_sent", "call_retried", "call_sent", "call_answered"]
    whose = {"player": 0, "agent": "a", "backend": "FunctionBackend", "scope": "0/0/0/0"}
    assert fields(told, "call_retried").items() >= {**whose, "error": "BackendOverloaded", "attempt": 1}.items()
    used = {"prompt_tokens": 3, "completion_tokens": 2, "cost_usd": 0.5, "counted": "provider", "source": "backend"}
    assert fields(told, "call_answered").items() >= {**whose, **used}.items()
    assert PROMPT not in text
    assert ANSWER not in text


@attrs.frozen(kw_only=True)
class Keyed(FunctionBackend):
    """A backend with a key, which stands in the name of its model by somebody's mistake."""

    api_key: Secret = attrs.field(factory=lambda: Secret("KEY_OF_NOBODY"))
    address: str = "http://127.0.0.1"
    model: str = KEY


class Broken(Metric):
    """A metric that repeats an answer in its error."""

    def measure(self, match):
        raise ValueError(ANSWER)

    def summarize(self, table):
        return None


class Watcher:
    """An observer that repeats an answer in its error."""

    @hookimpl
    def match_finished(self, record):
        raise KeyError(ANSWER)

    @hookimpl
    def measured(self, metric):
        pass


@pytest.fixture(scope="module")
def repeating(tmp_path_factory):
    """The log of a run whose server and plugins repeat a prompt, an answer or a key in their errors."""

    async def refuse(request):
        raise RequestRejected(f"bad request {PROMPT} by {KEY}")

    def fail(text):
        raise ValueError(f"cannot read {text} of {PROMPT}")

    agents = {
        "refused": asker(Keyed(answer=refuse, max_attempts=1)),
        "broken": asker(FunctionBackend(answer=lambda request: ANSWER), fail),
        "random": RANDOM,
        "chance": RANDOM,
    }
    made = benchmark(agents, metrics={"m": Broken()})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEY_OF_NOBODY", KEY)
        return logged(made, tmp_path_factory.mktemp("repeating") / "run", {"watcher": Watcher()})


def test_no_text_of_others_and_no_key_is_told(repeating):
    """A log has no prompt, no answer and no key, even if errors of servers and plugins repeat them."""
    _, text = repeating

    assert not [word for word in (PROMPT, ANSWER, KEY) if word in text]


def test_errors_are_told_by_class_and_place(repeating):
    """The log says which class of error a call, a match, an observer or a metric failed with, and where."""
    told, _ = repeating

    whose = {"agent": "refused", "backend": "Keyed [secret]"}
    assert fields(told, "call_failed").items() >= {**whose, "error": "RequestRejected", "attempts": 1}.items()
    failed = next(found for name, found in told if name == "match_failed" and found["error"] == "ValueError")
    assert failed["place"].startswith("test_run_log.py:")
    assert failed["stack"][-1].endswith(" fail")
    assert fields(told, "observer_failed")["error"] == "KeyError"
    assert fields(told, "metric_failed")["metric"] == "m"


def test_a_cap_is_told(run_dir):
    """A cap that stops the run is told by its key, then that the run stops and which match was left."""
    backend = FunctionBackend(answer=lambda request: ANSWER)
    made = benchmark({"a": asker(backend), "b": RANDOM}, limits=Limits(budget_calls=1, concurrency=1))

    told, _ = logged(made, run_dir)
    again, _ = logged(attrs.evolve(made, limits=Limits()), run_dir)

    assert fields(told, "cap_reached")["cap"] == "limits.budget-calls"
    assert names(told)[-4:] == ["cap_reached", "run_stopped", "match_left", "run_finished"]
    assert fields(told, "run_finished")["is_stopped"] is True
    assert names(again)[0] == "run_resumed"
    assert fields(again, "run_resumed")["attempt"] == 2
    assert fields(again, "match_resumed")["answers"] == 1
    assert names(again).count("call_replayed") == 1


def test_a_late_turn_is_told_and_one_that_goes_on(run_dir):
    """A turn whose time is over is told, and so is the thread that is abandoned with it and comes back later."""
    go_on = threading.Event()

    class Plain(PlayerAgent):
        def act(self, decision):
            go_on.wait(20)
            return Reply(action=decision.options.actions[0])

    @attrs.frozen
    class Slow(Agent):
        def join(self, seat):
            return Plain()

    class Watcher:
        @hookimpl
        def match_finished(self, record):
            go_on.set()

    made = benchmark({"slow": Slow(), "b": RANDOM}, limits=Limits(turn_seconds=0.05, concurrency=1))

    told, _ = logged(made, run_dir, {"watcher": Watcher()})

    assert fields(told, "turn_timed_out").items() >= {"agent": "slow", "turn": 1, "attempt": 1, "limit_s": 0.05}.items()
    assert fields(told, "turn_abandoned").items() >= {"agent": "slow", "running": 1}.items()
    assert fields(told, "action_refused")["kind"] == "late"


def test_a_call_that_is_cancelled_is_told(run_dir):
    """A call that was in flight when its turn's time was over is told, between its beginning and the end of the turn.

    On a busy machine the time of another turn may be over before anything is sent in it.
    """

    async def answer(request):
        await asyncio.sleep(60)

    made = benchmark(
        {"a": asker(FunctionBackend(answer=answer)), "b": RANDOM}, limits=Limits(turn_seconds=0.05, concurrency=1)
    )

    told, _ = logged(made, run_dir)

    place = names(told).index("call_cancelled")
    assert "call_sent" in names(told)[:place]
    assert "turn_timed_out" in names(told)[place:]


def test_limits_that_change_and_servers_given_up_are_told(run_dir):
    """Overloads that lower the concurrency are told with the new limit, and so is a backend that is given up."""

    async def answer(request):
        raise BackendOverloaded("busy", retry_after_s=0.0)

    backend = FunctionBackend(answer=answer, max_attempts=40, concurrency=4)
    told, _ = logged(benchmark({"a": asker(backend), "b": RANDOM}), run_dir)

    assert fields(told, "concurrency_changed").items() >= {"backend": "FunctionBackend", "limit": 3}.items()


def test_an_observer_that_stops_a_run_is_told(run_dir):
    """The sentence with which an observer ends the run is its reason."""

    class Watcher:
        @hookimpl
        def match_finished(self, record):
            raise StopRun("enough")

    told, _ = logged(benchmark({"a": RANDOM, "b": RANDOM}, repeats=5), run_dir, {"watcher": Watcher()})

    assert fields(told, "run_stopped")["reason"] == "enough"


def test_usage_that_cannot_be_true_is_told(run_dir):
    """An answer without a count is told as estimated."""

    async def answer(request):
        return Completion(text=ANSWER, usage=Usage())

    told, _ = logged(benchmark({"a": asker(FunctionBackend(answer=answer)), "b": RANDOM}), run_dir)

    assert fields(told, "usage_estimated")["agent"] == "a"
    assert fields(told, "call_answered")["counted"] == "estimated"


def test_a_server_that_cannot_be_connected_is_told(run_dir):
    """A backend that fails when it is connected is told, and that nothing is sent to it any more."""

    @attrs.frozen(kw_only=True)
    class Closed(FunctionBackend):
        async def connect(self):
            raise TransientBackendError("no")

    told, _ = logged(benchmark({"a": asker(Closed(answer=str)), "b": RANDOM}), run_dir)

    assert names(told).index("connection_failed") < names(told).index("backend_given_up")
    assert fields(told, "match_failed")["ending"] == "infrastructure-failure"


def test_nobody_listens_unless_asked():
    """A log without a sink binds nothing, computes nothing, and tells nothing."""
    log = RunLog()

    assert log.bind(match="m") is log
    assert log.level > logging.ERROR
    log.match_failed(ending="x", error=ValueError("y"))

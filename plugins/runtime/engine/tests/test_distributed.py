"""What executors in several processes share: decisions as data, messages, fingerprints."""

import asyncio
import logging
import pickle
from random import Random

import attrs
import pytest
from arena.backend import Backend
from arena.chance import Chance
from arena.errors import BackendUnreachable
from arena.game import PlayerView
from arena.record import Ending, Event, MatchPlan, MatchRecord
from arena_engine import (
    Dispatcher,
    EncodedMatch,
    EnvironmentFingerprint,
    Limits,
    WorkerCount,
    WorkerGone,
    WorkerHost,
    WorkerLink,
    WorkerSetup,
    build_benchmark,
    job_for,
)
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.execution.runner import create_run
from arena_engine.job.bus import Bus
from arena_engine.journal.encoded_match import record_bytes, summary_row
from arena_engine.workers.messages import (
    Connect,
    Finished,
    HookCalled,
    Logged,
    MatchAbandoned,
    RemoteDecision,
    packed,
    unpacked,
)
from arena_engine.workers.remote_run import RemoteRun
from arena_engine.workers.worker_handle import PluginOrigin, digest

PLAIN = {
    "name": "parts",
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"one": "random", "two": "random"},
    "metrics": [],
}
PLAN = MatchPlan(id="m", game="ttt", agents=("one", "two"), pairing="p", repeat=0, rotation=0, chance_seed=1)
FINGERPRINT = EnvironmentFingerprint("host", "3.11.2", {"game 'g'": PluginOrigin("acme", "1", "a" * 64)})


def test_a_decision_travels_as_it_was_shown():
    """A decision that went through bytes has the same observation, options, schema, words and sample."""
    game = build_benchmark(PLAIN).games["ttt"].game
    state, _ = game.start(Chance(1), 2)
    decision = state.decision(0).asked(PlayerView(state, 0), forms=game.forms)

    seen = unpacked(packed(HookCalled("decision_asked", {"decision": RemoteDecision.of(decision)}))).arguments[
        "decision"
    ]
    again = seen.decision(game.forms)

    assert again.observation == decision.observation
    assert list(again.options) == list(decision.options)
    assert again.schema == decision.schema
    assert {form: again.render(form) for form in game.forms} == {form: decision.render(form) for form in game.forms}
    assert "scene" in game.forms
    assert again.sample(Random(1)) == decision.sample(Random(1))


def test_what_cannot_travel_is_left_out_or_failed():
    """A moment that cannot be pickled is left out; a record that is no JSON becomes a failed one, which says why."""
    event = Event(0, "game", "odd", None, {"value": object()}, None)
    record = MatchRecord(plan=PLAN, seats=(), ending=Ending.RULES, returns=None, events=(event,))

    assert packed(HookCalled("completion_requested", {"request": (each for each in ())})) is None
    (match,) = unpacked(packed(Finished((EncodedMatch.of(record),)))).matches
    assert (match.id, match.ending) == (PLAN.id, Ending.FAILED)
    assert "odd" in match.record(PLAN).failure.reason


def test_an_encoded_match_is_its_record():
    """What a worker encodes is read again as the record that it was, and its summary counts the same."""
    event = Event(0, "referee", "played", 0, {"action": 1, "label": "1", "turn": 0, "try": 0, "by": "agent"}, None)
    record = MatchRecord(
        plan=PLAN, seats=("x", "o"), ending=Ending.RULES, returns=(1.0, -1.0), steps=1, events=(event,)
    )

    match = unpacked(packed(Finished((EncodedMatch.of(record),)))).matches[0]

    assert match.record(PLAN) == record
    assert match == EncodedMatch(record_bytes(record), summary_row(record))


def test_an_error_travels_with_its_class_and_fields():
    """Why a match was left is the same error on the driver, its class and the wait it asks for included."""
    error = unpacked(packed(MatchAbandoned("m", BackendUnreachable("down", retry_after_s=3.0)))).error

    assert (type(error), str(error), error.retry_after_s) == (BackendUnreachable, "down", 3.0)


async def test_a_workers_events_travel_with_what_is_bound():
    """An event told on a worker reaches the driver as data, if the driver's log takes events of its level."""
    sent = []
    run = RemoteRun(frozenset(), sent.append, logging.INFO)

    log = run.log.bind(match="m")
    log.match_started()
    log.match_failed(ending=Ending.FAILED, error=KeyError("k"))
    RemoteRun(frozenset(), sent.append).log.match_failed(ending=Ending.FAILED, error=KeyError("k"))

    (message,) = (unpacked(packed(message)) for message in sent)
    fields = {"match": "m", "ending": "failed", "error": "KeyError"}
    assert message == Logged(logging.ERROR, "match_failed", fields)


def test_fingerprints_of_the_same_code_agree():
    """Hosts and patch versions of Python do not matter."""
    other = attrs.evolve(FINGERPRINT, host="elsewhere", python="3.11.9")

    assert FINGERPRINT.difference(other) is None
    assert pickle.loads(pickle.dumps(FINGERPRINT)) == FINGERPRINT


@pytest.mark.parametrize("change", [{"version": "2"}, {"dist": "other"}, {"code": "b" * 64}])
def test_fingerprints_of_other_code_differ(change):
    """Another version, distribution or text of a plugin is told in one sentence with both."""
    origins = {name: attrs.evolve(origin, **change) for name, origin in FINGERPRINT.origins.items()}

    told = FINGERPRINT.difference(attrs.evolve(FINGERPRINT, origins=origins))

    assert told is not None
    assert told.startswith("the worker on 'host' has ")
    assert "acme 1 (code aaaaaaaaaaaa); install the same for both, " in told


def test_a_commit_changes_no_fingerprint_and_an_edit_does(tmp_path, monkeypatch):
    """Fingerprints follow the files of a package: what git makes of them does not matter, one letter in them does."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "arena_test_acme"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "prompt.md").write_text("Play well.")
    before = digest("arena_test_acme")

    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("b" * 40)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    assert digest("arena_test_acme") == before

    (package / "prompt.md").write_text("Play badly.")
    assert digest("arena_test_acme") != before


@attrs.frozen(kw_only=True)
class Endless(Backend):
    """A model that takes for ever to load."""

    async def connect(self):
        BEGUN.set()
        await asyncio.Event().wait()


BEGUN = asyncio.Event()
"""Set when the model is being loaded."""


class Here(WorkerLink):
    """A worker without a process: it sends what it is made with, then ends, or plays what it is given."""

    def __init__(self, *messages):
        self.sent, self.given = list(messages), asyncio.Queue()

    async def set_up(self, setup):
        return FINGERPRINT

    def tell(self, messages):
        self.given.put_nowait(messages)

    async def next_messages(self):
        if self.sent:
            return [packed(self.sent.pop())]
        if not BEGUN.is_set():
            await BEGUN.wait()
            raise WorkerGone("its process was ended by a test")
        (message,) = await self.given.get()
        ended = [MatchRecord(plan=plan, seats=(), ending=Ending.RULES, returns=(0.0, 0.0)) for plan in message.plans]
        return [packed(Finished(tuple(map(EncodedMatch.of, ended))))]

    async def close(self):
        pass

    def kill(self):
        pass


class Replacing(WorkerHost):
    """Starts a worker that asks for a model and dies, and then others."""

    def __init__(self):
        self.started = 0

    def start(self):
        self.started += 1
        return Here(Connect(1, "model", Endless())) if self.started == 1 else Here()

    def missing(self):
        return "nothing"


async def test_a_worker_that_dies_while_a_model_is_loaded_keeps_nobody_waiting(tmp_path):
    """Another one takes the place of a lost worker at once, though what that one asked to load is not there yet."""
    made = build_benchmark(PLAIN)
    with create_run(made, tmp_path / "run", [PLAN]) as journal:
        job, context = job_for(made, [PLAN]), JournaledRun(journal, Limits(), Bus({}, print))
        count = WorkerCount(workers=1, awaited=1, matches_each=1, start_timeout_s=60)
        setup = WorkerSetup.of(job, context, 1, asks_driver=True)
        host = Replacing()
        dispatcher = Dispatcher(job, context, host, count, setup, FINGERPRINT)

        async with asyncio.timeout(60):  # a run that hangs is told of
            found = [match.id async for match in dispatcher.matches()]

    assert (found, host.started) == ([PLAN.id], 2)

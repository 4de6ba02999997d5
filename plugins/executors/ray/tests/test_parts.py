"""What can be proved without a cluster: parameters, decisions as data, shares, fingerprints."""

import json
import logging
import pickle
from random import Random

import attrs
import pytest
from arena.chance import Chance
from arena.errors import BackendUnreachable, ConfigError
from arena.game import PlayerView
from arena.record import Ending, MatchPlan, MatchRecord
from arena_cli.application import group
from arena_engine import build_benchmark
from arena_executor_ray.executor import Ray
from arena_executor_ray.fingerprint import EnvironmentFingerprint, PluginOrigin, digest
from arena_executor_ray.messages import Finished, HookCalled, Logged, MatchAbandoned, packed, unpacked
from arena_executor_ray.remote_decision import RemoteDecision
from arena_executor_ray.remote_run import RemoteRun
from click.testing import CliRunner

PLAIN = {
    "name": "parts",
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"one": {"use": "llm", "backend": {"use": "scripted", "concurrency": 9}}, "two": "random"},
    "executor": {"use": "ray", "workers": 2, "cpus-per-worker": 0.5, "matches-per-worker": 3},
    "metrics": [],
}
PLAN = MatchPlan(id="m", game="ttt", agents=("one", "two"), pairing="p", repeat=0, rotation=0, chance_seed=1)


FINGERPRINT = EnvironmentFingerprint("host", "3.11.2", {"game 'g'": PluginOrigin("acme", "1", "a" * 64)})


def test_a_benchmark_names_its_executor():
    """The parameters are those written in the benchmark, the others have their defaults."""
    made = build_benchmark(PLAIN)

    assert made.executor == Ray(workers=2, cpus_per_worker=0.5, matches_per_worker=3)
    assert attrs.asdict(Ray()) == {
        "address": "local",
        "workers": None,
        "cpus_per_worker": 1.0,
        "gpus_per_worker": 0.0,
        "matches_per_worker": None,
        "start_timeout_s": 120.0,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [("address", "ray://head:10001"), ("address", "head"), ("workers", 0), ("cpus-per-worker", 0)],
)
def test_a_bad_parameter_is_named(field, value):
    """A parameter that makes no sense is refused with its path."""
    with pytest.raises(ConfigError, match=f"executor.{field.replace('-', '[-_]')}"):
        build_benchmark({**PLAIN, "executor": {"use": "ray", field: value}})


def test_an_address_where_nobody_is_is_one_sentence(tmp_path, monkeypatch):
    """A cluster that cannot be reached is one line on standard error, and resuming elsewhere plays the run."""
    monkeypatch.chdir(tmp_path)
    plain = {**PLAIN, "executor": {"use": "ray", "address": "127.0.0.1:1"}}
    (tmp_path / "bench.yaml").write_text(json.dumps(plain))

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-q", "-o", "run"])

    assert done.exit_code == 2
    assert done.stderr.startswith("arena: executor.address: no Ray cluster at '127.0.0.1:1' (")
    assert " ".join(done.stderr.split()).endswith("; start one there, join it from one of its nodes, or use 'local'")
    assert CliRunner().invoke(group, ["resume", "run", "-q", "--set", "executor=asyncio"]).exit_code == 0


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
    """A moment that cannot be pickled is left out; a record that cannot becomes a failed one."""
    unpicklable = (event for event in ())
    record = MatchRecord(plan=PLAN, seats=(), ending=Ending.RULES, returns=None, events=(unpicklable,))

    assert packed(HookCalled("completion_requested", {"request": unpicklable})) is None
    assert unpacked(packed(Finished(record))).record.ending is Ending.FAILED


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


def test_papers_of_the_same_code_agree():
    """Hosts and patch versions of Python do not matter."""
    other = attrs.evolve(FINGERPRINT, host="elsewhere", python="3.11.9")

    assert FINGERPRINT.difference(other) is None
    assert pickle.loads(pickle.dumps(FINGERPRINT)) == FINGERPRINT


@pytest.mark.parametrize("change", [{"version": "2"}, {"dist": "other"}, {"code": "b" * 64}])
def test_papers_of_other_code_differ(change):
    """Another version, distribution or text of a plugin is told in one sentence with both."""
    origins = {name: attrs.evolve(origin, **change) for name, origin in FINGERPRINT.origins.items()}

    told = FINGERPRINT.difference(attrs.evolve(FINGERPRINT, origins=origins))

    assert told is not None
    assert told.startswith("the worker on 'host' has ")
    assert "acme 1 (code aaaaaaaaaaaa)" in told


def test_a_commit_changes_no_papers_and_an_edit_does(tmp_path, monkeypatch):
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

"""What can be proved without a cluster: parameters, decisions as data, shares, papers."""

import asyncio
import pickle
from random import Random

import attrs
import pytest
from arena.benchmark import from_plain
from arena.chance import Chance
from arena.errors import BackendError, ConfigError
from arena.record import Ending, MatchPlan, MatchRecord
from arena.runner import work_of
from arena_executor_ray.executor import Ray
from arena_executor_ray.messages import Finished, Happened, packed, unpacked
from arena_executor_ray.papers import Papers
from arena_executor_ray.seen import Seen
from arena_executor_ray.shares import shared

PLAIN = {
    "name": "parts",
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"one": {"use": "llm", "backend": {"use": "scripted", "concurrency": 9}}, "two": "random"},
    "executor": {"use": "ray", "workers": 2, "cpus-per-worker": 0.5, "matches-per-worker": 3},
    "metrics": [],
}
PLAN = MatchPlan(id="m", game="ttt", agents=("one", "two"), pairing="p", repeat=0, rotation=0, chance_seed=1)


def entry(**more):
    """A plugin's origin, as a run writes it down."""
    return {"kind": "game", "name": "g", "dist": "acme", "version": "1", "commit": None, "editable": True, **more}


def papers(**more):
    """Papers of a host that plays one game."""
    return Papers("host", "3.11.2", "0.1.0", (entry(**more),))


def test_a_benchmark_names_its_executor():
    """The parameters are those written in the benchmark, the others have their defaults."""
    made = from_plain(PLAIN)

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
        from_plain({**PLAIN, "executor": {"use": "ray", field: value}})


def test_an_address_where_nobody_is_is_one_sentence():
    """A cluster that cannot be reached is a backend error of one line, at once."""
    made = from_plain({**PLAIN, "executor": {"use": "ray", "address": "127.0.0.1:1"}})

    async def play():
        return [record async for record in made.executor.play(work_of(made, [PLAN]), None)]

    with pytest.raises(BackendError, match="no Ray cluster at") as caught:
        asyncio.run(play())
    assert len(str(caught.value).splitlines()) == 1


def test_a_decision_travels_as_it_was_shown():
    """A decision that went through bytes has the same observation, options, schema, words and sample."""
    game = from_plain(PLAIN).games["ttt"].game
    state, _ = game.start(Chance(1), 2)
    decision = state.decision(0)
    decision.forms = game.forms

    seen = unpacked(packed(Happened("decision_asked", {"decision": Seen.of(decision)}))).arguments["decision"]
    again = seen.decision(game.forms)

    assert again.observation == decision.observation
    assert list(again.options) == list(decision.options)
    assert again.schema == decision.schema
    assert again.render("text") == decision.render("text")
    assert again.sample(Random(1)) == decision.sample(Random(1))


def test_what_cannot_travel_is_left_out_or_failed():
    """A moment that cannot be pickled is left out; a record that cannot becomes a failed one."""
    unpicklable = (event for event in ())
    record = MatchRecord(plan=PLAN, seats=(), ending=Ending.RULES, returns=None, events=(unpicklable,))

    assert packed(Happened("completion_requested", {"request": unpicklable})) is None
    assert unpacked(packed(Finished(record))).record.ending is Ending.FAILED


def test_hosted_backends_are_divided_and_local_ones_are_not():
    """Workers share what a hosted backend may be asked at once, one request at least; a local model is each one's."""

    @attrs.frozen(kw_only=True)
    class Hosted(type(from_plain(PLAIN).agents["one"].agent.backend)):
        def able(self):
            return frozenset()

    agent = from_plain(PLAIN).agents["one"].agent
    hosted = attrs.evolve(agent, backend=Hosted(concurrency=9))

    assert shared(hosted, 2).backend.concurrency == 4
    assert shared(hosted, 99).backend.concurrency == 1
    assert shared(agent, 2).backend.concurrency == 9


def test_papers_of_the_same_versions_agree():
    """Hosts, editable checkouts, patch versions of Python and commits that one side does not know do not matter."""
    driver = papers(commit="a" * 40)

    other = attrs.evolve(papers(editable=False), host="elsewhere", python="3.11.9")

    assert driver.difference(other) is None
    assert pickle.loads(pickle.dumps(driver)) == driver


@pytest.mark.parametrize("change", [{"version": "2"}, {"dist": "other"}, {"commit": "b" * 40}])
def test_papers_of_other_versions_differ(change):
    """Another version, distribution or commit of a plugin is told in one sentence with both."""
    told = papers(commit="a" * 40).difference(papers(**{"commit": "a" * 40, **change}))

    assert told is not None
    assert told.startswith("the worker on 'host' has ")
    assert "acme 1 at aaaaaaaaaaaa" in told

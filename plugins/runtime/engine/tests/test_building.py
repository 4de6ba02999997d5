"""A benchmark goes one way: read, composed, built; and single plugins are made as it would make them."""

import pickle
from pathlib import Path

import arena
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena_engine import build_benchmark, load_benchmark, make_plugin, open_benchmark
from arena_engine.benchmark.benchmark import make_games
from arena_engine.execution.replay import open_to_ask
from arena_engine.execution.runner import create_run
from arena_engine.journal.journal import Journal

PLAIN = {"name": "plain", "games": {"kuhn": "kuhn-poker"}, "agents": {"one": "random", "two": "first-legal"}}


def journal_of(directory: Path, **changes: object) -> Journal:
    return create_run(build_benchmark({**PLAIN, **changes}), directory)


def test_plain_data_is_loaded_like_a_file():
    """Overrides and filters change plain data as they change a file."""
    benchmark = load_benchmark(PLAIN, overrides=["seed=3", "metrics=[outcomes]", "schedule=self-play"], agents=["one"])

    assert (benchmark.seed, list(benchmark.agents), list(benchmark.metrics)) == (3, ["one"], ["outcomes"])
    assert benchmark.plain["seed"] == 3


def test_default_metrics_come_last_where_none_are_named():
    """The metrics that are meant for it are written down with what was filled in before."""
    benchmark = load_benchmark(PLAIN)

    assert list(benchmark.plain) == ["name", "games", "agents", "schedule", "executor", "metrics"]
    assert list(benchmark.metrics) == benchmark.plain["metrics"]
    assert {"outcomes", "illegal-actions"} <= set(benchmark.metrics)


def test_disabled_metrics_are_not_filled_in():
    """A benchmark that disables a metric is measured by the other ones."""
    every = load_benchmark(PLAIN).plain["metrics"]

    fewer = load_benchmark({**PLAIN, "disable": ["metric:outcomes"]}).plain["metrics"]

    assert fewer == [name for name in every if name != "outcomes"]


def test_nothing_is_filled_in_where_none_is_loaded():
    """Plain data that is built, and a journal that is opened, have the metrics that they name and no others."""
    assert build_benchmark(PLAIN).metrics == {}
    assert load_benchmark({**PLAIN, "metrics": []}).metrics == {}


def test_benchmark_without_metrics_is_played_with_the_default_ones(tmp_path):
    """A benchmark that was built before is measured as its file would be."""
    run = arena.run(build_benchmark(PLAIN), output=tmp_path / "run")

    with Journal.open(run.directory) as journal:
        assert journal.header.benchmark == load_benchmark(PLAIN).plain


def test_run_can_be_pickled(tmp_path):
    """A run goes to another process as the directory it is in, without its plugins."""
    run = arena.run(PLAIN, output=tmp_path / "run")

    assert pickle.loads(pickle.dumps(run)) == run


def test_benchmark_of_a_journal_is_opened(tmp_path):
    """What was written down is built again, and overrides are told by their name."""
    with journal_of(tmp_path / "run") as journal:
        assert open_benchmark(journal).plain == journal.header.benchmark
        with pytest.raises(ConfigError, match=r"^--set: limits\.concurrency: must be >= 1"):
            open_benchmark(journal, overrides=["limits.concurrency=0"])


def test_another_agent_is_composed_before_it_is_asked(tmp_path):
    """An agent of the run is asked in its benchmark, another one in a benchmark of its own."""
    with journal_of(tmp_path / "run", metrics=["outcomes"]) as journal:
        own = open_to_ask(journal, "one", Catalog())
        other = open_to_ask(journal, "equilibrium", Catalog())

    assert (list(own.agents), list(own.metrics)) == (["one", "two"], ["outcomes"])
    assert (list(other.agents), list(other.metrics)) == (["equilibrium"], [])
    assert other.games == own.games


def test_games_are_made_before_the_rest():
    """Games that were made already are taken over, with the plugins in them."""
    made = make_games(PLAIN["games"], Catalog())

    benchmark = build_benchmark(PLAIN, made=made)

    assert benchmark.games["kuhn"] is made.entries["kuhn"]
    assert benchmark.provenance() == build_benchmark(PLAIN).provenance()
    with pytest.raises(ConfigError, match=r"^games\.k: no game called 'kun-poker'"):
        make_games({"k": "kun-poker"}, Catalog())


def test_plugin_is_made_by_name_or_table(acme):
    """One plugin of a kind is made of what a benchmark file would say."""
    assert make_plugin("game", "line", acme).length == 9
    assert make_plugin("game", {"use": "line", "length": 4}, acme).length == 4
    assert make_plugin("agent", {"use": "talker", "backend": {"use": "echo", "model": "m"}}, acme).backend.model == "m"


@pytest.mark.parametrize(
    ("kind", "settings", "problem"),
    [
        ("gmae", "line", "no plugin of kind 'gmae' can be made (did you mean 'game'?); expected agent, backend,"),
        ("game", "lin", "no game called 'lin' (did you mean 'line'?)"),
        ("game", {"use": "line", "lenght": 4}, "lenght: unknown key (did you mean 'length'?)"),
        ("game", {"length": 4}, "use: required; the name of a game plugin"),
        ("game", 4, "expected game plugin, written NAME or {use: NAME, …}, got 4"),
    ],
)
def test_plugin_that_cannot_be_made_is_explained(acme, kind, settings, problem):
    """Each mistake is a sentence of a ``ConfigError``."""
    with pytest.raises(ConfigError) as caught:
        make_plugin(kind, settings, acme)

    assert str(caught.value).startswith(problem)

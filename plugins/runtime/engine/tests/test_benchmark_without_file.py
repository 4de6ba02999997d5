"""A benchmark from names on the command line, suites in a list, and the schema for editors."""

from typing import Any

import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena_engine.benchmark.benchmark import build_benchmark
from arena_engine.benchmark.documents import Suite, suites
from arena_engine.benchmark.json_schema import json_schema
from arena_engine.benchmark.option_values import from_options
from arena_engine.job.planning import plan_matches
from jsonschema import Draft202012Validator


def test_agents_and_models_by_name(acme: Catalog):
    """A plugin's name is that plugin; a model's name is a model played by the agent that wraps backends."""
    plain = from_options(
        ["line"], ["echo/gpt-4o", "dull"], repeats=20, base_url="http://127.0.0.1:1/v1", seed=3, catalog=acme
    )

    assert plain == {
        "name": "line",
        "seed": 3,
        "games": {"line": "line"},
        "agents": {
            "gpt-4o": {
                "use": "talker",
                "backend": {"use": "echo", "model": "echo/gpt-4o", "base_url": "http://127.0.0.1:1/v1"},
            },
            "dull": "dull",
        },
        "schedule": {"use": "round-robin", "repeats": 20},
        "metrics": [],
    }
    assert len(plan_matches(build_benchmark(plain, acme))) == 40


def test_backend_and_model(acme: Catalog):
    """BACKEND:MODEL says which backend is meant, whatever the model is called."""
    plain = from_options(["line"], ["parrot:anything:at/all", "echo:x"], catalog=acme)

    assert plain["agents"] == {
        "all": {"use": "talker", "backend": {"use": "parrot", "model": "anything:at/all"}},
        "x": {"use": "talker", "backend": {"use": "echo", "model": "x"}},
    }


def test_same_agent_twice_gets_two_names(acme: Catalog):
    """Named twice, an agent plays under two names; alone it plays itself."""
    plain = from_options(["line", "line"], ["dull", "dull"], metrics=["count"], catalog=acme)
    alone = from_options(["line"], ["dull"], catalog=acme)

    assert list(plain["agents"]) == ["dull", "dull-2"]
    assert list(plain["games"]) == ["line", "line-2"]
    assert [plan.id for plan in plan_matches(build_benchmark(alone, acme))] == ["line/dull,dull/0.0"]


@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        (
            "dul",
            "--agent dul: no agent is called that (did you mean 'dull'?), and no installed backend takes a model of "
            "that name; write BACKEND:MODEL (backends: echo, parrot)",
        ),
        ("echo/grey", "--agent echo/grey: several backends take models of that name; write 'echo:echo/grey' or"),
    ],
)
def test_names_that_mean_nothing(acme: Catalog, agent: str, problem: str):
    """A name that is neither an agent nor a model is told with what can be written."""
    with pytest.raises(ConfigError) as caught:
        from_options(["line"], [agent, "dull"], catalog=acme)

    assert caught.value.problems[0].startswith(problem)


def test_base_url_without_a_model(acme: Catalog):
    """A server's address that nobody would use is a mistake."""
    with pytest.raises(ConfigError, match="--base-url http://x: none of the agents is a model"):
        from_options(["line"], ["dull"], base_url="http://x", catalog=acme)


def test_suites_are_listed(acme: Catalog):
    """A suite is listed with its own version and its line."""
    listed = [suite for suite in suites(acme) if suite.dist == "acme-arena"]

    assert listed[0] == Suite(name="line", dist="acme-arena", version="3", summary="lines of all lengths")


GOOD: list[Any] = [
    {"games": {"g": "line"}, "agents": {"a": "dull"}},
    {"games": {"g": {"use": "short-line", "players": 2, "tags": ["x"]}}, "agents": {"a": {"use": "dull"}}},
    {"agents": {"a": {"use": "talker", "backend": {"use": "echo", "model": "m", "key": "${KEY}", "base_url": None}}}},
    {"agents": {"a": {"use": "talker", "backend": {"use": "echo", "model": "m", "max-tokens": 5}}}},
    {"schedule": {"use": "against", "agent": "a", "rotate-seats": "all"}, "metrics": ["count"]},
    {"metrics": {"x": {"use": "count", "what": "turns"}}, "illegal-actions": {"then": "skip"}},
    {"illegal_actions": {"retries": 0}, "limits": {"budget-usd": 1, "turn_seconds": 2.5}},
    {"games": {"g": {"use": "acme-arena:line", "length": 3}}},
]
BAD: list[Any] = [
    {"gmes": {}},
    {"games": {}},
    {"games": {"g": "lin"}},
    {"games": {"g/h": "line"}},
    {"games": {"g": {"length": 3}}},
    {"games": {"g": {"use": "line", "length": "3"}}},
    {"games": {"g": {"use": "line", "length": 100}}},
    {"games": {"g": {"use": "line", "lenght": 3}}},
    {"games": {"g": {"use": "line", "players": 0}}},
    {"agents": {"a": {"use": "talker"}}},
    {"agents": {"a": {"use": "talker", "backend": "echo"}}},
    {"agents": {"a": {"use": "talker", "backend": {"use": "echo", "model": "m", "key": "sk-1"}}}},
    {"agents": {"a": {"use": "talker", "backend": {"use": "echo", "model": "m", "temperature": -1}}}},
    {"agents": {"a": {"use": "talker", "backend": {"use": "echo", "model": "m"}, "prompt": {"style": "x"}}}},
    {"metrics": [{"use": "count", "what": "x"}]},
    {"schedule": {"use": "against"}},
    {"schedule": {"use": "round-robin", "repeats": 0}},
    {"illegal-actions": {"then": "x"}},
    {"limits": {"concurrency": 0}},
    {"level": 1},
    {"include": "x"},
]
WHOLE = {"games": {"g": "line"}, "agents": {"a": "dull", "b": "dull"}}


@pytest.fixture
def schema(acme: Catalog) -> Draft202012Validator:
    return Draft202012Validator(json_schema(acme))


def test_schema_accepts_what_the_loader_accepts(acme: Catalog, schema: Draft202012Validator):
    """Good files pass the schema and load."""
    for part in GOOD:
        build_benchmark({**WHOLE, **part, "agents": {**WHOLE["agents"], **part.get("agents", {})}}, acme)
        assert [error.message for error in schema.iter_errors({**WHOLE, **part})] == []


def test_schema_refuses_what_the_loader_refuses(acme: Catalog, schema: Draft202012Validator):
    """Bad files fail the schema as they fail the loader."""
    for part in BAD:
        with pytest.raises(ConfigError):
            build_benchmark({**WHOLE, **part}, acme)
        assert not schema.is_valid({**WHOLE, **part}), part


@pytest.mark.campaign
def test_schema_is_one(schema: Draft202012Validator):
    """Editors can read it: it is a schema by the standard that it names."""
    Draft202012Validator.check_schema(schema.schema)


@pytest.mark.slow
def test_schema_lets_a_file_that_extends_be_partial(schema: Draft202012Validator):
    """Who extends another file need not repeat it."""
    assert schema.is_valid({"extends": "suite:line", "agents": {"smol": {"prompt": {"history": 1}}, "dull": None}})
    assert not schema.is_valid({"agents": {"smol": {"prompt": {"history": 1}}}})
    assert not schema.is_valid({"extends": "suite:line", "limts": {}})


def test_schema_tells_help_and_defaults(acme: Catalog):
    """Editors show what a parameter means, its default and its bounds."""
    definitions = json_schema(acme)["$defs"]

    assert definitions["game-entry.short-line"]["properties"]["length"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 99,
        "description": "coins in the line",
        "default": 3,
    }

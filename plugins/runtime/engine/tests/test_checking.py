"""A benchmark that is still being written: all mistakes by path, no files and no code, and its data as YAML."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.catalog import Catalog, Status
from arena.errors import ConfigError
from arena_engine import Benchmark, check_benchmark, installed_only, load_benchmark, read_yaml, write_yaml
from arena_engine.benchmark.parameters import CONTRACTS, fields_of, union_members
from hypothesis import example, given, settings, strategies as st

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)

WRONG = {
    "games": {"board": {"use": "tic-tac-toe", "rows": "three"}, "other": "no-such-game"},
    "agents": {"one": {"use": "randm"}},
    "schedule": {"use": "round-robin", "repeats": 0},
    "sedd": 1,
}


@settings(max_examples=50)
@example("\x85")
@given(PLAIN)
def test_yaml_that_is_written_is_read_as_the_same(data):
    """Whatever JSON can hold comes back from its YAML: words that look like numbers, control characters, and all."""
    assert read_yaml(write_yaml({"key": data}), "text").data == {"key": data}


def test_mistakes_are_those_of_the_command_line():
    """Every mistake is told at once, with its path, in the words in which a run would be refused."""
    found = check_benchmark(WRONG, Catalog())
    with pytest.raises(ConfigError) as refused:
        load_benchmark(WRONG)

    assert found.benchmark is None
    assert tuple(map(str, found.problems)) == refused.value.problems
    assert {problem.path for problem in found.problems} >= {("games", "board", "rows"), ("agents", "one", "use")}


def test_benchmark_without_mistakes_is_built():
    """What can be played has no mistakes; what only does not fit together is told too."""
    games = {"board": "tic-tac-toe"}

    assert check_benchmark({"games": games, "agents": {"one": "random", "two": "random"}}, Catalog()).benchmark
    (problem,) = check_benchmark({"games": games, "agents": {"one": "random"}}, Catalog()).problems
    assert problem.path == ("schedule",)


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"extends": "other.yaml"}, ("extends",)),
        ({"include": ["suite:grid-games-2024", "../other.yaml"]}, ("include", "1")),
        ({"cache": "answers"}, ("cache",)),
        ({"agents": {"one": {"use": "policy", "policy": "os:system"}}}, ("agents", "one", "policy")),
        (
            {"agents": {"one": {"use": "llm", "backend": {"use": "scripted", "file": "answers.yaml"}}}},
            ("agents", "one", "backend", "file"),
        ),
        (
            {"agents": {"one": {"use": "llm", "backend": "scripted", "prompt": {"style": "mine.yaml"}}}},
            ("agents", "one", "prompt", "style"),
        ),
    ],
)
def test_only_what_is_installed_may_be_named(data, path):
    """Of data from somewhere else no file is opened and no code imported; the mistake says where it is named."""
    plain = {"games": {"board": "tic-tac-toe"}, "agents": {"one": "random", "two": "random"}, **data}

    with installed_only():
        found = check_benchmark(plain, Catalog())

    assert [problem.path for problem in found.problems] == [path]
    assert found.problems[0].text.endswith("only what is installed may be named here, and suites by suite:NAME")


def test_suite_may_be_extended():
    """A suite is installed, and so is what it extends itself."""
    with installed_only():
        assert check_benchmark({"extends": "suite:grid-games-2024-image"}, Catalog()).benchmark


def all_fields(cls: Any, seen: set[Any]) -> Iterator[Any]:
    """The parameters of a class, and of those in it."""
    for field in fields_of(cls).values():
        yield field
        for inner in union_members(field.type):
            if attrs.has(inner) and inner not in CONTRACTS and inner not in seen:
                seen.add(inner)
                yield from all_fields(inner, seen)


def silent_fields(cls: Any) -> Iterator[str]:
    """The parameters of a class, and of those in it, that speak of files and do not say when they name one."""
    for field in all_fields(cls, set()):
        members = union_members(field.type)
        words = {word.strip(",.;:'()") for word in field.help.lower().split()}
        declares = {"names_file", "names_code"} & {*field.attribute.metadata}
        if words & {"file", "folder", "path", "directory"} and not declares and Path not in members:
            yield field.name


def usable() -> list[Any]:
    """The plugins of all kinds that are built from data."""
    return [entry for entry in Catalog().entries() if entry.kind in {*CONTRACTS.values()} and entry.status is Status.OK]


def test_each_parameter_that_leads_to_a_file_says_what_is_done_with_it():
    """It is loaded, sent to models or written; of the benchmark itself, too."""
    named = [("the benchmark", Benchmark), *((str(entry), entry.load()) for entry in usable())]

    silent = {
        f"{name}: {field.name}"
        for name, cls in named
        for field in all_fields(cls, set())
        if Path in union_members(field.type) or "names_file" in field.attribute.metadata
        if field.attribute.metadata.get("file_use") not in ("loaded", "sent", "written")
    }

    assert silent == set()


def test_each_parameter_that_leads_to_a_file_says_so():
    """A parameter whose help speaks of a file or folder of the user is a path, or declares what leads there."""
    no_names = {"trusts_pickle", "to", "sha256"}  # a pickle or not, a kind of opponent, a digest
    entries = usable()

    silent = {f"{entry}: {name}" for entry in entries for name in silent_fields(entry.load()) if name not in no_names}

    assert len(entries) > 50
    assert silent == set()

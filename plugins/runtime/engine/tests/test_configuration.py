"""What an agent or a game of a run is, whatever it is called, read from its journal."""

import pytest
from arena.catalog import Catalog
from arena_engine import Configuration, Journal, configurations_of
from arena_engine.journal.schema import Header


def configured(tmp_path, agents, kind="agent", versions=None):
    """The configurations of agents or games as a journal with this benchmark holds them."""
    provenance = [
        {"kind": each, "name": name, "dist": "acme", "version": version}
        for (each, name), version in (versions or {("agent", "llm"): "1.0", ("backend", "scripted"): "1.0"}).items()
    ]
    directory = tmp_path / str(len(list(tmp_path.iterdir())))
    header = Header(
        id="1", name="n", seed=0, benchmark={f"{kind}s": agents}, created="", core="0", python="3", platform="l",
        provenance=tuple(provenance),
    )  # fmt: skip
    with Journal.create(directory, header, ()):
        pass
    with Journal.open(directory) as journal:
        return configurations_of(journal, kind, Catalog())


def model(**more):
    return {"use": "llm", "backend": {"use": "scripted", **more.pop("backend", {})}, **more}


@pytest.mark.parametrize(
    "same",
    [
        {"tags": ["x"]},
        {"backend": {"concurrency": 3}},
        {"backend": {"api-key": "OTHER_KEY"}},
        {"prompt": {}},
        {"queries": True},
    ],
)
def test_what_is_no_part_of_an_agent(tmp_path, same):
    """Tags, how many requests are sent at once, credentials and defaults that are written out change no digest."""
    pytest.importorskip("arena_agent_llm")
    found = configured(tmp_path, {"a": model(), "b": model(**same)})

    assert found["a"].digest == found["b"].digest


@pytest.mark.parametrize(
    "other",
    [
        {"backend": {"temperature": 1}},
        {"backend": {"model": "x"}},
        {"prompt": {"style": "direct"}},
        {"prompt": {"parts": {"rules": False}}},
        {"reasoning-limit": 3},
    ],
)
def test_what_is_part_of_an_agent(tmp_path, other):
    """Model, sampling, prompt and budgets change the digest."""
    found = configured(tmp_path, {"a": model(), "b": model(**other)})

    assert found["a"].digest != found["b"].digest


def test_versions_are_part_of_it(tmp_path):
    """The same settings of another version of a plugin are another configuration."""
    one = configured(tmp_path, {"a": "x"}, versions={("agent", "x"): "1.0"})
    two = configured(tmp_path, {"a": "x"}, versions={("agent", "x"): "1.1"})

    assert one["a"].use == two["a"].use == "x"
    assert one["a"].digest != two["a"].digest


def test_equal_numbers_are_written_alike(tmp_path):
    """``1`` and ``1.0`` are one number, and the place of a key does not matter."""
    found = configured(tmp_path, {"a": {"use": "q", "x": 1, "y": 2}, "b": {"y": 2.0, "x": 1.0, "use": "q"}})

    assert found["a"].digest == found["b"].digest


def test_a_parameter_can_be_left_out(tmp_path):
    """Leaving one out leaves out everything below it, and nothing that only begins alike."""
    found = Configuration(parameters={"prompt.style": "x", "prompt.form": "y", "prompts": 1})

    assert found.without(["prompt"]).parameters == {"prompts": 1}


def test_games_are_read_as_well(tmp_path):
    """The parameters of a game are part of what it is."""
    games = {"a": {"use": "g", "rows": 3}, "b": {"use": "g", "rows": 4}}
    found = configured(tmp_path, games, "game", {("game", "g"): "1.0"})

    assert dict(found["a"].parameters) == {"rows": 3, "use": "g", "version": "acme 1.0"}
    assert found["a"].digest != found["b"].digest


def test_parameter_called_version_is_not_that_of_the_distribution(tmp_path):
    """A plugin's own version has the name of its kind before it."""
    found = configured(tmp_path, {"a": {"use": "g", "version": 3}}, "game", {("game", "g"): "1.0"})

    assert dict(found["a"].parameters) == {"game-version": 3, "use": "g", "version": "acme 1.0"}

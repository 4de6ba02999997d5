"""Versions of games: the newest where a run is created, 1 where its journal says none, and the run's where it grows."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.agent import Agent
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.game import Game, version_field
from arena_engine import (
    Journal,
    build_benchmark,
    configurations_of,
    job_for,
    load_benchmark,
    make_plugin,
    open_benchmark,
    open_parts,
)
from arena_engine.running.recorded import as_begun
from arena_engine.running.replay import branch, open_to_ask
from arena_engine.running.runner import create_run, extend_run, play_run, resume_run

from ....authoring.testing.tests.games_board import TicTacToe
from ....authoring.testing.tests.games_together import RockPaperScissors


@attrs.frozen(kw_only=True)
class Marks(TicTacToe):
    """A game that has had two sets of words."""

    size: int = 3
    version: int = version_field(2)

    @property
    def rules(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "Mark cells." if self.version == 1 else "Mark three cells in a row."


@attrs.frozen(kw_only=True)
class Twice(RockPaperScissors):
    """A game made of another one."""

    game: Game
    others: Sequence[Game] = ()


@attrs.frozen(kw_only=True)
class Words:
    """Settings with versions of their own."""

    style: str = "short"
    version: int = version_field(lambda words: len(words.style))


@attrs.frozen(kw_only=True)
class Talker(Agent):
    """An agent whose settings have versions."""

    words: Words = Words()

    def join(self, seat: Any) -> Any:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def plugins(installed_plugin):
    """The plugins of these tests."""
    installed_plugin("game", "marks", Marks)
    installed_plugin("game", "first-marks", Marks, preset={"version": 1})
    installed_plugin("game", "twice", Twice)
    installed_plugin("game", "preset-twice", Twice, preset={"game": "marks"})
    installed_plugin("agent", "talker", Talker)


def plain(game: Any = "marks", agents: Any = None, **more: Any) -> dict[str, Any]:
    """A benchmark of one game."""
    return {
        "name": "versions",
        "games": {"g": game},
        "agents": agents or {"a": "random", "b": "random"},
        "metrics": [],
        **more,
    }


def begun(directory: Path, source: Any, *, played: bool = False) -> Any:
    """The header's benchmark of a run that is created."""
    made = load_benchmark(source)
    with create_run(made, directory) as journal:
        if played:
            asyncio.run(play_run(journal, made, {}, lambda *_: None))
        return journal.header.benchmark


def old(directory: Path, source: Any, *, played: bool = False) -> Path:
    """A run from before its game had versions: nothing in its journal says one."""
    made = load_benchmark(source, overrides=["games.g.version=1"])
    with create_run(made, directory) as journal:
        assert "version" not in json.dumps(journal.header.benchmark["games"])
        if played:
            asyncio.run(play_run(journal, made, {}, lambda *_: None))
    return directory


def test_the_newest_version_is_written_into_the_journal(tmp_path):
    """A benchmark that says no version gets the newest when the run is created, and the header says so."""
    assert begun(tmp_path / "run", plain())["games"] == {"g": {"use": "marks", "version": 2}}


def test_a_journal_without_a_version_means_the_first(tmp_path):
    """Whoever opens, resumes, reports or replays an old run gets the rules that it was begun with."""
    directory = old(tmp_path / "run", plain(), played=True)

    with Journal.open(directory) as journal:
        assert open_benchmark(journal).games["g"].game.rules == "Mark cells."
        assert open_parts(journal).games["g"].game.rules == "Mark cells."
        assert open_to_ask(journal, "random", Catalog()).games["g"].game.rules == "Mark cells."
        made, _ = branch(journal, next(journal.records()), 2, ["random"], Catalog())
        assert made.games["g"].game.rules == "Mark cells."
        assert "version" not in made.recorded["games"]["g"]


def test_a_resumed_run_keeps_its_version(tmp_path):
    """A run that goes on plays by the version it began with, with other limits too, and wherever it is played."""
    directory = old(tmp_path / "run", plain())

    journal, made = resume_run(directory, Catalog(), ["limits.concurrency=2"])

    with journal:
        assert made.games["g"].game.rules == "Mark cells."
        assert "version" not in json.dumps(journal.header.benchmark["games"])
        elsewhere = build_benchmark(job_for(made, ()).plain)  # as a worker on another machine does
    assert elsewhere.games["g"].game.rules == "Mark cells."


def test_a_run_of_the_newest_version_stays_there(tmp_path):
    """A version that the header says is the version that is opened."""
    begun(tmp_path / "run", plain())

    with Journal.open(tmp_path / "run") as journal:
        assert open_benchmark(journal).games["g"].game.rules == "Mark three cells in a row."


@pytest.mark.parametrize("overrides", [[], ["games.g.version=1"]])
def test_what_is_said_is_kept(tmp_path, overrides):
    """A file and ``--set`` may say an earlier version; what builds the benchmark again gets the same."""
    said = load_benchmark(plain({"use": "marks", "version": 1} if not overrides else "marks"), overrides=overrides)

    assert said.games["g"].game == Marks(version=1)
    assert load_benchmark(said.plain).games["g"].game == Marks(version=1)


def test_versions_are_swept():
    """A sweep over versions makes a variant of each."""
    made = load_benchmark(plain(sweep={"games.g.version": [1, 2]}))

    assert {name: entry.game.version for name, entry in made.games.items()} == {
        "g[version=1]": 1,
        "g[version=2]": 2,
    }


def test_a_file_may_extend_one_without_a_version(tmp_path):
    """The version of a game follows what a benchmark says after all files were merged."""
    (tmp_path / "below.yaml").write_text(
        "games: {g: marks, h: {use: marks, size: 4}}\nagents: {a: random, b: random}\n"
    )
    (tmp_path / "above.yaml").write_text("extends: below.yaml\ngames: {h: {version: 1}}\n")

    made = load_benchmark(tmp_path / "above.yaml")

    assert made.plain["games"] == {
        "g": {"use": "marks", "version": 2},
        "h": {"use": "marks", "size": 4, "version": 1},
    }


@pytest.mark.parametrize(
    ("game", "written"),
    [
        ({"use": "twice", "game": "marks"}, {"use": "twice", "game": {"use": "marks", "version": 2}}),
        (
            {"use": "twice", "game": {"use": "marks", "size": 4}, "others": ["marks", {"use": "marks", "version": 1}]},
            {
                "use": "twice",
                "game": {"use": "marks", "size": 4, "version": 2},
                "others": [{"use": "marks", "version": 2}, {"use": "marks"}],
            },
        ),
        ("preset-twice", {"use": "preset-twice", "game": {"use": "marks", "version": 2}}),
    ],
)
def test_games_within_games_have_their_versions_written(tmp_path, game, written):
    """A game that is a parameter of another one has its version in the header, wherever it is named."""
    assert begun(tmp_path / "run", plain(game))["games"]["g"] == written

    with Journal.open(tmp_path / "run") as journal:
        assert open_benchmark(journal).games["g"].game.game.version == 2


def test_games_within_games_of_old_runs_are_the_first(tmp_path):
    """A game within a game of an old run is the first version as well."""
    begun(tmp_path / "run", plain({"use": "twice", "game": {"use": "marks", "version": 1}}))

    with Journal.open(tmp_path / "run") as journal:
        assert journal.header.benchmark["games"]["g"] == {"use": "twice", "game": {"use": "marks"}}
        assert open_benchmark(journal).games["g"].game.game.version == 1


def test_a_preset_says_a_version():
    """A plugin's preset may say a version, which counts as if the benchmark said it."""
    assert load_benchmark(plain("first-marks")).games["g"].game.version == 1


def test_settings_have_versions_that_depend_on_them(tmp_path):
    """What is newest may follow from other settings; it is written below the agent, whose name becomes a table."""
    agents = {"a": "talker", "b": {"use": "talker", "words": {"style": "longer"}}}

    assert begun(tmp_path / "run", plain(agents=agents))["agents"] == {
        "a": {"use": "talker", "words": {"version": 5}},
        "b": {"use": "talker", "words": {"style": "longer", "version": 6}},
    }
    with Journal.open(tmp_path / "run") as journal:
        assert open_benchmark(journal).agents["b"].agent == Talker(words=Words(style="longer", version=6))


def test_settings_that_an_old_run_leaves_out_are_the_first(tmp_path):
    """Settings that have their defaults in an old run have them in the first version."""
    said = {"use": "talker", "words": {"version": 1}}

    assert begun(tmp_path / "run", plain(agents={"a": said, "b": said}))["agents"]["a"] == {"use": "talker"}
    with Journal.open(tmp_path / "run") as journal:
        assert open_benchmark(journal).agents["a"].agent == Talker(words=Words(version=1))


def test_a_new_agent_in_an_old_run_has_its_newest_version(tmp_path):
    """An agent that is asked in somebody else's run is as it is today, while the run's game stays as it was."""
    directory = old(tmp_path / "run", plain())

    with Journal.open(directory) as journal:
        made = open_to_ask(journal, "talker", Catalog())

    assert made.agents["talker"].agent == Talker()
    assert made.games["g"].game.version == 1


def test_a_run_is_extended_by_its_own_version(tmp_path):
    """A benchmark that leaves the version open adds to an old run by the rules that the run began with."""
    directory = tmp_path / "run"
    made = load_benchmark(plain())
    with create_run(attrs.evolve(made, plain=plain(schedule="round-robin"), versions={}), directory) as journal:
        assert journal.header.benchmark["games"] == {"g": "marks"}
    larger = load_benchmark(
        {**plain(schedule={"use": "round-robin", "repeats": 2}), "games": {"g": "marks", "h": "marks"}}
    )

    with Journal.open(directory) as journal:
        larger = as_begun(larger, journal)
    with extend_run(directory, larger) as journal:
        assert journal.header.benchmark["games"] == {"g": {"use": "marks"}, "h": {"use": "marks", "version": 2}}
    assert {name: entry.game.version for name, entry in larger.games.items()} == {"g": 1, "h": 2}


def test_settings_that_a_run_left_out_are_extended_by_their_first_version(tmp_path):
    """An agent whose settings an old run left out keeps them in the first version when the run grows."""
    agents = {"a": "talker", "b": "talker"}
    made = load_benchmark(plain(agents=agents))
    old_plain = plain(agents=agents, schedule="round-robin")
    with create_run(attrs.evolve(made, plain=old_plain, versions={}), tmp_path / "run") as journal:
        larger = load_benchmark(plain(agents=agents, schedule={"use": "round-robin", "repeats": 2}))
        larger = as_begun(larger, journal)

    with extend_run(tmp_path / "run", larger) as journal:
        assert larger.agents["a"].agent == Talker(words=Words(version=1))
        assert journal.header.benchmark["agents"]["a"] == {"use": "talker"}


def test_a_run_is_not_extended_by_another_version(tmp_path):
    """A benchmark that says another version than the run is refused."""
    directory = old(tmp_path / "run", plain())
    larger = load_benchmark(plain({"use": "marks", "version": 2}))

    with Journal.open(directory) as journal:
        larger = as_begun(larger, journal)
    with pytest.raises(ConfigError, match=r"games\.g: differs"):
        extend_run(directory, larger)


def test_versions_are_different_configurations(tmp_path):
    """The digest of a game tells versions apart, and does not depend on how the version came to be said."""
    games = {"old": {"use": "marks", "version": 1}, "new": "marks", "same": {"use": "marks", "version": 2}}
    begun(tmp_path / "run", {**plain(), "games": games})

    with Journal.open(tmp_path / "run") as journal:
        found = configurations_of(journal, "game")

    assert found["new"] == found["same"] != found["old"]
    assert found["old"].parameters.keys() == {"use", "version"}
    assert (found["old"].value("game-version"), found["new"].value("game-version")) == (1, 2)


def test_a_version_that_is_not_there_is_refused():
    """A version that a game does not have is a mistake at its path, with those that there are."""
    with pytest.raises(ConfigError, match=r"games\.g\.version: expected a version from 1 to 2, got 3"):
        load_benchmark(plain({"use": "marks", "version": 3}))


def test_a_game_alone_is_the_newest():
    """A game that is made from Python or by its name is the newest version."""
    assert make_plugin("game", "marks").version == Marks().version == 2

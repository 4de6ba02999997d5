"""Runs by number, by a part of their name, and in a list."""

import json
import shutil
from pathlib import Path

import pytest

FIRST, SECOND, THIRD = "2026-11-22T07-29-01-three", "2026-11-22T08-00-00-kuhn", "2026-11-23T07-29-01-three"


@pytest.fixture(scope="module")
def played(arena_anywhere, tmp_path_factory) -> Path:
    """Three runs, of which two share a name, and one whose name says nothing of its time."""
    folder = tmp_path_factory.mktemp("played")
    for name, game in ((FIRST, "tic-tac-toe"), (SECOND, "kuhn-poker"), (THIRD, "tic-tac-toe")):
        players = ("--agent", "random", "--agent", "first-legal")
        assert arena_anywhere("run", "--game", game, *players, "-n", 3, "-q", "-o", folder / name).exit_code == 0
    return folder


@pytest.fixture
def runs(played, arena, tmp_path) -> Path:
    """A copy of these runs in ``runs/``."""
    return shutil.copytree(played, tmp_path / "runs")


@pytest.mark.parametrize(
    ("word", "name"), [("@", THIRD), ("@1", THIRD), ("@2", SECOND), ("@3", FIRST), ("kuhn", SECOND), ("11-23", THIRD)]
)
def test_run_by_number_or_part_of_its_name(arena, runs, word, name):
    """``@`` is the newest run, ``@2`` the one before; a part of one name only means that run."""
    assert arena("verify", word).stdout.startswith(f"runs/{name}: ")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("@7", "no run @7, since there are 3 runs in runs/; arena runs lists them"),
        ("three", f"'three' is part of the names of 2 runs ({THIRD}, {FIRST}); write more of one"),
        ("kuhm", "no run called 'kuhm'; arena runs lists those in runs/"),
        (f"{SECOND}x", f"no run called '{SECOND}x' (did you mean '{SECOND}'?); arena runs lists those in runs/"),
    ],
)
def test_run_that_cannot_be_meant(arena, runs, word, said):
    """One sentence says why a word means no run, and how to find out which there are."""
    done = arena("verify", word)

    assert (done.exit_code, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())
    assert done.stderr.count("arena: ") == 1


def test_a_path_is_taken_as_it_is(arena, runs, tmp_path):
    """What exists under the name that was written is meant, also if it looks like another run's name."""
    runs.joinpath(SECOND).rename(tmp_path / "three")

    assert arena("verify", "three").stdout.startswith("three: ")


@pytest.mark.parametrize("command", [["report"], ["audit"], ["replay"], ["power"], ["export", "-o", "x.jsonl"]])
def test_every_command_takes_it(arena, runs, command):
    """Wherever a run is wanted, ``@`` will do."""
    assert arena(*command, "@").exit_code == 0


def test_list_of_runs(arena, runs):
    """Runs are listed newest first with number, name, matches, state and the claim that can be made."""
    lines = arena("runs").stdout.splitlines()

    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.startswith("@")] == ["@1", "@2", "@3"]
    assert lines[1].split()[:6] == ["@1", "2026-11-23", "07:29", "three", "6", "done"]
    assert lines[-1] == "look at one: arena report @"


def test_list_of_runs_as_json(arena, runs):
    """``--json`` holds each run's directory, time, counts, state and the sentence on who is better."""
    listed = json.loads(arena("runs", "--json").stdout)

    assert listed["format"] == 1
    newest, second, _ = listed["runs"]
    assert newest["directory"] == f"runs/{THIRD}"
    assert (newest["begun"], newest["matches"], newest["planned"]) == ("2026-11-23T07:29:01", 6, 6)
    assert "first-legal" in newest["verdict"]
    assert second["verdict"].startswith("No clear winner yet: ")


def test_unfinished_and_damaged_runs_are_listed(arena, runs):
    """A run that cannot be read is listed as damaged, and the others are listed all the same."""
    runs.joinpath(SECOND, "journal.sqlite").write_bytes(b"nothing")

    lines = arena("runs").stdout.splitlines()

    (line,) = [line for line in lines if "kuhn" in line]
    assert "damaged" in line
    assert sum(line.startswith("@") for line in lines) == 3


def test_without_runs_it_is_said_how_to_play_one(arena):
    """An empty folder is no error."""
    done = arena("runs")

    assert (done.exit_code, done.stdout) == (0, "")
    assert "play one: arena run" in done.stderr

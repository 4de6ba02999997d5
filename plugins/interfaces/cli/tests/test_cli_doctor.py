"""``arena doctor``: what is well here, what is not, and what to do."""

import json

import pytest

_TORN = "1 / 0"


def test_everything_is_well(arena, monkeypatch):
    """Each line is ok or a note; keys are named and never shown."""
    monkeypatch.setenv("ACME_API_KEY", "sk-very-secret")

    done = arena("doctor")

    assert done.exit_code == 0, done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "ACME_API_KEY" in done.stdout
    assert "sk-very-secret" not in done.stdout
    for what in ("python", "versions", "plugins", "runs", "cache", "terminal"):
        assert any(line.split()[:2] == ["ok", what] for line in done.stdout.splitlines()), what


@pytest.mark.slow
def test_broken_plugin_is_a_problem_with_a_remedy(arena, installed):
    """A plugin that cannot be imported is named with what to do, and the exit code is 1."""
    installed.add("torn", {"arena.games": {"torn": "torn:TORN"}}, {"torn.py": _TORN})

    done = arena("doctor", "--json")

    found = json.loads(done.stdout)
    assert (done.exit_code, found["format"], found["passed"]) == (1, 1, False)
    (line,) = (line for line in found["lines"] if line["what"] == "game torn")
    assert line["status"] == "problem"
    assert "ZeroDivisionError" in line["said"]
    assert "reinstall or upgrade torn" in line["remedy"]


@pytest.mark.slow
def test_folder_that_cannot_be_written_is_a_problem(arena, monkeypatch, tmp_path):
    """A cache folder in which nothing can be written is named with what to do."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")

    done = arena("doctor")

    assert done.exit_code == 1
    assert "XDG_CACHE_HOME" in done.stdout

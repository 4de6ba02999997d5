"""Commands that read a run work where its game is not installed."""

import pytest

DIST = "playarena-game-openspiel"
TAKES = f"{DIST}, which is disabled: take {DIST!r} out of ARENA_DISABLE"


@pytest.fixture
def played(arena, tmp_path, monkeypatch):
    """Two matches of tic-tac-toe, and then no tic-tac-toe."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    players = ("--agent", "random", "--agent", "first-legal")
    assert arena("run", "-q", "--game", "tic-tac-toe", *players, "--metric", "outcomes", "-o", "run").exit_code == 0
    monkeypatch.setenv("ARENA_DISABLE", DIST)


@pytest.mark.parametrize("command", ["report", "audit", "power", "leaderboard", "replay"])
def test_a_reader_of_runs_needs_no_game(arena, played, command):
    """It ends well, and nothing has failed."""
    done = arena(command, "run")

    assert done.exit_code == 0, done.stderr
    assert "failed" not in done.stdout + done.stderr


def test_an_export_needs_no_game(arena, played):
    """Both matches are in it."""
    done = arena("export", "run", "-o", "-")

    assert (done.exit_code, done.stdout.count("\n"), done.stderr) == (0, 2, "")


def test_a_replay_tells_events_in_the_words_of_the_game(arena, played):
    """Without boards, which is said in one line; what happened is told as the game would tell it."""
    done = arena("replay", "run", "-m", "1")

    assert done.exit_code == 0
    assert " ".join(done.stderr.split()) == f"boards need {TAKES}"
    assert "· X: row " in done.stdout
    assert "returns: " in done.stdout
    assert "{" not in done.stdout


def test_pictures_of_boards_take_the_game(arena, played):
    """Nothing is written, and one sentence says why."""
    done = arena("replay", "run", "-m", "1", "--form", "image", "-o", "pictures")

    assert done.exit_code == 2
    assert f"boards need {TAKES}" in " ".join(done.stderr.split())


def test_a_portable_report_says_what_it_lacks(arena, played, tmp_path):
    """It has all results, and one line about the boards."""
    pytest.importorskip("arena_report_html")

    assert arena("report", "run", "-o", "report.html").exit_code == 0

    text = (tmp_path / "report.html").read_text()
    assert "boards need playarena-game-openspiel, which is disabled" in text

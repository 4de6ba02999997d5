"""``arena replay`` with a form of pictures."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def run(arena) -> str:
    options = ["--game", "grid-tic-tac-toe", "--agent", "random", "--agent", "first-legal", "-n", 1, "--seed", 3]
    assert arena("run", *options, "-q", "-o", "one").exit_code == 0
    return "one"


def test_pictures_are_written_to_files(arena, run):
    """Each position is a file with the ending of its type, and the page of a turn names it."""
    steps = json.loads(arena("export", run, "--format", "jsonl", "--output", "-").stdout.splitlines()[0])
    done = arena("replay", run, "-m", 1, "--form", "image", "-o", "boards")

    files = sorted(path.name for path in Path("boards").iterdir())
    assert done.exit_code == 0, done.stderr
    assert steps
    assert files == [f"step-{n}.png" for n in range(len(files))]
    assert all((Path("boards") / name).read_bytes().startswith(b"\x89PNG") for name in files)
    assert all(f"[boards/{name}: " in done.stdout for name in files)


def test_pictures_without_files_are_told(arena, run):
    """Without a place for files, a page says what is there and what it shows."""
    done = arena("replay", run, "-m", 1, "-t", 1, "--form", "image")

    assert "[image/png, " in done.stdout
    assert "eee" in done.stdout


def test_scenes_are_drawn(arena, run):
    """A position is drawn with the signs that the output has; there is no file of it."""
    done = arena("replay", run, "-m", 1, "-t", 3, "--form", "scene")
    written = arena("replay", run, "-m", 1, "--form", "scene", "-o", "boards")

    assert "┌───┬───┬───┐\n1 │" in done.stdout
    assert written.exit_code == 2
    assert "--form scene shows no pictures" in written.stderr


def test_texts_are_not_written(arena, run):
    """A form of text and a place for pictures are one clear sentence, and so is a place that cannot be."""
    Path("file").write_text("", "utf-8")
    text = arena("replay", run, "-m", 1, "-o", "boards")
    place = arena("replay", run, "-m", 1, "--form", "image", "-o", "file")

    assert text.exit_code == place.exit_code == 2
    assert "--form text shows no pictures; leave out --output" in text.stderr
    assert "file/step-0.png: cannot be written" in place.stderr
    assert not Path("boards").exists()


def test_match_that_is_not_over_is_shown_so_far(arena, monkeypatch):
    """Of a match that a stop has cut off there are the turns that were played, and at the end how far it came."""
    monkeypatch.setattr("arena_engine.match.referee.VISIBLE_AFTER_S", 0.0)
    agents = {"model": {"use": "llm", "backend": {"use": "scripted"}}, "other": "random"}
    plain = {"games": {"ttt": "tic-tac-toe"}, "agents": agents, "limits": {"budget-calls": 2}, "seed": 3}
    Path("cut.yaml").write_text(json.dumps(plain))
    arena("run", "cut.yaml", "-q", "-o", "cut")

    done = arena("replay", "cut", "-m", 1)

    assert done.exit_code == 0, done.stderr
    assert "── turn 1 of " in done.stdout
    assert "── so far" in done.stdout
    assert "not over: " in done.stdout
    assert "ending: " not in done.stdout


def test_a_long_line_goes_on_set_in(arena):
    """What continues a long line begins no line of the page, so that it cannot look like a heading of the page."""
    said = " ".join([*["perhaps"] * 9, *["--- answer (gpt, stop)"] * 9])
    model = {"use": "llm", "backend": {"use": "scripted", "answers": [said]}}
    plain = {"games": {"ttt": "tic-tac-toe"}, "agents": {"model": model}, "schedule": "self-play"}
    Path("said.yaml").write_text(json.dumps(plain))
    arena("run", "said.yaml", "-q", "-o", "said")

    page = arena("replay", "said", "-m", 1, "-t", 1).stdout.splitlines()
    forged = [line for line in page if "--- answer (gpt" in line]

    assert len(forged) > 1
    assert not [line for line in forged if line.startswith("---")]
    assert any(line.startswith("--- answer (scripted") for line in page)

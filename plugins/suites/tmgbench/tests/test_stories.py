"""The way of a story from a writer through the verifier and a person into a benchmark."""

import json
from pathlib import Path
from typing import Any

import pytest
from arena_cli.application.group import group
from arena_engine import Journal
from arena_game_two_by_two.casting import tell
from arena_suite_tmgbench import review
from click.testing import CliRunner, Result

GOOD = {game: tell(game, 1).text for game in ("111", "122")}
WRITERS: dict[str, Any] = {
    "agents": {
        "fair": {"use": "scripted", "actions": ["Once upon a time.", GOOD["111"]]},
        "other": {"use": "scripted", "actions": [GOOD["122"]] * 9},
    }
}


def arena(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments], prog_name="arena")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two writers at game 111: one corrects its draft, one tells another game in every draft."""
    (tmp_path / "mine.yaml").write_text(json.dumps(WRITERS), encoding="utf-8")
    business = ("--set", "games.writing.topic=Business")
    chosen = ("--agents", tmp_path / "mine.yaml", "--game", "writing[game=111]", *business, "-q")
    done = arena("run", "suite:tmgbench-writing", *chosen, "-o", tmp_path / "run")
    assert done.exit_code == 0, done.stderr
    return tmp_path / "run"


def test_every_step_is_in_the_journal(run: Path):
    """Drafts, what the verifier found, and the verdict are events; a story that tells another game is rejected."""
    with Journal.open(run) as journal:
        kinds = {match.agents[0]: [e.kind for e in match.events if e.source == "game"] for match in journal.records()}

    assert kinds["fair"] == ["asked", "written", "verified", "written", "verified", "accepted"]
    assert kinds["other"] == ["asked", *["written", "verified"] * 9, "rejected"]


@pytest.mark.slow
def test_reviewed_stories_become_a_benchmark(run: Path, tmp_path: Path):
    """Accepted stories are asked as questions, which the solver answers rightly; rejected ones are written anew."""
    file, bench, again = tmp_path / "stories.yaml", tmp_path / "bench.yaml", tmp_path / "again.yaml"
    assert arena("tmgbench-stories", "review", run, "-o", file).exit_code == 0
    undecided = arena("tmgbench-stories", "use", file, "-o", bench)
    text = file.read_text(encoding="utf-8")
    entry = text[text.index("- game") :]
    file.write_text(
        text.replace("verdict: undecided", "verdict: accept") + entry.replace("verdict: undecided", "verdict: reject"),
        encoding="utf-8",
    )

    done = arena("tmgbench-stories", "use", file, "-o", bench, "--rewrite-rejected", again)
    (tmp_path / "nash.yaml").write_text("agents: {nash: {use: nash}}\n", encoding="utf-8")
    asked = arena("run", bench, "--agents", tmp_path / "nash.yaml", "-q", "-n", 1, "-o", tmp_path / "asked")
    planned = arena("run", again, "--agents", tmp_path / "mine.yaml", "--dry-run")

    assert undecided.exit_code == 2
    assert "no story has the verdict 'accept'" in " ".join(undecided.stderr.split())
    assert done.exit_code == 0, done.stderr
    assert asked.exit_code == 0, asked.stderr
    with Journal.open(tmp_path / "asked") as journal:
        assert [match.returns for match in journal.records()] == [(1.0,)]
    assert planned.exit_code == 0, planned.stderr
    assert "story-111-0" in planned.stdout + planned.stderr


def test_verdicts_are_kept(run: Path, tmp_path: Path):
    """Collecting again adds what is new and leaves verdicts that were given."""
    file = tmp_path / "stories.yaml"
    arena("tmgbench-stories", "review", run, "-o", file)
    file.write_text(file.read_text(encoding="utf-8").replace("undecided", "reject", 1), encoding="utf-8")

    done = arena("tmgbench-stories", "review", run, "-o", file)

    assert done.exit_code == 0
    assert [written.verdict for written in review.load(file)] == ["reject"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("verdict: undecided", "verdict: maybe", "[0]: verdict: expected undecided, accept, reject, got 'maybe'"),
        ("(4)", "(1)", "[0]: story: [Scenario]"),
        ("  topic: Business\n", "", "[0]: expected the keys"),
        ("- game: '111'", "- game: '999'", "[0]: game: no 2×2 game '999'"),
    ],
)
@pytest.mark.sample(fast=1)
def test_a_damaged_review_file_is_refused(old: str, new: str, fault: str, run: Path, tmp_path: Path):
    """Each mistake is named by its place; a story edited into another game is one."""
    file = tmp_path / "stories.yaml"
    arena("tmgbench-stories", "review", run, "-o", file)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")

    done = arena("tmgbench-stories", "use", file, "-o", tmp_path / "bench.yaml")

    assert done.exit_code == 2
    assert fault in " ".join(done.stderr.split())

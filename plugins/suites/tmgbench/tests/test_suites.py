import json
from pathlib import Path
from typing import Any

import arena
import pytest
from arena.catalog import Catalog
from arena.record import MatchRecord
from arena_cli.application.group import group
from arena_engine import Journal
from arena_engine.benchmark.documents import suites
from click.testing import CliRunner, Result

OURS = {
    "tmgbench": 864,
    "tmgbench-prompts": 144,
    "tmgbench-classic": 144,
    "tmgbench-story": 720,
    "tmgbench-sequential": 3,
    "tmgbench-parallel": 3,
    "tmgbench-nested": 1,
    "two-by-two-play": 144,
}


def command(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments], prog_name="arena")


def played(name: str, agents: str, place: Path, *more: str) -> list[MatchRecord]:
    """All matches of a suite with other agents."""
    (place / "mine.yaml").write_text(agents, encoding="utf-8")
    done = command("run", f"suite:{name}", "--agents", place / "mine.yaml", "-q", "-o", place / "run", *more)
    assert done.exit_code == 0, done.stderr
    with Journal.open(place / "run") as journal:
        return list(journal.records())


def test_all_suites_are_listed():
    """Each suite has its name and a version of its own."""
    found = {suite.name: suite.version for suite in suites(Catalog())}

    assert set(OURS) <= set(found)
    assert all(found[name] for name in OURS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tmgbench-classic", "tmgbench-sequential", "tmgbench-parallel", "tmgbench-nested"])
def test_the_solver_is_always_right(name: str, tmp_path: Path):
    """With the solver in the place of a model every match of every game is right."""
    matches = played(name, "agents: {nash: {use: nash}}\n", tmp_path, "-n", "1")

    assert len(matches) == OURS[name]
    assert len({match.game for match in matches}) == OURS[name]
    assert {match.returns for match in matches} == {(1.0,)}


REPLIES = {
    '```python\nanswer = [("A2", "B1")]\n```': [["A2", "B1"]],
    "My answer: [(b1, a2), (A2, B1)]": [["A2", "B1"]],
    "```\nanswer = []\n```": [],
    "The answer is A2 and B1.": None,
    "answer = [('A2', 'B7')]": None,
}


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.sample(fast=1)
def test_replies_are_read_or_wrong(reply: str, tmp_path: Path):
    """Lists are read in any of the documented ways; what cannot be read is asked for once, and is a forfeit."""
    agents = "agents: {model: {use: llm, prompt: {style: tmgbench-direct}, backend: {use: scripted, answers: [%s]}}}\n"
    (match,) = played(
        "tmgbench-classic", agents % json.dumps(reply), tmp_path, "-n", "1", "--game", "classic[game=111]"
    )

    actions = [event.data["action"] for event in match.events if event.kind == "played"]  # type: ignore[index,call-overload]

    assert actions == ([] if REPLIES[reply] is None else [REPLIES[reply]])
    assert match.ending.is_forfeit == (REPLIES[reply] is None)
    assert match.returns == ((1.0,) if REPLIES[reply] == [["A2", "B1"]] else (0.0,))


STYLED = """
agents:
  small: {use: llm, backend: {use: scripted, answers: ["answer = []"]}}
  thinker: {use: llm, tags: [reasons-itself], backend: {use: scripted, answers: ["answer = []"]}}
  nash: nash
"""


@pytest.mark.slow
def test_every_model_is_asked_in_all_styles(tmp_path: Path):
    """Whatever the agents are called: six styles of a model, one of a model that reasons itself, one of a solver."""
    matches = played("tmgbench-prompts", STYLED, tmp_path, "-n", "1", "--game", "classic[game=111]")

    asked = [match.agents[0] for match in matches]
    assert len([name for name in asked if name.startswith("small (tmgbench-")]) == 6
    assert [name for name in asked if not name.startswith("small")] == ["thinker (tmgbench-direct)", "nash"]


@pytest.mark.slow
def test_both_settings_are_one_suite(tmp_path: Path):
    """The suite of both settings has every table once and every story once for each repetition."""
    agents = "agents: {nash: {use: nash}}\n"
    matches = played(
        "tmgbench", agents, tmp_path, "-n", "1", "--game", "classic[game=111]", "--game", "story[game=111][story=2]"
    )

    assert sorted(match.game for match in matches) == ["classic[game=111]", "story[game=111][story=2]"]


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
def test_the_embedded_model_answers_the_classic_suite(tmp_path: Path):
    """Every game is asked once with a real model, every answer is accounted for, and the whole report renders."""
    place = tmp_path / "run"
    done = command(
        "run", "suite:tmgbench-classic", "-n", "1", "-q", "-o", place,
        "--set", "agents.smollm.backend.max-tokens=40",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr

    run = arena.load(place)
    sections: dict[str, Any] = {section.title: section for section in run.report().sections}

    assert len(run.matches) == 144
    assert sum(match.ending.is_result for match in run.matches) == 144
    table = sections["Equilibria of 2×2 games"].tables[0]
    model = next(row for row in table.rows if row[1] == "smollm")
    assert model[2:4] == (144, 144)
    assert len(sections["Maps of the 2×2 games"].figures) == 1
    shown = command("report", place, "--format", "html", "-o", tmp_path / "report.html")
    assert shown.exit_code == 0, shown.stderr
    assert "Prisoner" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.campaign
def test_prompts_begin_alike_in_all_games(tmp_path: Path):
    """Everything before the table itself is byte-identical over the 144 games, so that caches hold it."""
    agents = (
        "agents: {model: {use: llm, prompt: {style: tmgbench-direct}, backend: {use: scripted, answers: ['[]']}}}\n"
    )
    matches = played("tmgbench-classic", agents, tmp_path, "-n", "1")

    with Journal.open(tmp_path / "run") as journal:
        asked = [json.loads(answer.request) for match in matches for answer in journal.answers(match.id)]
    texts = ["".join(part for message in request["messages"] for part in message["parts"]) for request in asked]

    assert len(texts) == 144
    assert len({text[: text.index("| A1 |")] for text in texts}) == 1

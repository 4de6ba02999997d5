"""The suites spin-tracking and spin-recall, from the command line to what their pages say is recorded."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from arena_cli.application.group import group
from arena_engine import load_benchmark, plan_matches
from click.testing import CliRunner

QUESTIONS = {"spin-tracking": 90, "spin-recall": 900}


def command(*words: object) -> str:
    """What a command prints; it must succeed."""
    done = CliRunner().invoke(group, [str(word) for word in words], prog_name="arena")
    assert done.exit_code == 0, done.output
    return done.output


def judged(run: Path) -> list[dict[str, Any]]:
    """The data of all events ``judged`` of a run, as the command of the page exports them."""
    command("export", run, "--format", "jsonl", "--events", "--output", run / "matches.jsonl")
    matches = map(json.loads, (run / "matches.jsonl").read_text("utf-8").splitlines())
    return [json.loads(each["data"]) for match in matches for each in match["events"] if each["kind"] == "judged"]


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("suite", QUESTIONS)
def test_every_agent_gets_every_question_once(suite: str):
    """As many games as questions, each played once by each agent alone, with one try."""
    benchmark = load_benchmark(f"suite:{suite}")
    plans = plan_matches(benchmark)

    assert len({entry.game for entry in benchmark.games.values()}) == len(benchmark.games) == QUESTIONS[suite]
    assert Counter(plan.agents for plan in plans) == {("smollm",): QUESTIONS[suite], ("random",): QUESTIONS[suite]}
    assert (benchmark.illegal_actions.retries, benchmark.illegal_actions.then) == (0, "forfeit")


@pytest.mark.slow
def test_more_repeats_ask_the_same_questions_again(tmp_path: Path):
    """Each repeat asks all 90 scenes once, and what is asked does not depend on how many repeats there are."""
    agents = (
        "--agent",
        "random",
        "-q",
        "--set",
        "sweep={games.tracking.length: [3], games.tracking.number: [0, 1, 2]}",
    )
    command("run", "suite:spin-tracking", *agents, "-n", 1, "-o", tmp_path / "once")
    command("run", "suite:spin-tracking", *agents, "-n", 3, "-o", tmp_path / "thrice")

    once = {verdict["question"] for verdict in judged(tmp_path / "once")}
    assert Counter(verdict["question"] for verdict in judged(tmp_path / "thrice")) == dict.fromkeys(once, 3)
    assert len(once) == 3


@pytest.mark.slow
def test_tracking_of_its_page(tmp_path: Path):
    """Random guesses at all 90 scenes: one verdict each, right about as often as the page says."""
    run = tmp_path / "tracking"
    command("run", "suite:spin-tracking", "--agent", "random", "-q", "--output", run)

    found = judged(run)

    assert Counter(verdict["length"] for verdict in found) == dict.fromkeys(range(1, 31), 3)
    assert all(set(verdict) == {"question", "length", "valid", "answer", "truth"} for verdict in found)
    expected = sum(3 / (length + 1) ** 2 for length in range(1, 31))
    assert expected / 90 == pytest.approx(0.020, abs=0.0006)
    assert sum(verdict["valid"] for verdict in found) <= expected + 4 * math.sqrt(expected)


@pytest.mark.slow
def test_what_cannot_be_read_is_judged_after_one_try(tmp_path: Path):
    """A model that answers nothing is asked once for each scene, and every scene is judged as unanswered."""
    backend = {"use": "scripted", "answers": ["I have lost count."]}
    agents = {"agents": {"silent": {"use": "llm", "backend": backend, "constrained": False}}}
    (tmp_path / "mine.yaml").write_text(json.dumps(agents))
    run = tmp_path / "run"
    command("run", "suite:spin-tracking", "--agents", tmp_path / "mine.yaml", "-q", "--output", run)

    found = judged(run)

    assert len(found) == 90
    assert all((verdict["valid"], verdict["answer"]) == (False, None) for verdict in found)
    refusals = [json.loads(line)["refusals"] for line in (run / "matches.jsonl").read_text("utf-8").splitlines()]
    assert all(sum(kinds.values()) == 1 for kinds in refusals)


def test_recall_of_its_page(tmp_path: Path):
    """Random answers to questions of two lengths: one verdict each with F1, right about one in length + 1 times."""
    run = tmp_path / "recall"
    sweep = (
        "sweep={games.recall.domain: [elevator], games.recall.length: [2, 8], games.recall.number: [0, 1, 2, 3, 4, 5]}"
    )
    command("run", "suite:spin-recall", "--agent", "random", "-q", "--output", run, "--set", sweep)

    found = judged(run)

    assert Counter(verdict["length"] for verdict in found) == {2: 6, 8: 6}
    assert Counter(verdict["properties"] for verdict in found)[1] == 4
    assert all(verdict["valid"] is (verdict["f1"] == 1.0) for verdict in found)
    assert all(verdict["valid"] is not bool(verdict["missing"] or verdict["extra"]) for verdict in found)

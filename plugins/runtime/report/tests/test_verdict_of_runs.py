"""The verdict and the headline that a report of real runs has, and the order of its metrics."""

from pathlib import Path

import arena
import pytest
from arena_engine import Journal
from arena_report import build
from arena_report.content.judging import VerdictInput
from arena_report.formats.latex import render as latex
from arena_report.formats.markdown import render as markdown

BOARD = {
    "name": "board",
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"mcts": {"use": "mcts", "simulations": 30}, "dice": "random"},
    "schedule": {"use": "round-robin", "repeats": 6},
    "metrics": [],
    "seed": 5,
}


def report(tmp_path: Path, **changes):
    """The report of a run of ``BOARD`` with changes, built from its journal alone."""
    run = arena.run({**BOARD, **changes}, output=tmp_path / "run")
    with Journal.open(run.directory) as journal:
        return build([journal])


@pytest.mark.slow
def test_run_has_a_verdict_with_ratings(tmp_path):
    """A run whose benchmark names no metric is judged all the same."""
    made = report(tmp_path)

    mcts, dice = made.verdict.rows
    assert (mcts.agent, dice.agent) == ("mcts", "dice")
    assert mcts.matches == dice.matches == 12
    assert mcts.blocks == 6
    assert mcts.won + mcts.drawn + mcts.lost == 12
    assert dice.is_reference
    assert (mcts.rating or 0) > 1500 == dice.rating
    assert made.verdict.sentences == ("mcts > dice",)
    assert "Ratings" not in [section.title for section in made.sections]


@pytest.mark.slow
def test_headline_counts_what_was_played(tmp_path):
    """Matches, turns and models are those of the run; nothing was paid, so no money is named."""
    made = report(tmp_path)

    assert (made.headline.matches, made.headline.planned) == (12, 12)
    assert made.headline.turns > 60
    assert made.headline.illegal_turns == 0
    assert made.headline.models == ()
    assert made.headline.cost_usd is None


@pytest.mark.slow
def test_deterministic_agents_count_once(tmp_path):
    """Agents that leave nothing to chance play one match in each order of seats, however often it is repeated."""
    made = report(tmp_path, agents={"first": "first-legal", "last": {"use": "first-legal"}})

    assert made.verdict.rows[0].matches == 2
    assert "of 12 played, 2 are different and count" in made.verdict.doubts[0]
    assert made.verdict.sentences == ("No clear winner yet: first and last did equally well",)


def test_agents_that_play_at_random_are_known_by_their_plugin(tmp_path):
    """Who cannot be told apart from random play is named, whatever the agent that plays at random is called."""
    made = report(tmp_path, agents={"guess": "first-legal", "dice": "random"}, schedule={"use": "round-robin"})

    assert "not told apart from random play: guess" in made.verdict.doubts


@pytest.mark.slow
def test_illegal_answers_and_forfeits_cast_doubt(tmp_path):
    """Illegal answers are told as a share of turns, and forfeits by agent."""
    answers = {"use": "scripted", "answers": ["nonsense"]}
    made = report(
        tmp_path,
        agents={"model": {"use": "llm", "backend": answers}, "dice": "random"},
        schedule={"use": "round-robin"},
    )

    doubts = "; ".join(made.verdict.doubts)
    assert "ended by their own invalid answers: model 2 of 2 (100 %)" in doubts
    assert "illegal answers: model" in doubts
    assert "% of" in doubts


@pytest.mark.slow
def test_failures_are_told_first(tmp_path):
    """Where no match has a result the sentence says why, and nothing else is shown."""
    answers = {"use": "scripted", "faults": [{"kind": "connection", "share": 1.0}], "max-attempts": 1}
    made = report(tmp_path, agents={"model": {"use": "llm", "backend": answers}, "dice": "random"})

    assert made.verdict.sentences[0].startswith("No match has a result: ")
    assert made.verdict.rows == ()
    assert made.verdict.doubts[0].startswith("12 matches failed")


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("metrics", [["costs", "illegal-actions", "outcomes"], ["outcomes", "illegal-actions"]])
def test_results_come_before_what_limits_them(tmp_path, metrics):
    """Sections are in the order of the metrics' descriptors, in whatever order a benchmark names them."""
    titles = [section.title for section in report(tmp_path, metrics=metrics).sections]

    assert titles.index("Outcomes") < titles.index("How matches ended") < titles.index("Illegal actions")


@pytest.mark.slow
def test_documents_begin_with_the_verdict(tmp_path):
    """Markdown and LaTeX say who is better before any table of a metric."""
    made = report(tmp_path, metrics=["outcomes"])
    said = made.verdict.sentences[0]

    told = markdown(made).replace("\\", "")
    assert told.index(said) < told.index("### Ranking") < told.index("## Outcomes")
    assert latex(made).index("% verdict") < latex(made).index("% Outcomes")


@pytest.mark.slow
def test_matches_that_a_forfeit_decided_can_be_left_out(tmp_path):
    """With ``forfeits="without"`` such matches are in no comparison, and the verdict says so."""
    answers = {"use": "scripted", "answers": ["nonsense"]}
    agents = {"model": {"use": "llm", "backend": answers}, "dice": "random"}
    run = arena.run({**BOARD, "agents": agents, "schedule": {"use": "round-robin"}}, output=tmp_path / "run")
    with Journal.open(run.directory) as journal:
        made = build([journal], forfeits="without")

    assert made.verdict.sentences == (
        "No match has a result: all were decided by a forfeit, and such matches were not to count.",
    )


def test_reports_without_runs_have_no_verdict():
    """What is collected from no match at all is the sentence that nothing has a result."""
    found = VerdictInput().verdict([], {}, [], [], level=0.95, factors={})

    assert found.sentences == ("No match has a result: none was planned.",)

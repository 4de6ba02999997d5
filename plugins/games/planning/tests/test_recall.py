"""Factual recall: trajectories, questions, answers, and what is recorded of them."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Illegal
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending, canonical_json
from arena.testing import check_game, playing
from arena_agent_llm.agent import LLM
from arena_backend_scripted.backend import Scripted
from arena_game_planning.pddl import is_applicable, read_domain, read_problem
from arena_game_planning.questions.recall import (
    LENGTHS,
    QUESTIONS,
    RECALL_DOMAINS,
    FactualRecall,
    RecallDomain,
    RecallQuestion,
    read_atom,
    recall_question,
    recall_questions,
)
from arena_game_planning.questions.walks import walk
from arena_testing.fixtures.play_match import play

SWITCHES = """
(define (domain switches)
  (:predicates (on ?s) (off ?s) (wired ?s) (broken ?s))
  (:action press
    :parameters (?s)
    :precondition (and (wired ?s) (off ?s))
    :effect (and (on ?s) (not (off ?s))))
  (:action smash
    :parameters (?s)
    :precondition (and (on ?s) (broken ?s))
    :effect (not (on ?s))))
"""


def answer_to(text: str) -> list[str]:
    """The answer to a question, found in its text alone by adding and removing facts as each step says."""
    first, *rest = text.splitlines()
    facts = set(re.findall(r"\([^()]*\)", first))
    asked = re.fullmatch(r"Which facts whose name is (.*) are true after step (\d+)\?", rest[-1])
    assert asked
    kinds = re.split(r", | or ", asked[1])
    for line in rest:
        if line == f"Step {int(asked[2]) + 1}:" or line.startswith(f"Step {int(asked[2]) + 1}: "):
            break
        told = set(re.findall(r"\([^()]*\)", line))
        if line.startswith("  became true: "):
            facts |= told
        elif line.startswith("  became false: "):
            facts -= told
    return sorted(fact for fact in facts if fact[1:-1].split()[0] in kinds)


def check(questions: Iterable[RecallQuestion]) -> None:
    """The answer that follows from a question's text is the one that is held to be right."""
    for question in questions:
        verdict = question.judged(answer_to(question.text))
        assert verdict["valid"] is True, (question.name, verdict)
        assert (verdict["f1"], verdict["missing"], verdict["extra"]) == (1.0, [], [])


def verdict_of(record: Any) -> Any:
    """The data of the one event ``judged``."""
    (event,) = [event for event in record.events if event.kind == "judged"]
    assert event.to is None
    return event.data


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("domain", RECALL_DOMAINS)
def test_questions_are_answered_from_their_text(domain: RecallDomain):
    """Adding and removing what each step says leads to the right answer, for three questions of each length."""
    check(recall_question(domain, length, number) for length in LENGTHS for number in (0, 9, 19))


@pytest.mark.campaign
@pytest.mark.timeout(300)
def test_all_questions_are_answered_from_their_text():
    """All 900 are answered so; they are different, and about a third asks for one property."""
    found = recall_questions()

    check(found)
    assert len(found) == len({question.text for question in found}) == len({question.name for question in found}) == 900
    assert set(Counter((question.domain, question.length) for question in found).values()) == {QUESTIONS}
    assert {question.asked_step for question in found if question.length == 4} == {1, 2, 3, 4}
    singles = sum(len(question.asked) == 1 for question in found)
    assert 300 <= singles <= 330  # on short walks through the grid nothing may change but where the robot is


@pytest.mark.parametrize("domain", RECALL_DOMAINS)
def test_questions_of_a_length_are_about_different_tasks(domain: RecallDomain):
    """The twenty of one length begin differently, so no two can be equal."""
    starts = {recall_question(domain, 2, number).text.split("Step 1")[0] for number in range(QUESTIONS)}

    assert len(starts) == QUESTIONS


@pytest.mark.parametrize("domain", RECALL_DOMAINS)
def test_properties_can_be_asked_for_by_number(domain: RecallDomain):
    """One, three or all of the properties that can change are asked for, and none that never does."""
    found = {m: recall_question(domain, 20, 3, m) for m in (1, 3, "all")}

    assert [len(found[1].asked), len(found[3].asked)] == [1, 3]
    assert len(found["all"].asked) >= 3
    for question in found.values():
        assert not set(question.asked) & set(re.findall(r"\(([\w-]+)", question.text.splitlines()[1]))


def test_seeds_give_other_questions_and_the_same_everywhere():
    """Another seed tells another trajectory; another process makes the same bytes."""
    program = (
        "from arena_game_planning.questions.recall import *\nprint(recall_question('elevator', 6, 2, seed=3).text)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    question = recall_question("elevator", 6, 2, seed=3)

    assert done.stdout == question.text + "\n"
    assert question.text != recall_question("elevator", 6, 2).text


def switches(*facts: str) -> Any:
    """A problem with two switches."""
    text = f"(define (problem two) (:domain switches) (:objects a b) (:init {' '.join(facts)}) (:goal (on a)))"
    return read_problem(read_domain(SWITCHES), text)


def test_a_property_is_mutable_if_some_action_on_the_walk_changes_it():
    """What no action changes is not, nor what an action could change that is never applicable on the walk."""
    found = walk(switches("(off a)", "(off b)", "(wired a)", "(wired b)", "(broken b)"), 1, Random(1))
    none = walk(switches("(off a)", "(wired a)"), 1, Random(1))

    assert found.mutable() == none.mutable() == ("off", "on")


def test_walks_are_legal_and_prefer_the_goal():
    """Every step can be done where it is done, and of two steps the one to the goal is nearly always the first."""
    problem = switches("(off a)", "(off b)", "(wired a)", "(wired b)")
    walks = [walk(problem, 2, Random(seed)) for seed in range(40)]

    for found in walks:
        assert all(is_applicable(problem, state, step) for state, step in zip(found.states, found.steps, strict=False))
    assert sum(found.steps[0] == ("press", "a") for found in walks) == 40


def test_a_walk_that_cannot_be_long_enough_is_refused():
    """Two switches are two steps; a third is none, and that is said."""
    with pytest.raises(RuleError, match="no walk of 3 steps"):
        walk(switches("(off a)", "(off b)", "(wired a)", "(wired b)"), 3, Random(1))


QUESTION = RecallQuestion(
    name="a question",
    domain="elevator",
    text="?",
    asked_step=1,
    asked=("at", "empty"),
    moments=(frozenset({("empty", "t")}), frozenset({("at", "t", "d"), ("at", "p", "d")}), frozenset()),
)


@pytest.mark.parametrize(
    ("answer", "f1", "precision", "recall", "missing", "extra"),
    [
        (["(at t d)", "(at p d)"], 1, 1, 1, [], []),
        (["at P d", " ( AT t  d ) ", "(at t d)"], 1, 1, 1, [], []),
        (["(at t d)"], 2 / 3, 1, 1 / 2, ["(at p d)"], []),
        (["(at t d)", "(at p d)", "(empty t)"], 4 / 5, 2 / 3, 1, [], ["(empty t)"]),
        (["(nothing like it)"], 0, 0, 0, ["(at p d)", "(at t d)"], ["(nothing like it)"]),
        ([], 0, 0, 0, ["(at p d)", "(at t d)"], []),
        (None, 0, 0, 0, ["(at p d)", "(at t d)"], []),
    ],
)
def test_answers_are_compared_as_sets(
    answer: Any, f1: float, precision: float, recall: float, missing: list[str], extra: list[str]
):
    """Order, case, spaces and repetitions do not matter; what is missing and what is too much is named."""
    verdict = QUESTION.judged(answer)

    assert verdict["valid"] is (f1 == 1)
    assert [verdict[key] for key in ("f1", "precision", "recall")] == pytest.approx([f1, precision, recall])
    assert (verdict["missing"], verdict["extra"]) == (missing, extra)
    assert (verdict["question"], verdict["length"], verdict["asked_step"], verdict["properties"]) == (
        "a question",
        2,
        1,
        2,
    )


def test_nothing_is_the_right_answer_where_nothing_is_true():
    """An empty list is right then; no answer at all is not."""
    question = RecallQuestion(name="n", domain="grid", text="?", asked_step=2, asked=("at",), moments=QUESTION.moments)

    assert question.judged([]) == {**question.judged([]), "valid": True, "f1": 1.0, "precision": 1.0, "recall": 1.0}
    assert question.judged(None) == {
        **question.judged(None),
        "valid": False,
        "f1": 0.0,
        "precision": 0.0,
        "recall": 0.0,
    }
    assert question.judged(["(at t d)"])["f1"] == 0


@pytest.mark.parametrize(
    "answer",
    [None, "(at t d)", {"at": "t"}, [1], [["at", "t"]], ["at(t, d)"], ["(at t d"], [""], ["()"], ["(a)"] * 501],
)
def test_what_is_no_list_of_facts_is_refused(answer: Any):
    """Only a list of atoms is an answer; the reason says what one looks like."""
    found = QUESTION.refused(answer)

    assert isinstance(found, Illegal)
    assert "list" in found.reason or "(at truck1 depot2)" in found.reason


def test_a_guess_is_a_moment_of_the_trajectory():
    """The reference guesses what held at a moment drawn evenly, so one in three is right here."""
    rng = Random(5)
    guesses = Counter(frozenset(map(read_atom, QUESTION.sample(rng))) for _ in range(900))

    assert set(guesses) == set(QUESTION.moments)
    assert all(240 < number < 360 for number in guesses.values())


def test_right_and_wrong_answers_are_judged(tmp_path: Path):
    """Who answers from the text earns 1; who leaves a fact out earns 0, and the event says which."""
    game = FactualRecall("elevator", 10, 4, "all")
    right = answer_to(recall_question("elevator", 10, 4, "all").text)

    good = play(game, [playing(right)], tmp_path / "good").over
    bad = play(game, [playing(right[1:])], tmp_path / "bad").over

    assert (good.returns, bad.returns) == ((1.0,), (0.0,))
    assert verdict_of(good)["valid"] is True
    assert verdict_of(bad) == {
        **verdict_of(good),
        "valid": False,
        "f1": pytest.approx(2 * (len(right) - 1) / (2 * len(right) - 1)),
        "recall": pytest.approx(1 - 1 / len(right)),
        "missing": right[:1],
    }


def test_answers_of_models_are_read_by_the_one_reader(tmp_path: Path):
    """One clear object is the answer; of two different ones none is taken, and that is judged as no answer."""
    right = answer_to(recall_question("elevator", 4, 0).text)
    clear, other = canonical_json({"action": right}), canonical_json({"action": ["(lift-at nowhere f9)"]})
    records = {
        text: play(
            FactualRecall("elevator", 4, 0),
            [LLM(backend=Scripted(answers=(text,)), constrained=False)],
            tmp_path / str(len(text)),
            illegal_actions=IllegalActionPolicy(retries=0),
        ).over
        for text in (clear, f"{other}\n{clear}")
    }

    first, second = records.values()
    assert verdict_of(first)["valid"] is True
    assert (second.ending, second.returns, verdict_of(second)["valid"]) == (Ending.RULES, (0.0,), False)
    assert [event.data["kind"] for event in second.refused()] == ["ambiguous"]


@pytest.mark.parametrize("playouts", [3, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=1)
@pytest.mark.parametrize("game", [FactualRecall(), FactualRecall("elevator", 30, 19, seed=2)])
def test_keeps_the_contract_of_games(game: FactualRecall, playouts: int | None):
    """Drawn or given, a question is a game like any other."""
    check_game(game, playouts=playouts)


def test_drawn_questions_are_among_the_nine_hundred():
    """Chance draws domain, length and number of the suite; what is given stays."""
    for seed in range(12):
        state, (asked,) = FactualRecall("elevator").start(Chance(seed), 1)
        name = re.fullmatch(r"elevator, (\d+) steps, question (\d+)", asked.data["question"])
        assert name
        assert state.observe(None) == {"question": recall_question("elevator", int(name[1]), int(name[2]) - 1).text}
        assert int(name[1]) in LENGTHS

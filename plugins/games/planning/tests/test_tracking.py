"""Spatial tracking: scenes, answers, and what is recorded of them."""

import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.game import Illegal
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending, canonical_json
from arena.testing import check_game, playing
from arena_agent_llm.agent import LLM
from arena_backend_scripted.backend import Scripted
from arena_game_planning.questions.tracking import MOVES, SpatialTracking, TrackingQuestion, scene, scenes
from arena_testing.fixtures.play_match import play


def verdict(record: Any) -> Any:
    """The data of the one event ``judged``."""
    (event,) = [event for event in record.events if event.kind == "judged"]
    assert event.to is None
    return event.data


def test_there_are_ninety_scenes_and_no_two_are_equal():
    """Three scenes for each length from 1 to 30, which start within five steps of the origin."""
    found = scenes()

    assert Counter(len(question.moves) for question in found) == dict.fromkeys(range(1, 31), 3)
    assert len({question.text for question in found}) == len({question.name for question in found}) == 90
    assert all(max(map(abs, question.start)) <= 5 for question in found)
    assert {move for question in found for move in question.moves} == set(MOVES)


def test_scenes_of_a_length_never_repeat():
    """A hundred scenes of one move are a hundred different ones, though there are only 484."""
    found = {(question.start, question.moves) for question in (scene(1, number) for number in range(100))}

    assert len(found) == 100


def test_seeds_give_other_scenes_and_the_same_everywhere():
    """Another seed shares no text of 30 moves; another process makes the same bytes."""
    program = (
        "from arena_game_planning.questions.tracking import scenes\n"
        "print(*[question.text for question in scenes(3)], sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == [question.text for question in scenes(3)]
    assert not {scene(30, n).moves for n in range(3)} & {scene(30, n, 3).moves for n in range(3)}


def test_the_truth_is_where_the_moves_lead():
    """Counted another way, by how often each move occurs, all 90 scenes have the same end."""
    for question in scenes():
        count = Counter(question.moves)
        x, y = question.start
        assert question.truth == (x + count["right"] - count["left"], y + count["up"] - count["down"])


def test_up_adds_to_y_and_the_question_says_so():
    """One of each: the directions are as the text explains them."""
    question = TrackingQuestion("a scene", (2, -3), ("up", "up", "right"))

    assert question.truth == (3, -1)
    assert "(2, -3). Up adds 1 to y, down takes 1 from y, right adds 1 to x, left takes 1 from x." in question.text
    assert "3 moves follow: up, up, right." in question.text


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_guess_is_uniform_over_what_can_be_reached(length: int):
    """Every reachable place, and no other, is guessed, and equally often; so 1 of (n + 1)² guesses is right."""
    question, rng = scene(length, 0), Random(7)
    reachable = {question.start}
    for _ in range(length):
        reachable = {(x + dx, y + dy) for x, y in reachable for dx, dy in MOVES.values()}
    draws = 400 * len(reachable)

    found = Counter(tuple(question.sample(rng)) for _ in range(draws))

    assert set(found) == reachable
    assert len(reachable) == (length + 1) ** 2
    assert all(abs(n - 400) < 6 * math.sqrt(400) for n in found.values())


@pytest.mark.parametrize(
    "answer", [None, 3, "3, 4", [3], [1, 2, 3], ["1", "2"], [1.0, 2.0], [True, False], {"x": 1, "y": 2}, [[1], 2]]
)
def test_what_is_no_pair_of_whole_numbers_is_refused(answer: Any):
    """Only two whole numbers are an answer; the reason says what one looks like."""
    state, _ = SpatialTracking().start(Chance(1), 1)

    found = state.check(state.to_act()[0], answer)

    assert isinstance(found, Illegal)
    assert "two whole numbers" in found.reason


def test_right_and_wrong_answers_are_judged(tmp_path: Path):
    """The event says question, length, answer and truth, and the return follows."""
    question = scene(12, 1)
    right, wrong = list(question.truth), [question.truth[0], question.truth[1] + 1]

    good = play(SpatialTracking(12, 1), [playing(right)], tmp_path / "good").over
    bad = play(SpatialTracking(12, 1), [playing(wrong)], tmp_path / "bad").over

    assert verdict(good) == {
        "question": "scene 2 of length 12", "length": 12, "valid": True, "answer": right, "truth": right
    }  # fmt: skip
    assert (verdict(bad)["valid"], verdict(bad)["answer"]) == (False, wrong)
    assert (good.returns, bad.returns) == ((1.0,), (0.0,))


def answered(text: str, directory: Path, retries: int = 0) -> Any:
    """The record of one scene that a model answered with ``text``."""
    agent = LLM(backend=Scripted(answers=(text,)), constrained=False)
    return play(SpatialTracking(3, 0), [agent], directory, illegal_actions=IllegalActionPolicy(retries=retries)).over


def test_answers_of_models_are_read_by_the_one_reader(tmp_path: Path):
    """One clear object is the answer; of two different ones none is taken, not the last either."""
    truth = list(scene(3, 0).truth)
    right, other = canonical_json({"action": truth}), canonical_json({"action": [9, 9]})

    clear = answered(f"I see the start. I follow the moves. I see the end.\n\n{right}", tmp_path / "clear")
    several = answered(f"{other}\n{right}", tmp_path / "several")

    assert verdict(clear)["valid"] is True
    assert verdict(several) == {**verdict(clear), "valid": False, "answer": None}
    assert [event.data["kind"] for event in several.refused()] == ["ambiguous"]


def test_no_answer_is_judged_as_none(tmp_path: Path):
    """Who has not answered after the last retry earns 0, and the event says that there was no answer."""
    record = answered("I do not know.", tmp_path, retries=2)

    assert record.ending is Ending.RULES
    assert (record.returns, record.forfeited, len(list(record.refused()))) == ((0.0,), (0,), 3)
    assert (verdict(record)["valid"], verdict(record)["answer"]) == (False, None)


@pytest.mark.parametrize("playouts", [3, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=4)
@pytest.mark.parametrize("game", [SpatialTracking(), SpatialTracking(30, 2, seed=5), SpatialTracking(length=1)])
def test_keeps_the_contract_of_games(game: SpatialTracking, playouts: int | None):
    """Drawn or given, a scene is a game like any other."""
    check_game(game, playouts=playouts)


def test_drawn_scenes_are_among_the_ninety():
    """Chance draws only scenes of the suite, and over many matches nearly all of them."""
    known = {question.text for question in scenes()}
    drawn = {SpatialTracking().start(Chance(n), 1)[0].observe(None)["question"] for n in range(600)}

    assert drawn <= known
    assert len(drawn) > 80

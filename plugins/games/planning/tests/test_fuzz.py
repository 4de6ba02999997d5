"""Texts that nobody meant: whatever is read, there is a verdict or a sentence, and never an exception or a hang."""

import time
from random import Random

import pytest
from arena_game_planning import PlanVerdict, validate
from arena_game_planning.pddl import PddlError, applicable, read_domain, read_problem

from .small_tasks import SMALL

_WORDS = """
( ) ( ) ( ) - ?x ?y a b t v 1 0.5 -3 = < >= + * / and or not when forall exists imply either object
define domain problem :types :predicates :functions :action :init :goal :metric :objects :constants
increase assign scale-up minimize number total-cost total-time on at in fuel :effect :precondition
preference :durative-action :derived ; \x00 \u2028 é ß İ 💥 [1] 3:
"""
WORDS = _WORDS.split(" ")


def mangled(text: str, rng: Random) -> str:
    """A text in which some words were dropped, doubled, swapped, replaced or cut off."""
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(words) or 1)
        match rng.randrange(6):
            case 0:
                del words[at : at + 1]
            case 1:
                words[at:at] = words[at : at + rng.randrange(1, 6)]
            case 2 if words:
                other = rng.randrange(len(words))
                words[at], words[other] = words[other], words[at]
            case 3:
                words[at : at + 1] = [rng.choice(WORDS)]
            case 4:
                words.insert(at, rng.choice(WORDS))
            case _:
                words = words[: rng.randrange(len(words) + 1)] if rng.random() < 0.3 else words
    return " ".join(words)


def try_texts(count: int, seed: int) -> dict[str, int]:
    """How many of so many texts were refused, judged, and expanded; an exception of another kind fails the test."""
    rng, said = Random(seed), {"refused": 0, "judged": 0, "valid": 0}
    for _ in range(count):
        task = rng.choice(SMALL)
        domain = mangled(task.domain, rng) if rng.random() < 0.5 else task.domain
        problem = mangled(task.problem, rng) if rng.random() < 0.5 else task.problem
        plan = mangled(task.plan, rng) if rng.random() < 0.7 else task.plan
        began = time.process_time()
        try:
            verdict = validate(domain, problem, plan, trace=True)
            if rng.random() < 0.2:
                read = read_problem(read_domain(domain), problem)
                assert all(len(step) >= 1 for step in applicable(read, read.initial))
        except PddlError:
            said["refused"] += 1
        else:
            assert isinstance(verdict, PlanVerdict)
            assert verdict.valid == (verdict.error_class is None)
            assert (verdict.reason is None) == verdict.valid
            said["judged"] += 1
            said["valid"] += verdict.valid
        assert time.process_time() - began < 5, (domain, problem, plan)
    return said


@pytest.mark.campaign
def test_five_thousand_texts():
    """Of 5,000 mangled tasks and plans, many are refused and many judged, some even valid."""
    said = try_texts(5_000, 1)

    assert said["refused"] > 1_000
    assert said["judged"] > 1_000
    assert said["valid"] > 100


@pytest.mark.campaign
def test_two_hundred_thousand_texts():
    """The same with 200,000 texts and other seeds."""
    assert sum(try_texts(10_000, seed)["judged"] for seed in range(2, 22)) > 40_000

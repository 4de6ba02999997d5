"""Players without a model: what they play in whole plans and step by step."""

from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from arena.agent import Agent
from arena.errors import ConfigError
from arena.record import Ending, MatchRecord
from arena.testing import REFERENCE_GAME, check_agent, play
from arena_agent_planning.programs import Enhsp, FastDownward
from arena_agent_planning.reference import Reference
from arena_agent_planning.walks import Greedy, RandomWalk, hill_climb, random_walk
from arena_game_planning.pddl import apply, goal_holds, is_applicable, read_domain, read_problem
from arena_game_planning.playing.game import Planning, TaskSource
from arena_game_planning.tasks.shipped import task

DOMAINS = ("blocksworld", "elevator", "logistics", "rovers", "satellite", "briefcaseworld")


def judged(record: MatchRecord) -> dict[str, Any]:
    """The event that says how the player did."""
    (event,) = (event for event in record.events if event.kind == "judged")
    return cast("dict[str, Any]", event.data)


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("mode", ["plan", "steps"])
@pytest.mark.parametrize("disguise", [None, "words", "letters"])
def test_reference_solves_every_task(mode: Any, disguise: Any, tmp_path: Path):
    """The reference plan is valid in both modes, also where the task is drawn and all its names are replaced."""
    tasks = tuple(f"{domain}#{number}" for domain in DOMAINS for number in (1, 4))
    game = Planning(tasks=tasks, mode=mode, disguise=disguise)

    records = [play(game, [Reference()], tmp_path / str(seed), seed=seed).over for seed in range(6)]

    assert all(record.returns == (1.0,) for record in records)
    assert all(judged(record)["length"] == judged(record)["reference_length"] for record in records)
    assert len({judged(record)["task"] for record in records}) > 2


def test_reference_has_no_plan_for_a_task_without_one(tmp_path: Path):
    """A task of one's own without a plan beside it gets no answer, and the reason says so."""
    shown = task("blocksworld", 1)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "domain.pddl").write_text(shown.domain_text)
    (tmp_path / "mine" / "one.pddl").write_text(shown.problem_text)
    game = Planning(tasks=TaskSource(folder=str(tmp_path / "mine")))

    record = play(game, [Reference()], tmp_path / "run").over

    assert record.returns == (0.0,)
    assert "no reference plan is known for one.pddl" in str([event.data for event in record.refused()])


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("agent", [RandomWalk(steps=30), Greedy(steps=30)])
@pytest.mark.parametrize("mode", ["plan", "steps"])
def test_walks_keep_the_contract(agent: Agent, mode: Any):
    """Walkers play legal actions, and the same ones again from the same seed."""
    check_agent(agent, Planning(tasks="rovers#1", mode=mode), matches=1, is_legal=True)


def test_reference_keeps_the_contract():
    """The reference plays the same again."""
    check_agent(Reference(), Planning(tasks="rovers#1", mode="steps"), matches=1)


@pytest.mark.parametrize("walk", [random_walk, hill_climb])
def test_a_walk_can_be_walked(walk: Any):
    """Each step of a walk can be done in its turn, and it is over when the goal holds."""
    for domain in DOMAINS:
        shown = task(domain, 3)
        problem = read_problem(read_domain(shown.domain_text), shown.problem_text)
        state = problem.initial
        for step in walk(problem, 40, Random(5)):
            assert not goal_holds(problem, state)
            assert is_applicable(problem, state, step)
            state = apply(problem, state, step)


@pytest.mark.slow
def test_greedy_solves_what_a_random_walk_does_not(tmp_path: Path):
    """Where every part of the goal can be met for itself, climbing hills is better than walking at random."""
    found = {}
    for agent in (Greedy(), RandomWalk()):
        won = 0.0
        for number in range(1, 21, 2):
            game = Planning(tasks=f"logistics#{number}")
            record = play(game, [agent], tmp_path / f"{type(agent).__name__}{number}").over
            won += (record.returns or (0.0,))[0]
        found[type(agent)] = won

    assert found[Greedy] >= 6
    assert found[Greedy] >= found[RandomWalk] + 2


def test_a_greedy_walk_never_comes_back():
    """Hill climbing visits no state twice, so it cannot go in circles on a plain."""
    shown = task("logistics", 40)
    problem = read_problem(read_domain(shown.domain_text), shown.problem_text)
    states = [problem.initial]
    for step in hill_climb(problem, 60, Random(1)):
        states.append(apply(problem, states[-1], step))

    assert len(states) > 20
    assert len({state.changing for state in states}) == len(states)


def test_a_walk_that_is_over_goes_on_at_random(tmp_path: Path):
    """In single steps a walker of few steps does not give up when its walk is over."""
    game = Planning(tasks="blocksworld#30", mode="steps")

    record = play(game, [RandomWalk(steps=3)], tmp_path / "run").over

    assert record.ending is Ending.RULES
    assert judged(record)["error_class"] == "goal"
    assert judged(record)["length"] == 4 * judged(record)["reference_length"] + 20


@pytest.mark.parametrize("agent", [Reference(), RandomWalk(), Greedy(), FastDownward(), Enhsp()])
def test_only_planning_is_played(agent: Agent):
    """In another game a player of planning says so before anything is played."""
    with pytest.raises(ConfigError, match="the game 'planning' alone"):
        agent.needs(REFERENCE_GAME, 2)

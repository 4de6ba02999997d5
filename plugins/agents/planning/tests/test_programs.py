"""Planners of one's own: what is played of what they print, and what becomes of one that fails."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from arena.agent import Agent
from arena.errors import ConfigError
from arena.record import Ending, MatchRecord
from arena.testing import PlayedMatch
from arena_agent_planning.programs import Enhsp, FastDownward
from arena_engine import build_benchmark
from arena_game_planning.commands.planners import PlannerMissing, find_planner
from arena_game_planning.playing.game import Planning
from arena_game_planning.tasks.shipped import task

Play = Callable[..., PlayedMatch]
BOTH = pytest.mark.parametrize("planner", [FastDownward, Enhsp])


def reference(name: str = "blocksworld") -> str:
    """The reference plan of the first task of a domain."""
    plan = task(name, 1).plan
    assert plan is not None
    return "\n".join(plan)


def refused(record: MatchRecord) -> list[tuple[str, str]]:
    """Kind and reason of each refusal."""
    return [(cast("Any", event.data)["kind"], cast("Any", event.data)["reason"]) for event in record.refused()]


def is_running(process: int) -> bool:
    """Whether a process has not ended; one that waits to be collected has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.sample(fast=3)
@BOTH
@pytest.mark.parametrize("word", ["plan", "chatter"])
@pytest.mark.parametrize("mode", ["plan", "steps"])
def test_what_a_planner_prints_is_played(play: Play, scripted: Any, planner: Any, word: str, mode: Any):
    """The printed plan is the answer, or is done step by step, however much else was printed; it is asked for once."""
    program = scripted(word, reference())

    played = play(Planning(tasks="blocksworld#1", mode=mode), [planner(program=program.program)])

    assert played.over.returns == (1.0,)
    assert len(program.calls()) == len(played.answers) == 1
    assert "domain.pddl" in program.calls()[0]


def test_a_resumed_match_asks_no_planner(play: Play, scripted: Any):
    """What a planner printed is in the journal, so the same match needs no planner any more."""
    program = scripted("plan", reference())
    game, agent = Planning(tasks="blocksworld#1"), FastDownward(program=program.program)

    first = play(game, [agent])
    again = play(game, [agent], directory=Path(program.program).parent / "again", answers=first.answers)

    assert again.over == first.over
    assert len(program.calls()) == 1


def test_wrong_plan_is_a_result(play: Play, scripted: Any):
    """A plan that does not solve the task is judged like anybody's."""
    program = scripted("plan", "(fly b1)")

    record = play(Planning(tasks="blocksworld#1"), [FastDownward(program=program.program)]).over

    assert record.returns == (0.0,)
    assert refused(record) == []


@pytest.mark.sample(fast=1)
@BOTH
def test_late_planner_is_killed_with_its_children(play: Play, scripted: Any, planner: Any, monkeypatch: Any):
    """A planner without a plan in time is killed with what it started, and has given no answer."""
    monkeypatch.setattr("arena_game_planning.commands.planners._GRACE_S", 0)
    program = scripted("late")
    began = time.monotonic()

    record = play(Planning(tasks="blocksworld#1"), [planner(program=program.program, limit_s=1)]).over

    kind, reason = refused(record)[0]
    assert (kind, record.returns) == ("late", (0.0,))
    assert reason == f"{planner.planner}: no plan within 1 s"
    assert not is_running(program.child())
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("word", "reason"),
    [("unsolvable", "it proved that no plan exists"), ("unread", "exit code 31: numbers are not supported")],
)
def test_planner_without_a_plan_gives_no_answer(play: Play, scripted: Any, word: str, reason: str):
    """No plan is no answer, and the record says why there is none; the planner is not asked again."""
    program = scripted(word)

    record = play(Planning(tasks="blocksworld#1"), [FastDownward(program=program.program)]).over

    assert refused(record)[0] == ("empty", f"fast-downward: {reason}")
    assert record.ending is not Ending.INFRASTRUCTURE_FAILURE
    assert len(program.calls()) == 1


@BOTH
def test_planner_that_dies_is_no_result(play: Play, scripted: Any, planner: Any):
    """A planner that crashes is a failure of the infrastructure, which says what was printed last."""
    played = play(Planning(tasks="blocksworld#1"), [planner(program=scripted("die").program)])

    assert played.over.ending is Ending.INFRASTRUCTURE_FAILURE
    assert played.over.failure is not None
    assert "went wrong: exit code 32: out of cheese" in played.over.failure.reason
    assert played.answers == ()


def test_program_that_cannot_be_started(play: Play, tmp_path: Path):
    """A file that is no program is named."""
    (tmp_path / "planner").write_text("")

    played = play(Planning(tasks="blocksworld#1"), [FastDownward(program=str(tmp_path / "planner"))])

    assert played.over.failure is not None
    assert "cannot be started" in played.over.failure.reason


@BOTH
def test_missing_planner_is_said_before_play(planner: Any, monkeypatch: pytest.MonkeyPatch):
    """Without a program the agent is unavailable, with what to install."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("arena_game_planning.commands.planners.find_spec", lambda _: None)
    agent: Agent = planner()

    with pytest.raises(ConfigError, match=r"unavailable: .* is not installed; .* up-"):
        agent.needs(Planning(tasks="blocksworld#1"), 1)


def test_naming_a_program_is_naming_code():
    """A benchmark file that names a program is played only with trust."""
    wanted = {"games": ["planning"], "agents": {"fd": {"use": "fast-downward", "program": "/bin/true"}}}

    with pytest.raises(ConfigError, match="trust"):
        build_benchmark(wanted)


@BOTH
def test_the_users_own_planner_solves_a_task(play: Play, planner: Any):
    """Where the real planner is installed, its plan solves a task."""
    try:
        find_planner(planner.planner)
    except PlannerMissing as missing:
        pytest.skip(str(missing))

    assert play(Planning(tasks="elevator#3"), [planner(limit_s=60)]).over.returns == (1.0,)

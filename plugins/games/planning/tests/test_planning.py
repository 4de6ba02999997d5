"""The game: what is asked, what is told, how it ends, and what the event says that ends it."""

import re
from random import Random

import attrs
import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import FORFEITED
from arena.testing import check_game
from arena_game_planning import validate
from arena_game_planning.pddl import applicable, apply, read_domain, read_plan, read_problem
from arena_game_planning.playing.game import Planning, TaskSource
from arena_game_planning.tasks.shipped import numbers, select, task
from arena_game_planning.tasks.task import KEPT, disguised

KEYS = {
    "task", "domain", "classes", "mode", "valid", "error_class", "spin", "step", "reason", "length", "cost",
    "reference_length", "reference_cost", "legal_actions", "state_space", "is_counted", "disguise",
}  # fmt: skip


def begun(game: Planning, seed: int = 0):
    return game.start(Chance(seed), 1)


def answered(game: Planning, plan: str):
    """The returns and the last event of a match in which ``plan`` is answered."""
    state, _ = begun(game)
    assert state.check(0, {"plan": plan}) is None
    *_, event = state.apply({0: {"plan": plan}})
    assert state.to_act() == ()
    return state.returns(), event


def test_reference_plan_earns_one():
    """The shipped plan is valid, and the event that ends the match says all that metrics need."""
    found = task("blocksworld", 3)

    returns, event = answered(Planning(tasks="blocksworld#3"), "\n".join(found.plan))

    assert returns == (1.0,)
    assert (event.kind, event.to) == ("judged", None)
    assert set(event.data) == KEYS
    assert event.data["task"] == "blocksworld#3"
    assert event.data["length"] == event.data["reference_length"] == len(found.plan)
    assert (event.data["valid"], event.data["error_class"], event.data["mode"]) == (True, None, "plan")


@pytest.mark.parametrize(
    ("plan", "error", "spin", "step"),
    [("", "goal", "GS", None), ("(fly b1)", "unknown-action", "BC", 1), ("I cannot", "unreadable", "other", None)],
)
def test_wrong_plan_is_a_result(plan, error, spin, step):
    """Every text is a legal answer; a wrong one earns 0 and is put into its class."""
    returns, event = answered(Planning(tasks="blocksworld#3"), plan)

    assert returns == (0.0,)
    assert (event.data["error_class"], event.data["spin"], event.data["step"]) == (error, spin, step)


def test_answer_may_be_written_in_several_ways():
    """A text alone and a list of actions mean the same object; what is no plan at all is refused."""
    state, _ = begun(Planning())
    decision = state.decision(0)

    assert decision.interpret("(a b)") == {"plan": "(a b)"}
    assert decision.interpret(["(a b)", "(c)"]) == {"plan": "(a b)\n(c)"}
    assert decision.interpret({"plan": ["(a b)", "(c)"]}) == {"plan": "(a b)\n(c)"}
    for wrong in (None, 3, {}, {"plan": 3}, {"plan": "", "more": 1}, {"plan": "x" * 200_001}):
        assert state.check(0, decision.interpret(wrong)) is not None


def test_player_without_an_answer_is_judged_too():
    """A player that is eliminated because nothing could be read counts as unreadable, in both modes."""
    for mode in ("plan", "steps"):
        state, _ = begun(Planning(mode=mode))

        (event,) = state.apply({0: FORFEITED})

        assert state.to_act() == ()
        assert state.returns() == (0.0,)
        assert (event.data["error_class"], event.data["spin"]) == ("unreadable", "other")


def test_steps_reach_the_goal_one_by_one():
    """In the mode steps each step is one of those that can be done, what it changed is told, and the goal ends it."""
    found = task("logistics", 2)
    game = Planning(tasks="logistics#2", mode="steps")
    state, _ = begun(game)

    for number, step in enumerate(found.plan, start=1):
        assert step in state.decision(0).options.actions
        changed, *rest = state.apply({0: step})
        assert (changed.kind, changed.data["step"], changed.data["action"]) == ("changed", number, step)
        assert changed.data["true"] or changed.data["false"]

    assert state.returns() == (1.0,)
    assert [event.kind for event in rest] == ["judged"]
    assert rest[0].data["length"] == len(found.plan)


def test_steps_end_after_four_times_the_reference():
    """Who never reaches the goal has four times the steps of the reference plan and 20 more."""
    found = task("logistics", 1)
    game = Planning(tasks="logistics#1", mode="steps")
    state, _ = begun(game)
    limit = 4 * len(found.plan) + 20
    assert state.observe(0)["steps_left"] == limit

    there, back = (a for a in state.decision(0).options.actions if a.startswith("(drive truck2"))
    steps = 0
    while state.to_act():
        state.apply({0: back if back in state.decision(0).options.actions else there})
        steps += 1

    assert (steps, game.facts(1).max_steps) == (limit, limit)
    assert state.returns() == (0.0,)


def test_options_are_the_actions_that_can_be_done():
    """What is offered is what the simulator finds, sorted."""
    found = task("rovers", 1)
    state, _ = begun(Planning(tasks="rovers#1", mode="steps"))
    problem = read_problem(read_domain(found.domain_text), found.problem_text)

    options = list(state.decision(0).options.actions)

    assert options == sorted(f"({' '.join(step)})" for step in applicable(problem, problem.initial))
    assert state.check(0, "(fly b1)") is not None


def test_plan_can_be_checked_before_the_answer():
    """The look-up says what is wrong with a plan, as often as was allowed, and is off by default."""
    assert begun(Planning())[0].decision(0).queries == ()

    state, _ = begun(Planning(tasks="blocksworld#3", check=2))
    (query,) = state.decision(0).queries

    assert (query.name, query.limit) == ("check", 2)
    assert query.answer({"plan": "\n".join(task("blocksworld", 3).plan)}) == {"valid": True, "reason": None}
    assert (
        "do not hold" in query.answer({"plan": ""})["reason"] or "does not hold" in query.answer({"plan": ""})["reason"]
    )
    assert query.answer({"plan": 3}).kind == "not-a-plan"


@pytest.mark.parametrize("disguise", ["words", "letters"])
@pytest.mark.parametrize("name", ["blocksworld#4", "elevator#2", "logistics#3", "briefcaseworld#1"])
def test_twin_is_the_same_task_under_other_names(name, disguise):
    """No name is left, the translated plan solves the twin, and both offer as many actions at each step."""
    (found,) = select(name)
    twin = disguised(found, disguise)

    words = set(re.findall(r"[^\s()?]+", f"{found.domain_text} {found.problem_text}".lower())) - KEPT
    new = set(re.findall(r"[^\s()?]+", f"{twin.domain_text} {twin.problem_text}".lower())) - KEPT
    names = {word for word in words & new if not word.startswith(":") and not re.fullmatch(r"[\d.]+", word)}
    assert names == set()
    assert validate(twin.domain_text, twin.problem_text, "\n".join(twin.plan)).valid
    assert twin == disguised(found, disguise)

    pairs = [
        (read_problem(read_domain(t.domain_text), t.problem_text), read_plan("\n".join(t.plan))) for t in (found, twin)
    ]
    states = [problem.initial for problem, _ in pairs]
    for steps in zip(*(plan for _, plan in pairs), strict=True):
        assert len({len(applicable(p, s)) for (p, _), s in zip(pairs, states, strict=True)}) == 1
        states = [apply(p, s, step) for (p, _), s, step in zip(pairs, states, steps, strict=True)]


def test_twin_names_its_original_and_hides_it():
    """Metrics find the task under its own names; the player is not told which it is before the end."""
    game = Planning(tasks="rovers#2", disguise="words")
    state, (opening,) = begun(game)

    assert game.twin_of == Planning(tasks="rovers#2")
    assert "rover" not in str(opening.data) + game.forms["text"](state.observe(0))
    (event,) = state.apply({0: {"plan": ""}})
    assert (event.data["task"], event.data["domain"], event.data["disguise"]) == ("rovers#2", "rovers", "words")


def test_task_is_shown_in_pddl_words_or_both():
    """In PDDL without comments; in words every action, object and fact is named; ``both`` shows both."""
    found = task("elevator", 1)
    state, _ = begun(Planning(tasks="elevator#1"))
    seen = state.observe(0)
    shown = {show: Planning(tasks="elevator#1", show=show).forms["text"](seen) for show in ("pddl", "words", "both")}

    assert "(define (domain elevator)" in shown["pddl"]
    assert ";" not in shown["pddl"]
    assert "(define" not in shown["words"]
    assert shown["pddl"] in shown["both"]
    assert shown["words"] in shown["both"]
    problem = read_problem(read_domain(found.domain_text), found.problem_text)
    for name in (*problem.domain.actions, *problem.objects, *(atom[0] for atom in problem.initial.atoms)):
        assert name in shown["words"]


def test_tasks_are_chosen_by_name_range_list_and_number_for_each_domain():
    """One, a range, a list, a domain, so many of each domain; what does not exist is named."""
    assert len(Planning(tasks="rovers#3").pool) == 1
    assert [t.number for t in Planning(tasks="rovers#3-5").pool] == [3, 4, 5]
    assert [t.task.name for t in Planning(tasks=("rovers#3", "logistics#1")).pool] == ["rovers#3", "logistics#1"]
    assert len(Planning(tasks="blocksworld").pool) == len(numbers("blocksworld")) == 100
    for wrong in ("rover", "rovers#0", "rovers#101", "rovers#x", ()):
        with pytest.raises(ConfigError):
            Planning(tasks=wrong)
    with pytest.raises(ConfigError, match="expected per-domain with a number, or folder with a path"):
        TaskSource()
    with pytest.raises(ConfigError, match="check: expected 0 in the mode steps"):
        Planning(mode="steps", check=1)


def test_tasks_of_a_folder_are_read_when_the_game_is_made(tmp_path):
    """A user's own files are tasks, one of them by its path; the verdict counts those that cannot be read."""
    found = task("blocksworld", 1)
    (tmp_path / "domain.pddl").write_text(found.domain_text)
    (tmp_path / "one.pddl").write_text(found.problem_text)
    (tmp_path / "two.pddl").write_text(found.problem_text.replace("(hand-empty)", "(hand-emty)"))
    own = {"folder": str(tmp_path)}

    game = Planning(tasks=TaskSource(**own))
    one = Planning(tasks=TaskSource(**own, file="one.pddl", left_out=1))

    assert answered(game, "\n".join(found.plan))[1].data["task"] == "one.pddl"
    assert game.facts(1).optimal_returns is None
    assert answered(one, "\n".join(found.plan))[1].data["left_out"] == 1
    with pytest.raises(ConfigError, match=r"two\.pddl:\d+:\d+: no predicate called 'hand-emty'"):
        Planning(tasks=TaskSource(**own, file="two.pddl"))
    for wrong in ("three.pddl", "../one.pddl"):
        with pytest.raises(ConfigError, match="no file called"):
            Planning(tasks=TaskSource(**own, file=wrong))


def test_random_answers_can_be_carried_out():
    """A random player walks, so its plans break no condition."""
    state, _ = begun(Planning(tasks="logistics#5"))

    for seed in range(20):
        plan = state.decision(0).sampler(Random(seed))["plan"]
        verdict = validate(state.task.domain_text, state.task.problem_text, plan)
        assert verdict.error_class in (None, "goal")


@pytest.mark.parametrize(
    "game",
    [
        Planning(),
        Planning(tasks="logistics#1", mode="steps", show="both"),
        Planning(tasks=("elevator#1", "briefcaseworld#1"), check=3, show="words"),
        Planning(tasks="rovers#1", mode="steps", disguise="letters"),
    ],
    ids=["default", "steps", "checked", "disguised"],
)
@pytest.mark.parametrize("playouts", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=0)
def test_game_keeps_its_contract(game, playouts):
    """The conformance checks find nothing to object to, and nothing that they could not try."""
    report = check_game(game, playouts=playouts)

    assert report.untested == ()


def test_game_is_a_value():
    """Two games with the same parameters are equal, and one parameter can be exchanged."""
    assert Planning() == Planning()
    assert attrs.evolve(Planning(), mode="steps") != Planning()

"""What a player is told: the rules, the task in PDDL or in words, and what has happened."""

import re
from collections.abc import Mapping
from typing import Any, Final

from arena.game import Drawing, Form
from arena.record import EVERYONE, GameEvent

from arena_game_planning.showing.scene import planning_scene
from arena_game_planning.showing.wording import describe_task, state_lines
from arena_game_planning.tasks.judging import JUDGED
from arena_game_planning.tasks.task import Disguise, PlanningTask

_PDDL: Final = """\
A planning task is given: a domain, which says what actions there are, under which conditions each can be done and \
what it changes, and a problem, which says what objects there are, what is true at the start, and what is to be true \
at the end (the goal). It is written in PDDL or in words. Only what is said to be true is true."""

_RULES: Final[Mapping[str, str]] = {
    "plan": f"""{_PDDL}

You answer once, with a plan: all actions from the start to the goal, in order. Each action is written in \
parentheses, its name first and then its objects in the order of its parameters, as in (move a b). The plan is carried \
out as it stands. You earn 1 if each action can be done when its turn comes and the goal holds after the last one, \
otherwise 0.""",
    "steps": f"""{_PDDL}

You choose one action after another, among those that can be done, and are told what each of them changed. You earn 1 \
if the goal holds before your steps run out, otherwise 0.""",
}

EXAMPLE: Final = """\
(define (domain ferry)
  (:predicates (boat-at ?place) (at ?car ?place) (on-board ?car) (empty) (place ?place) (car ?car))
  (:action sail
    :parameters (?from ?to)
    :precondition (and (place ?to) (boat-at ?from))
    :effect (and (not (boat-at ?from)) (boat-at ?to)))
  (:action board
    :parameters (?car ?place)
    :precondition (and (car ?car) (at ?car ?place) (boat-at ?place) (empty))
    :effect (and (not (at ?car ?place)) (not (empty)) (on-board ?car)))
  (:action land
    :parameters (?car ?place)
    :precondition (and (on-board ?car) (boat-at ?place))
    :effect (and (not (on-board ?car)) (empty) (at ?car ?place))))
(define (problem one-car)
  (:domain ferry)
  (:objects north south red)
  (:init (place north) (place south) (car red) (boat-at south) (at red north) (empty))
  (:goal (at red south)))"""

EXAMPLE_PLAN: Final = "(sail south north)\n(board red north)\n(sail north south)\n(land red south)"


def rules(mode: str) -> str:
    """The rules of a mode, which are the same for all tasks."""
    return _RULES[mode]


def forms(show: str, mode: str) -> Mapping[str, Form]:
    """The ways to show an observation; ``text`` is the one that ``show`` names.

    ``example`` is a worked example of a task with its plan, for prompts in which a whole plan is asked for.
    """
    shown: Mapping[str, Form] = {"pddl": _in_pddl, "words": _in_words, "both": _in_both}
    example: Mapping[str, Form] = {"example": _example} if mode == "plan" else {}
    return {"text": shown[show], "pddl": _in_pddl, "words": _in_words, **example, "scene": _drawn}


def posed(task: PlanningTask, disguise: Disguise | None) -> GameEvent:
    """The event that opens a match: which task it is."""
    hidden = disguise is not None  # the name of a domain would tell what was disguised
    return GameEvent("posed", {"task": None if hidden else task.name}, EVERYONE)


def describe(event: GameEvent) -> str:
    """Put an event into words."""
    data: Any = event.data
    match event.kind:
        case "posed":
            return "a task was given" if data["task"] is None else f"the task {data['task']} was given"
        case "changed":
            return f"step {data['step']}, {data['action']}: {_changes(data)}"
        case _ if event.kind == JUDGED and data["valid"]:
            return f"the task is solved, in {data['length']} steps"
        case _:
            return f"the task is not solved: {data['reason']}"


def _in_pddl(observation: Any) -> str:
    texts = [without_comments(observation["domain"]), without_comments(observation["problem"])]
    return "\n\n".join(["The domain:", texts[0], "The problem:", texts[1], *_moment(observation, in_words=False)])


def _in_words(observation: Any) -> str:
    told = describe_task(observation["domain"], observation["problem"])
    return "\n\n".join([told, *_moment(observation, in_words=True)])


def _drawn(observation: Any) -> Drawing:
    return planning_scene(observation, _in_words(observation))


def _in_both(observation: Any) -> str:
    told = describe_task(observation["domain"], observation["problem"])
    return f"{_in_pddl(observation)}\n\nThe same in words:\n\n{told}"


def _moment(observation: Any, *, in_words: bool) -> list[str]:
    """What is true now, what the last step changed and how many are left, where single steps are chosen."""
    if "atoms" not in observation:
        return []
    if in_words:
        numbers = [(tuple(name[1:-1].split()), value) for name, value in observation["numbers"].items()]
        facts = "\n".join(state_lines(map(tuple, observation["atoms"]), numbers))
    else:
        atoms = [f"({' '.join(atom)})" for atom in observation["atoms"]]
        facts = "\n".join([*atoms, *(f"(= {name} {value})" for name, value in observation["numbers"].items())])
    last = observation["last"]
    parts = [f"What is true now:\n{facts}"]
    if last is not None:
        parts.append(f"The last step, {last['action']}: {_changes(last)}")
    return [*parts, f"Steps left: {observation['steps_left']}"]


def _changes(data: Any) -> str:
    parts = [
        f"{kind}: {' '.join(data[key])}"
        for kind, key in (("became true", "true"), ("became false", "false"))
        if data[key]
    ]
    parts += [f"{name} is now {value}" for name, value in data["numbers"].items()]
    return "; ".join(parts) or "nothing changed"


def without_comments(text: str) -> str:
    """A text in PDDL without comments, empty lines and spaces at the end of lines."""
    lines = (line.rstrip() for line in re.sub(r";[^\n]*", "", text).splitlines())
    return "\n".join(line for line in lines if line)


def _example(observation: Any) -> str:
    return (
        f"{EXAMPLE}\n\nA plan for it, as it is answered:\n\n" + '{"plan": "' + EXAMPLE_PLAN.replace("\n", "\\n") + '"}'
    )

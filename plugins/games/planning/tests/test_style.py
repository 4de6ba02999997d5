"""The prompt styles, with a scripted model in the place of a real one."""

import json

import pytest
from arena.testing import play
from arena_agent_llm.agent import LLM
from arena_agent_llm.prompts.prompt import Prompt
from arena_backend_scripted.backend import Scripted
from arena_game_planning.playing.game import Planning
from arena_game_planning.tasks.shipped import task

PLAN = task("blocksworld", 2).plan
TEXT = "\n".join(PLAN)
TASK = "blocksworld#2"


def judged(tmp_path, game: Planning, style: str, *answers: str):
    """What the last event says of a match in which a model gives these answers."""
    agent = LLM(backend=Scripted(answers=answers), prompt=Prompt(style=style), constrained=False)
    record = play(game, [agent], tmp_path).over
    return next(event.data for event in record.events if event.kind == "judged")


@pytest.mark.parametrize(
    ("style", "answer"),
    [
        (
            "spin-planning",
            f'I read the state. I read the goal. I move one block at a time.\n\n{{"plan": "{TEXT}"}}',
        ),
        ("spin-planning", f"```json\n{json.dumps({'plan': TEXT.upper()})}\n```"),
        ("direct", json.dumps({"action": {"plan": TEXT}})),
        ("direct", json.dumps({"action": list(PLAN)})),
    ],
)
def test_plan_is_read_from_one_object(tmp_path, style, answer):
    """One clear object is the plan, with raw line breaks in its text or without, in the style of the paper or ours."""
    assert judged(tmp_path, Planning(tasks=TASK), style, answer)["valid"]


def test_of_several_plans_none_is_taken(tmp_path):
    """Two plans that differ are no answer, even if the last one is right; the match is lost as unreadable."""
    data = judged(tmp_path, Planning(tasks=TASK), "spin-planning", f'{{"plan": ""}}\n\n{{"plan": "{TEXT}"}}')

    assert (data["valid"], data["error_class"], data["spin"]) == (False, "unreadable", "other")


def test_steps_are_chosen_by_their_labels(tmp_path):
    """In the mode steps, the style direct takes one action after another until the goal is reached."""
    answers = [json.dumps({"action": step}) for step in PLAN]

    data = judged(tmp_path, Planning(tasks=TASK, mode="steps"), "direct", *answers)

    assert (data["valid"], data["length"]) == (True, len(PLAN))

"""Plans as planners and models print them."""

from pathlib import Path
from time import process_time

import pytest
from arena_game_planning.pddl import read_plan
from arena_game_planning.tasks.validation import validate

FIELD = Path(__file__).parent / "field"
DOMAIN, PROBLEM = ((FIELD / f"{name}.pddl").read_text("utf-8") for name in ("domain", "problem"))


@pytest.mark.parametrize("form", ["bare", "fenced", "ff", "numbered"])
def test_forms_as_they_were_met(form):
    """The output of FF, numbered lines, a fence and bare lines hold the plan that they seem to hold."""
    verdict = validate(DOMAIN, PROBLEM, (FIELD / f"{form}.txt").read_text("utf-8"))

    assert (verdict.valid, verdict.length) == (True, 2)


@pytest.mark.parametrize(
    "plan",
    [
        "1) put x\n2) go x",
        "- (put x)\n- (go x)",
        "Step 1: (put x)\nStep 2: (go x)",
        "```\n1. put x\n2. go x\n```\n",
        "(put x), (go x)",
        "(put x),\n(go x)",
        "put x, go x",
        "1. put x,\n2. go x.",
        "put(x)\ngo(x)",
        "1. put(x), go(x)",
        "(put, x)\n(go, x)",
        "- `(put x)`\n- `(go x)`",
        "* **put x**\n* **go x**",
        '["(put x)", "(go x)"]',
        "put x (1)\ngo x (1)\n; cost = 2 (unit cost)",
        "0: (PUT X) [1]\n1: (GO X) [1]",
        "ff: parsing\n\nff: found legal plan as follows\n\nstep    0: PUT X\n        1: GO X\n     \n\ntime spent: 0",
    ],
)
def test_mixtures_of_forms(plan):
    """Numbers, bullets, fences, costs and words around a plan are read over together."""
    assert validate(DOMAIN, PROBLEM, plan).valid


@pytest.mark.parametrize(
    "plan",
    [
        "First I put x, then I go x.",
        "put x\nand then\ngo x",
        "I cannot solve this",
        "(put x) then (go x)",
        "```\n(put x)\n```\n```\n(go x)\n```",
        "The plan:\n(put x)\n(go x)",
        "put x, then go x",
        "(put x), and (go x)",
        '["put x", 2]',
        "1. \n2. go x",
    ],
)
def test_what_is_no_plan(plan):
    """Words between the steps are not read over, and nothing is taken out of prose."""
    verdict = validate(DOMAIN, PROBLEM, plan)

    assert (verdict.valid, verdict.error_class) == (False, "unreadable")
    assert verdict.reason.startswith("plan:1:") or "plan:" in verdict.reason


def test_commas_between_arguments():
    """Commas separate arguments as blanks do, and a comma before the name of an action begins the next one."""
    expected = (("move", "a", "b"), ("take", "c"))

    for text in ("(move a, b) (take c)", "move(a, b), take(c)", "move a, b, take c", "move a, b\ntake c"):
        assert read_plan(text, actions={"move", "take"}) == expected, text


def test_long_texts_are_read_once():
    """A text as long as an answer may be is read in a moment, whatever it holds."""
    ends = (" " * 200_000, "1." * 100_000, "put x\n" * 33_000, "put x," * 33_000)
    for text in (*(f"{end}(" for end in ends), "[" * 200_000, "`" * 200_000, "ff: " * 50_000):
        began = process_time()

        assert not validate(DOMAIN, PROBLEM, text).valid
        assert process_time() - began < 5


def test_a_wrong_step_of_bare_lines_is_named():
    """A bare line with a wrong object is a wrong step, and not an unreadable plan."""
    verdict = validate(DOMAIN, PROBLEM, "put y\ngo x")

    assert (verdict.error_class, verdict.action) == ("unknown-object", "(put y)")

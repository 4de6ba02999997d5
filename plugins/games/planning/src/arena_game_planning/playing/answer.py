"""Reads the plan that a player answers with; lenient where the meaning is certain, and nowhere else."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.game import Illegal
from arena.record import JSON, Action

SCHEMA: Final[JSON] = {
    "type": "object",
    "properties": {"plan": {"type": "string"}},
    "required": ["plan"],
    "additionalProperties": False,
}
"""The JSON schema of an answer: ``{"plan": "(move a b)\\n(pick c)"}``."""

MAX_LENGTH: Final = 200_000
"""The longest plan that is looked at, in characters."""


def canonical(action: Any) -> Action:
    """Turn other ways to write a plan into ``{"plan": text}``: the text alone, or a list of its actions."""
    plan = action["plan"] if isinstance(action, Mapping) and set(action) == {"plan"} else action
    if isinstance(plan, Sequence) and not isinstance(plan, str) and all(isinstance(step, str) for step in plan):
        return {"plan": "\n".join(plan)}
    return {"plan": plan} if isinstance(plan, str) else action


def refusal(action: Any) -> Illegal | None:
    """Why ``action`` is no plan, or ``None``; what the plan says is not looked at."""
    if not isinstance(action, Mapping) or set(action) != {"plan"} or not isinstance(action["plan"], str):
        return Illegal("not-a-plan", 'expected an object with the key "plan" and a text, as in {"plan": "(move a b)"}')
    if len(action["plan"]) > MAX_LENGTH:
        return Illegal("too-long", f"expected a plan of at most {MAX_LENGTH:,} characters, got {len(action['plan']):,}")
    return None

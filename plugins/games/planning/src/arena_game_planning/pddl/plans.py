"""Reads plans: actions in parentheses, one after another."""

import re
from typing import Final

from arena_game_planning.pddl.simulator import Step
from arena_game_planning.pddl.syntax import NAME, PddlError

_COMMENT: Final = re.compile(r";[^\n]*")
_TOKEN: Final = re.compile(
    r"\s+|(?P<step>\([^()]*\))|(?P<time>\d+(?:\.\d+)?\s*:)|(?P<duration>\[\s*\d+(?:\.\d+)?\s*\])"
)


def read_plan(text: str, name: str = "plan") -> tuple[Step, ...]:
    """Read a plan such as ``(move a b) (pick c)``; the empty one is a plan too.

    Comments, upper case, a time before an action (``3:``, ``0.5:``) and a duration after it (``[1]``) are read over.
    Anything else is refused with ``PddlError``, which says with ``name``, line and column where it stands.
    """
    steps: list[Step] = []
    plain = _COMMENT.sub(lambda comment: " " * len(comment[0]), text) if ";" in text else text
    at, before = 0, "start"
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if match is None:
            raise _error(plain, at, name, f"expected an action such as (move a b), got {_shown(plain, at)}")
        if (kind := match.lastgroup) is not None:
            if (kind == "duration") != (before == "step") and kind == "duration":
                raise _error(plain, at, name, "a duration follows no action")
            if before == "time" and kind != "step":
                raise _error(plain, at, name, "no action follows a time")
            if kind == "step":
                steps.append(_step(match["step"], plain, at, name))
            before = kind
        at = match.end()
    if before == "time":
        raise _error(plain, len(plain), name, "no action follows a time")
    return tuple(steps)


def _step(text: str, plan: str, at: int, name: str) -> Step:
    words = tuple(text[1:-1].lower().split())
    if not words:
        raise _error(plan, at, name, "() is no action")
    for word in words:
        if not NAME.fullmatch(word):
            raise _error(plan, at, name, f"{word[:40]!r} cannot be the name of an action or object")
    return words


def _shown(text: str, at: int) -> str:
    return repr(text[at : at + 30].split("\n")[0].strip())


def _error(text: str, at: int, name: str, message: str) -> PddlError:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return PddlError(f"{name}:{line}:{column}: {message}")

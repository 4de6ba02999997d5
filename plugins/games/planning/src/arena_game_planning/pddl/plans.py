"""Reads plans: actions in parentheses, one after another."""

import json
import re
from collections.abc import Container
from typing import Final, cast

from arena_game_planning.pddl.simulator import Step
from arena_game_planning.pddl.syntax import NAME, PddlError

_COMMENT: Final = re.compile(r";[^\n]*")
_TOKEN: Final = re.compile(
    r"\s+|(?P<step>\([^()]*\))|(?P<time>\d+(?:\.\d+)?\s*:)|(?P<duration>\[\s*\d+(?:\.\d+)?\s*\])"
)


_NUMBER: Final = re.compile(r"(?:step\s+)?\d+\s*[.):]\s*|[-*\u2022]\s+", re.I)
_COST: Final = re.compile(r"\(\d+(?:\.\d+)?\)$|\[\s*\d+(?:\.\d+)?\s*\]$")
_COMMA: Final = re.compile(r",(?![^()]*\))")
"""A comma that stands in no parentheses."""

_CALL: Final = re.compile(r"(\w[\w.+@#*-]*)\s*\(([^()]*)\)")
_FOUND_BY_FF: Final = "ff: found legal plan as follows"
_LONGEST_LINE: Final = 2_000
"""The longest line that is read as an action of another form, in characters."""


def read_plan(text: str, name: str = "plan", actions: Container[str] = ()) -> tuple[Step, ...]:
    """Read a plan such as ``(move a b) (pick c)``; the empty one is a plan too.

    Comments, upper case, a time before an action (``3:``, ``0.5:``) and a duration after it (``[1]``) are read over. So
    are a fence around the plan, numbers and bullets of lines, what FF prints around a plan, commas between actions and
    between arguments, a list in JSON, ``move(a, b)``, and missing parentheses in lines that begin with a name of
    ``actions``. Anything else is refused with ``PddlError``, which says with ``name``, line and column where it stands.
    """
    try:
        return _strict(text, name)
    except PddlError:
        if (steps := _by_lines(_unlisted(text), actions)) is None:
            raise
        return steps


def _unlisted(text: str) -> str:
    """The items of a list of texts in JSON as lines, or the text itself."""
    if text.lstrip()[:1] != "[":
        return text
    try:
        items = cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return text
    if not isinstance(items, list):
        return text
    found = cast("list[object]", items)
    lines = [line for line in found if isinstance(line, str)]
    return "\n".join(lines) if len(lines) == len(found) else text


def _by_lines(text: str, actions: Container[str]) -> tuple[Step, ...] | None:
    """The plan in lines as planners and models print them; ``None`` if one of them is no action."""
    steps: list[Step] = []
    for line in _inside([line.strip() for line in _COMMENT.sub("", text).strip().splitlines()]):
        if not line:
            continue
        if len(line) > _LONGEST_LINE:
            return None
        number = _NUMBER.match(line)
        rest = line[number.end() if number else 0 :].strip("`* \t")
        if (found := _of_line(_COST.sub("", rest).rstrip(".,` \t"), actions)) is None:
            return None
        steps += found
    return tuple(steps)


def _of_line(line: str, actions: Container[str]) -> list[Step] | None:
    """The actions of a line, with commas between them or between arguments; ``None`` if there is anything else."""
    steps: list[Step] = []
    is_open = False  # whether a further argument may follow
    for part in map(str.strip, _COMMA.split(line)):
        called = _CALL.fullmatch(part)
        is_closed = called is not None or (part[:1] == "(" and part[-1:] == ")")
        plain = f"{called[1]} {called[2]}" if called else part[1:-1] if is_closed else part
        words = tuple((plain.replace(",", " ") if is_closed else plain).lower().split())
        if not words or not all(map(NAME.fullmatch, words)):
            return None
        if words[0] in actions or (is_closed and called is None):
            steps.append(words)
        elif is_open and len(words) == 1:
            steps[-1] += words
        else:
            return None
        is_open = not is_closed
    return steps


def _inside(lines: list[str]) -> list[str]:
    """The lines of the plan itself: in a fence around it, or between the words of FF."""
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1] == "```":
        return lines[1:-1]
    if _FOUND_BY_FF not in lines:
        return lines
    plan = lines[lines.index(_FOUND_BY_FF) + 1 :]
    first = next((at for at, line in enumerate(plan) if line), 0)
    return plan[first : plan.index("", first) if "" in plan[first:] else None]


def _strict(text: str, name: str) -> tuple[Step, ...]:
    """The plan in parentheses."""
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
    words = tuple(text[1:-1].lower().replace(",", " ").split())
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

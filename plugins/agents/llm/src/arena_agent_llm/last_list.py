"""Finds the last list in a completion, written as Python or JSON; nothing is ever evaluated.

For styles with ``answer: list``. If there are fenced blocks, only the last one is read, otherwise the whole text. The
last list in it counts as a whole; if that one is broken or cut off there is no answer, whatever comes before it. Tuples
are read as lists; strings may have any quotes; names without quotes (``A1``) are strings; ``#`` comments are skipped.
"""

import re
from typing import Final

from arena.record import JSON

from arena_agent_llm.reader import Reading

DEPTH: Final = 20
"""Lists nested deeper than this are not read; no action is."""

_FENCE = re.compile(r"```[^\S\n]*\w*[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_SPACE = re.compile(r"(?:\s|#[^\n]*)*+")
_STRING = re.compile(r"\"([^\"\n]{0,200})\"|'([^'\n]{0,200})'|“([^”\n]{0,200})”|‘([^’\n]{0,200})’")  # noqa: RUF001
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?(?![\w.])")
_NAME = re.compile(r"[^\W\d]\w{0,50}")
_WORDS: Final[dict[str, JSON]] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
}  # fmt: skip
_OPEN: Final = "the list in the answer is not closed"
_CLOSING: Final = {"[": "]", "(": ")"}


class _Broken(Exception):
    """The list is not well formed; carries the problem."""


def read_list(text: str) -> Reading:
    """Read the last list in ``text`` as an object with the key ``action``, or say why there is none; never raises."""
    blocks = list(_FENCE.finditer(text))
    start, end = blocks[-1].span(1) if blocks else (0, len(text))
    found = Reading("none", problem="there is no list in the answer")
    at = start
    while (at := text.find("[", at, end)) >= 0:
        try:
            value, after = _list(text, at, end)
            found = Reading("whole", {"action": value}, blocks[-1].start() if blocks else at)
            at = after
        except _Broken as problem:
            is_cut_off = str(problem) == _OPEN
            found = Reading("cut-off" if is_cut_off else "broken", problem=str(problem))
            at += 1
    return found


def _list(text: str, start: int, end: int) -> tuple[JSON, int]:
    """Read the list that begins at ``start``; returns it and the position after it."""
    root: list[JSON] = []
    stack, closing = [root], [_CLOSING[text[start]]]
    at, is_after_value = start + 1, False
    while stack:
        at = _SPACE.match(text, at, end).end()  # type: ignore[union-attr]  # matches everywhere
        if at >= end:
            raise _Broken(_OPEN)
        char = text[at]
        if char == closing[-1]:
            stack.pop()
            closing.pop()
            at, is_after_value = at + 1, True
        elif is_after_value:
            if char != ",":
                raise _Broken(f"expected a comma or {closing[-1]!r} at {text[at : at + 20]!r}")
            at, is_after_value = at + 1, False
        elif char in _CLOSING:
            if len(stack) == DEPTH:
                raise _Broken(f"the list in the answer is nested deeper than {DEPTH} levels")
            inner: list[JSON] = []
            stack[-1].append(inner)
            stack.append(inner)
            closing.append(_CLOSING[char])
            at += 1
        else:
            value, at = _plain(text, at, end)
            stack[-1].append(value)
            is_after_value = True
    return root, at


def _plain(text: str, at: int, end: int) -> tuple[JSON, int]:
    if found := _STRING.match(text, at, end):
        return next(group for group in found.groups() if group is not None), found.end()
    if found := _NUMBER.match(text, at, end):
        return (float(found[0]) if "." in found[0] else int(found[0])), found.end()
    if found := _NAME.match(text, at, end):
        return _WORDS.get(found[0], found[0]), found.end()
    raise _Broken(f"expected a value in the list at {text[at : at + 20]!r}")

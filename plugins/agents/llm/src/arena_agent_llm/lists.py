"""Reads one list as models write it, in Python or JSON; nothing is ever evaluated.

For styles with ``answer: list``. Tuples are read as lists; strings may have any quotes; names without quotes (``A1``)
are strings; ``#`` comments are skipped.
"""

import re
from typing import Final

from arena.record import JSON

DEPTH: Final = 20
"""Lists nested deeper than this are not read; no action is."""

_SPACE = re.compile(r"(?:\s|#[^\n]*)*+")
_STRING = re.compile(r"\"([^\"\n]{0,200})\"|'([^'\n]{0,200})'|“([^”\n]{0,200})”|‘([^’\n]{0,200})’")  # noqa: RUF001
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?(?![\w.])")
_NAME = re.compile(r"[^\W\d]\w{0,50}")
_WORDS: Final[dict[str, JSON]] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
}  # fmt: skip
_OPEN: Final = "the list in the answer is not closed"
_CLOSING: Final = {"[": "]", "(": ")"}


class ListBroken(Exception):
    """The list is not well formed; carries the problem."""

    @property
    def is_cut_off(self) -> bool:
        """Whether it is only not closed."""
        return str(self) == _OPEN


def parse_list(text: str, start: int, end: int) -> tuple[JSON, int]:
    """Read the list that begins at ``start``; returns it and the position after it, or raises ``ListBroken``."""
    root: list[JSON] = []
    stack, closing = [root], [_CLOSING[text[start]]]
    at, is_after_value = start + 1, False
    while stack:
        at = _SPACE.match(text, at, end).end()  # type: ignore[union-attr]  # matches everywhere
        if at >= end:
            raise ListBroken(_OPEN)
        char = text[at]
        if char == closing[-1]:
            stack.pop()
            closing.pop()
            at, is_after_value = at + 1, True
        elif is_after_value:
            if char != ",":
                raise ListBroken(f"expected a comma or {closing[-1]!r} at {text[at : at + 20]!r}")
            at, is_after_value = at + 1, False
        elif char in _CLOSING:
            if len(stack) == DEPTH:
                raise ListBroken(f"the list in the answer is nested deeper than {DEPTH} levels")
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
    raise ListBroken(f"expected a value in the list at {text[at : at + 20]!r}")

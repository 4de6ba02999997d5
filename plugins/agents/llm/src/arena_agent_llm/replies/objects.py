"""Finds the JSON objects and lists in what a model says, and what is damaged or cut off among them.

For styles with ``answer: list``. Tuples are read as lists; strings may have any quotes; names without quotes (``A1``)
are strings; ``#`` comments are skipped.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

import attrs
from arena.record import JSON

from arena_agent_llm.replies.lenient_json import BEGIN_RELAXED, parse

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


MOST: Final = 1_000
"""With more objects than this, nothing in a reply is an answer."""

BRACES: Final = 10_000
"""The same for braces."""

_BRACE = re.compile(r"[{}]")
_CUT_OFF = re.compile(r"\{\s*+(?:\"[^\"\n{}]*+\"?+|'[^'\n{}]*+'?+|\w*+)?+\s*+\Z")
_SUSPECT = re.compile(r"[:\"]")
_FENCE = re.compile(r"```[^\S\n]*\w*[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)


@attrs.frozen
class Found:
    """One object or list, and where it stands; ``twice`` are its own keys that hold something written in two ways."""

    start: int
    end: int
    value: JSON
    twice: frozenset[str] = frozenset()


@attrs.frozen
class Scanned:
    """All whole objects at the top level, and what is wrong with one that is not whole."""

    found: tuple[Found, ...] = ()
    state: Literal["whole", "damaged", "cut-off"] = "whole"
    problem: str = ""


def find_objects(text: str, keys: Iterable[str]) -> Scanned:
    """Find the objects in ``text`` that hold at least one key and are no part of another object.

    What is damaged counts only if it may hold one of ``keys``, or stands behind a whole object that it may replace.
    Braces that open no object are prose. Time is linear in the length of the text.
    """
    return _Scan(text, _key_pattern(tuple(keys))).run()


def find_lists(text: str) -> Scanned:
    """Find the lists in ``text``, as Python or JSON writes them; in fenced blocks alone where there are any."""
    blocks = [block.span(1) for block in _FENCE.finditer(text)] or [(0, len(text))]
    found: list[Found] = []
    state, problem = "whole", ""
    for start, end in blocks:
        at = start
        while (at := text.find("[", at, end)) >= 0 and len(found) < MOST:
            try:
                value, after = parse_list(text, at, end)
            except ListBroken as broken:
                state, problem = "cut-off" if broken.is_cut_off else "damaged", str(broken)
                at += 1
            else:
                state, problem = "whole", ""
                found.append(Found(at, after, value))
                at = after
    return Scanned(tuple(found), state, problem)


@lru_cache(maxsize=256)
def _key_pattern(keys: tuple[str, ...]) -> re.Pattern[str]:
    named = "|".join(re.escape(key) for key in keys)
    return re.compile(rf"(?<!\w)(?:{named})(?!\w)[\"'\u201c\u201d]?+\s*+[:=\uff1a]") if named else _SUSPECT


class _Scan:
    """One pass over the braces of a text."""

    def __init__(self, text: str, key: re.Pattern[str]) -> None:
        self.text = text
        self.key = key
        self.found: list[Found] = []
        self.damage = ""
        self.end = 0
        self._open: list[int] = []
        self._inside = self._seen = 0
        self._prose: list[str] = []

    def run(self) -> Scanned:
        """Go from brace to brace; an object that was read or is broken is skipped as a whole."""
        while brace := _BRACE.search(self.text, self.end):
            start = brace.start()
            self._pass_prose(start)
            if self.text[start] == "}":
                self._close(start)
            elif BEGIN_RELAXED.match(self.text, start):
                if problem := self._read(start):
                    return Scanned(tuple(self.found), "cut-off", problem)
            elif _CUT_OFF.match(self.text, start):
                return Scanned(tuple(self.found), "cut-off", "the JSON object is not closed")
            else:
                self._begin_prose(start)
            self._seen += 1
            if self._seen > BRACES:
                return Scanned((), "damaged", f"the answer holds more than {BRACES:,} braces")
            if len(self.found) > MOST:
                return Scanned((), "damaged", f"the answer holds more than {MOST:,} JSON objects")
        self._pass_prose(len(self.text))
        self._end_prose("the last JSON object is damaged, or its keys have no quotes")
        return Scanned(tuple(self.found), "damaged" if self.damage else "whole", self.damage)

    def _read(self, start: int) -> str:
        """Read the object that begins here; what is wrong if it is cut off."""
        read = parse(self.text, start, is_relaxed=True)
        if read.is_cut_off:
            return read.problem
        if read.problem:
            self.end = _balanced(self.text, read.end, read.depth)
            if self.found or self.key.search(self.text, start, self.end):
                self._break(read.problem)
        else:
            self._inside += bool(self._open)
            self.found.append(Found(start, read.end, read.value, read.twice_under))
            self.end = read.end
        return ""

    def _begin_prose(self, start: int) -> None:
        if not self._open:
            self._inside = 0
            self._prose.clear()
        self._open.append(start)
        self.end = start + 1

    def _pass_prose(self, start: int) -> None:
        if self._open:
            self._prose.append(self.text[self.end : start])

    def _close(self, start: int) -> None:
        if self._open:
            self._open.pop()
            if not self._open:
                self._end_prose("the JSON object is damaged, or its keys have no quotes")
        elif self.found and self.text[self.found[-1].end : start].strip():
            # It closes something whose beginning was lost, and what was read may be a piece of that.
            self._break("a closing brace has no opening one")
        self.end = start + 1

    def _end_prose(self, problem: str) -> None:
        """Judge braces that open no object: they hold a key, or an object that seems to be a part of them."""
        prose = " ".join(self._prose)
        if self.key.search(prose) or (self._inside and _SUSPECT.search(prose)):
            self._break(problem)
        self._prose.clear()

    def _break(self, problem: str) -> None:
        self.damage = self.damage or problem


def _balanced(text: str, at: int, depth: int) -> int:
    """Find where ``depth`` open braces are closed; counts braces in strings too, since quotes cannot be trusted."""
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(text)

"""Finds the last structured answer in a completion.

An answer is an object with at least one key: ``{"key": …}``. It may stand anywhere: alone, in prose, in a fence. The
last one counts, as a whole: an object inside another is a part of it, and if the last one is broken or cut off there is
no answer, whatever comes before it. Braces that open no object are prose. Time is linear in the length of the text.
"""

import re
from typing import Literal

import attrs
from arena.record import JSON

from arena_agent_llm.lenient_json import Parsed, parse

_BRACE = re.compile(r"[{}]")
_BEGIN = re.compile(r"\{\s*+(?:\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')\s*+:")
_BEGIN_CUT_OFF = re.compile(r"\{\s*+(?:\"[^\"\n{}]*+\"?+|'[^'\n{}]*+'?+)?+\s*+\Z")
_SUSPECT = re.compile(r"[:\"]")
_KEY = re.compile(r"[\"']action[\"']\s*+:")
_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


@attrs.frozen
class Reading:
    """The last object in a text, or why there is none.

    ``start`` is where it begins. ``twice`` is a key with two different values in it.
    """

    state: Literal["whole", "broken", "cut-off", "none"]
    value: dict[str, JSON] = attrs.field(factory=dict[str, JSON])
    start: int = 0
    problem: str = ""
    twice: str | None = None


def split_thinking(text: str) -> tuple[str, str]:
    """Split a text into what is said and what is thought, by cutting out ``<think>…</think>``.

    A closing tag without an opening one ends a thought that began with the text (the opening tag is often part of the
    prompt). A text that ends in the middle of a thought says nothing: whatever comes before it is not the final answer.
    """
    tags = list(_TAG.finditer(text))
    if not tags:
        return text, ""
    said: list[str] = []
    thought: list[str] = []
    at, is_thinking = 0, bool(tags[0][1])
    for tag in tags:
        (thought if is_thinking else said).append(text[at : tag.start()])
        at, is_thinking = tag.end(), not tag[1]
    (thought if is_thinking else said).append(text[at:])
    if is_thinking:
        return "", _TAG.sub("\n", text).strip()
    return "\n".join(said), "\n".join(part.strip() for part in thought if part.strip())


def read(text: str) -> Reading:
    """Find the last structured answer in ``text``; never raises."""
    return _Scan(text).run()


class _Scan:
    """One pass over the braces of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.last = Reading("none", problem="there is no JSON object in the answer")
        self.was_broken = False
        self.end = 0
        self.open = 0
        self._opened = 0
        self.is_suspect = False

    def run(self) -> Reading:
        """Go from brace to brace; an object that was read or is broken is skipped as a whole."""
        while brace := _BRACE.search(self.text, self.end):
            start = brace.start()
            self._pass_prose(start)
            if self.text[start] == "}":
                self._close(start)
            elif _BEGIN.match(self.text, start):
                if (found := parse(self.text, start)).is_cut_off:
                    return Reading("cut-off", problem=found.problem)
                self._take(found, start)
            elif _BEGIN_CUT_OFF.match(self.text, start):
                return Reading("cut-off", problem="the JSON object is not closed")
            else:
                self._open(start)
        self._pass_prose(len(self.text))
        is_open = self.open > 0 and self.is_suspect and self.last.start < self._opened
        if is_open or (self.last.state == "whole" and _KEY.search(self.text, self.end)):
            self._break("the last JSON object is damaged, or its keys have no quotes")
        return self.last

    def _take(self, found: Parsed, start: int) -> None:
        if found.problem:
            self._break(found.problem)
            self.end = _balanced(self.text, found.end, found.depth)
        else:
            self.last = Reading("whole", found.value, start, twice=found.twice)
            self.end = found.end

    def _open(self, start: int) -> None:
        if not self.open:
            self.is_suspect, self._opened = False, start
        self.open += 1
        self.end = start + 1

    def _pass_prose(self, start: int) -> None:
        # A colon or a quote between braces: most likely an object whose keys are damaged or have no quotes.
        self.is_suspect |= self.open > 0 and _SUSPECT.search(self.text, self.end, start) is not None

    def _close(self, start: int) -> None:
        if self.open:
            self.open -= 1
            if not self.open and self.is_suspect:
                self._break("the JSON object is damaged, or its keys have no quotes")
        elif self.last.state == "whole" and (self.was_broken or self.text[self.end : start].strip()):
            # It closes something whose beginning was lost, and what was read may be a piece of that.
            self._break("a closing brace has no opening one")
        self.end = start + 1

    def _break(self, problem: str) -> None:
        self.last, self.was_broken = Reading("broken", problem=problem), True


def _balanced(text: str, at: int, depth: int) -> int:
    """Find where ``depth`` open braces are closed; counts braces in strings too, since quotes cannot be trusted."""
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(text)

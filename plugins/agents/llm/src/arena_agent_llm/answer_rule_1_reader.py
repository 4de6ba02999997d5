"""Finds the last object or list in a text, for the first rule by which answers were read; frozen like that rule."""

import re
from typing import Literal

import attrs
from arena.record import JSON

from arena_agent_llm.lenient_json import BEGIN, Parsed, parse
from arena_agent_llm.lists import ListBroken, parse_list

_BRACE = re.compile(r"[{}]")
_BEGIN_CUT_OFF = re.compile(r"\{\s*+(?:\"[^\"\n{}]*+\"?+|'[^'\n{}]*+'?+)?+\s*+\Z")
_SUSPECT = re.compile(r"[:\"]")
_KEY = re.compile(r"[\"']action[\"']\s*+:")
_BLOCK = re.compile(r"```[^\S\n]*\w*[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


@attrs.frozen
class LastObject:
    """The last object in a text and where it begins, or why there is none."""

    state: Literal["whole", "broken", "cut-off", "none"]
    value: dict[str, JSON] = attrs.field(factory=dict[str, JSON])
    start: int = 0
    problem: str = ""
    twice: str | None = None


def split_thinking(text: str) -> tuple[str, str]:
    """Split a text into what is said and what is thought, by cutting out ``<think>…</think>``."""
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


def read(text: str) -> LastObject:
    """Find the last object in ``text``; never raises."""
    return _Scan(text).run()


class _Scan:
    """One pass over the braces of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.last = LastObject("none", problem="there is no JSON object in the answer")
        self.was_broken = False
        self.end = 0
        self.open = 0
        self._opened = 0
        self.is_suspect = False

    def run(self) -> LastObject:
        while brace := _BRACE.search(self.text, self.end):
            start = brace.start()
            self._pass_prose(start)
            if self.text[start] == "}":
                self._close(start)
            elif BEGIN.match(self.text, start):
                if (found := parse(self.text, start)).is_cut_off:
                    return LastObject("cut-off", problem=found.problem)
                self._take(found, start)
            elif _BEGIN_CUT_OFF.match(self.text, start):
                return LastObject("cut-off", problem="the JSON object is not closed")
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
            self.last = LastObject("whole", found.value, start, twice=found.twice)
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
        self.last, self.was_broken = LastObject("broken", problem=problem), True


def _balanced(text: str, at: int, depth: int) -> int:
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(text)


def read_list(text: str) -> LastObject:
    """Read the last list in ``text``, or in its last fenced block."""
    blocks = list(_BLOCK.finditer(text))
    start, end = blocks[-1].span(1) if blocks else (0, len(text))
    found = LastObject("none", problem="there is no list in the answer")
    at = start
    while (at := text.find("[", at, end)) >= 0:
        try:
            value, after = parse_list(text, at, end)
            found = LastObject("whole", {"action": value}, blocks[-1].start() if blocks else at)
            at = after
        except ListBroken as problem:
            found = LastObject("cut-off" if problem.is_cut_off else "broken", problem=str(problem))
            at += 1
    return found

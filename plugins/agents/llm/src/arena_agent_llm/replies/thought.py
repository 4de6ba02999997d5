"""Separates what a model thought from what it says, by the marks that models put around their thoughts."""

import re
from typing import Final

import attrs

from arena_agent_llm.replies.lenient_json import BEGIN_RELAXED, parse

NAMES: Final = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad")
"""Tags around a thought, as ``<think>`` or, at the beginning of a line, ``[THINK]``; a name more is a line more."""

MOST: Final = 10_000
"""A text with more marks than this says nothing."""

FINAL: Final = "final"
"""The one channel that speaks, where a model marks channels."""

_NAME = "|".join(NAMES)
_MARK = re.compile(
    rf"(?P<angle><(?P<angle_close>/?)(?:\w+:)?(?P<angle_name>{_NAME})\b[^<>]*>)"
    rf"|(?P<square>\[(?P<square_close>/?)(?P<square_name>{_NAME})\])"
    r"|(?P<pipe><\|(?P<pipe_edge>begin|end)_of_(?:thought|thinking)\|>)"
    r"|(?P<triangle>◁(?P<triangle_close>/?)think▷)"
    r"|(?P<channel><\|channel\|>\s*(?P<channel_name>\w+)[^<{]*(?:<\|constrain\|>\s*\w*\s*)?(?:<\|message\|>)?)"
    r"|(?P<assistant>\bassistantfinal(?=[^a-z]))"
    r"|(?P<end><\|(?:end|return|call|start)\|>)"
    r"|(?P<brace>\{)",
    re.IGNORECASE | re.MULTILINE,
)

_BEGINS = re.compile(r"[<\[\u25c1{]|\bassistantfinal", re.IGNORECASE)
_TELLS = re.compile(rf"<\||<(?:/|\w+:)*(?:{_NAME})|\[/?(?:{_NAME})\]|\u25c1|\bassistantfinal", re.IGNORECASE)
"""Where a mark may begin, and what every text with marks holds: most have none, and need not be looked through."""


def is_unmarked(text: str) -> bool:
    """Whether nothing in a text is a mark, so that all of it is said."""
    # Looking for what marks begin with is much faster than looking for marks.
    may_tell = "<" in text or "[" in text or not text.isascii() or "assistantfinal" in text.lower()
    return not may_tell or not _TELLS.search(text)


@attrs.frozen
class Spoken:
    """``text`` is what is said, ``thought`` what is thought; ``is_open`` if a thought was begun and never ended."""

    text: str
    thought: str
    is_open: bool = False


def split(text: str) -> Spoken:
    """Separate the thoughts in ``text`` from the rest; time is linear in its length.

    A closing mark without an opening one ends a thought that began in the prompt. Marks may be nested. Where channels
    are marked, only the final one speaks. Inside a JSON string nothing is a mark. A text that ends inside a thought
    says nothing: whatever comes before it is not the final answer.
    """
    if is_unmarked(text):
        return Spoken(text, "")
    parts = _Parts(text)
    at = marks = 0
    while start := _BEGINS.search(text, at):
        at = start.end()
        mark = _MARK.match(text, start.start())
        if mark is None:
            continue
        at = mark.end()
        if not mark["brace"]:
            parts.pass_mark(mark)
            marks += 1
            if marks > MOST:
                return Spoken("", text, is_open=True)
        elif parts.speaks and BEGIN_RELAXED.match(text, mark.start()):
            at = max(
                at, parse(text, mark.start(), is_relaxed=True).end
            )  # one that is not closed has all that follows inside it
    return parts.finished()


class _Parts:
    """What was said and thought up to a position."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[str] = []
        self._spoke = self._has_marks = False
        self._is_channelled, self._is_final = False, True
        self._said: list[str] = []
        self._thought: list[str] = []

    def pass_mark(self, mark: re.Match[str]) -> None:
        """Take the text before a mark to where it belongs, and open or close what the mark says."""
        if mark["channel"] or mark["assistant"]:
            self._channel((mark["channel_name"] or FINAL).casefold(), mark)
        elif mark["end"]:
            self._take(mark)
            self._is_final = not self._is_channelled
        elif (mark["angle"] or "").endswith("/>") or not self._is_edge(mark):
            return
        else:
            self._tag(*_edge(mark), mark)
        self._has_marks = True

    def _is_edge(self, mark: re.Match[str]) -> bool:
        """Whether a mark in square brackets opens at the beginning of a line; any other mark opens anywhere."""
        if not mark["square"] or mark["square_close"]:
            return True
        before = self._text[max(0, mark.start() - 40) : mark.start()].rstrip(" \t")
        return not before or before.endswith("\n")

    def finished(self) -> Spoken:
        """Everything, once the last mark has been passed."""
        rest = self._text[self._at :]
        (self._said if self.speaks else self._thought).append(rest)
        never_spoke = self._is_channelled and not self._spoke
        if self._open or never_spoke:
            return Spoken("", _MARK_ONLY.sub("\n", self._text).strip(), is_open=True)
        said = "\n".join(self._said) if self._has_marks else rest
        return Spoken(said, "\n".join(part.strip() for part in self._thought if part.strip()))

    @property
    def speaks(self) -> bool:
        """Whether what stands here is said."""
        return not self._open and self._is_final

    def _take(self, mark: re.Match[str]) -> None:
        (self._said if self.speaks else self._thought).append(self._text[self._at : mark.start()])
        self._at = mark.end()

    def _tag(self, name: str, closes: bool, mark: re.Match[str]) -> None:
        if closes and not self._open and not self._has_marks:
            self._thought.append(self._text[self._at : mark.start()])
            self._at = mark.end()
            return
        self._take(mark)
        if not closes:
            self._open.append(name)
        elif name in self._open:
            del self._open[self._open.index(name) :]

    def _channel(self, name: str, mark: re.Match[str]) -> None:
        if not self._is_channelled:  # what stands before the first channel is no answer either
            self._is_channelled, self._is_final = True, False
            self._thought += self._said
            self._said.clear()
        self._take(mark)
        self._open.clear()
        self._is_final = name == FINAL
        self._spoke |= self._is_final


_MARK_ONLY = re.compile(rf"</?(?:\w+:)?(?:{_NAME})\b[^<>]*>", re.IGNORECASE)


def _edge(mark: re.Match[str]) -> tuple[str, bool]:
    """The name of a tag, and whether it closes."""
    if mark["angle"]:
        return mark["angle_name"].casefold(), bool(mark["angle_close"])
    if mark["square"]:
        return mark["square_name"].casefold(), bool(mark["square_close"])
    if mark["pipe"]:
        return "pipe", mark["pipe_edge"].casefold() == "end"
    return "triangle", bool(mark["triangle_close"])

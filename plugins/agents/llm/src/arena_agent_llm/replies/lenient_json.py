"""Reads one JSON object as models write it: lenient where the meaning is certain, and nowhere else.

Beyond JSON it accepts single quotes, trailing commas, ``True``, ``False`` and ``None``, and line breaks inside strings.
It guesses nothing: a missing comma, an unescaped quote or a bare word breaks the object. It works in one pass, without
recursion.
"""

import json
import re
from math import isfinite
from typing import Final, NoReturn

import attrs
from arena.record import JSON, canonical_json

DEPTH: Final = 100
"""Objects and arrays nested deeper than this are not read; no action is."""

DIGITS: Final = 4_000
"""Numbers with more digits are not read; Python itself refuses to convert them."""

QUICKLY: Final = 20_000
"""In longer texts Python's own reader is not tried: when it fails, it counts the lines of all that stands before."""

BEGIN: Final = re.compile(r"\{\s*+(?:\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')\s*+:")
"""How an object with at least one key begins."""

BEGIN_RELAXED: Final = re.compile(rf"{BEGIN.pattern}|\{{\s*+(?:[^\W\d]\w*+\s*+:|//|/\*)")
"""The same, where keys need no quotes and comments are allowed."""

_SPACE = re.compile(r"\s*+")
_COMMENTED = re.compile(r"(?:\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_BARE = re.compile(r"[^\W\d]\w*+(?=\s*+:)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"|' + r"'(?:[^'\\]|\\.)*+'", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![\w.])")
_WORD = re.compile(r"(?:true|false|null|True|False|None)(?!\w)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)

_WORDS: Final[dict[str, JSON]] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
}  # fmt: skip
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"} | {c: c for c in "/\\\"'"}


@attrs.frozen
class Parsed:
    """The object that was read (``problem`` is empty), or where and why reading stopped.

    ``end`` is the position after it, or of the problem; ``depth`` counts the braces open there. ``twice`` is a key with
    two different values in one object, and ``twice_under`` the key of the outermost object under which it stands.
    """

    value: dict[str, JSON]
    end: int
    depth: int = 0
    problem: str = ""
    is_cut_off: bool = False
    twice: str | None = None
    twice_under: frozenset[str] = frozenset()


def scrub(text: str) -> str:
    """Make ``text`` encodable: join the halves of surrogate pairs, and replace halves that stand alone."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def parse(text: str, start: int, *, is_relaxed: bool = False) -> Parsed:
    """Read the object that begins at ``text[start]``, which must be ``{``.

    ``is_relaxed`` also takes comments and keys without quotes, as JavaScript does.
    """
    return _quickly(text, start) or (_RelaxedReader if is_relaxed else _Reader)(text, start).run()


def _once(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key stands twice")
    return table


def _finite(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _refused(text)


def _refused(text: str) -> NoReturn:
    raise ValueError(text)


_decoder = json.JSONDecoder(object_pairs_hook=_once, parse_float=_finite, parse_constant=_refused)


def _quickly(text: str, start: int) -> Parsed | None:
    """The object as Python's own reader reads it, which is written in C; ``None`` where that may read another.

    Most models write plain JSON. What that reader refuses, or takes for something else than ours, is left to ours:
    keys that stand twice, numbers that are not finite, halves of characters, and what is too deep or too long.
    """
    if len(text) > QUICKLY:
        return None
    try:
        value, end = _decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    is_deep = text.count("{", start, end) + text.count("[", start, end) > DEPTH
    return None if is_deep or end - start > DIGITS or "\\u" in text[start:end] else Parsed(value, end)


class _Broken(Exception):
    """The object is not well formed; carries the problem."""


class _Reader:
    space = _SPACE

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start + 1
        self.root: dict[str, JSON] = {}
        self.stack: list[dict[str, JSON] | list[JSON]] = [self.root]
        self.keys: list[str] = [""]
        self.twice: str | None = None
        self.twice_under: set[str] = set()

    def run(self) -> Parsed:
        """Read tokens until the outermost object is closed."""
        step = self._key
        try:
            while self.stack:
                self.at = self.space.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches everywhere
                if self.at == len(self.text):
                    return self._stopped("the JSON object is not closed", is_cut_off=True)
                step = step()
        except _Broken as problem:
            return self._stopped(str(problem), is_cut_off=self.at == len(self.text))
        return Parsed(self.root, self.at, twice=self.twice, twice_under=frozenset(self.twice_under))

    def _stopped(self, problem: str, *, is_cut_off: bool) -> Parsed:
        depth = sum(isinstance(container, dict) for container in self.stack)
        return Parsed({}, self.at, depth, problem, is_cut_off)

    def _key(self):
        if self.text[self.at] == "}":
            return self._close()
        self.keys[-1] = self._name()
        self.at = self.space.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches everywhere
        if self.at < len(self.text):
            self._take(":", "a colon after a key")
        return self._value

    def _name(self) -> str:
        return self._string("a key in quotes")

    def _item(self):
        return self._close() if self.text[self.at] == "]" else self._value()

    def _next(self):
        closing = "}" if isinstance(self.stack[-1], dict) else "]"
        if self.text[self.at] == closing:
            return self._close()
        self._take(",", f"a comma or {closing!r}")
        return self._key if closing == "}" else self._item

    def _value(self):
        char = self.text[self.at]
        if char in "{[":
            if len(self.stack) == DEPTH:
                raise _Broken(f"the JSON object is nested deeper than {DEPTH} levels")
            self.stack.append({} if char == "{" else [])
            self.keys.append("")
            self.at += 1
            return self._key if char == "{" else self._item
        return self._place(self._string("a value") if char in "\"'" else self._plain())

    def _place(self, value: JSON):
        holder = self.stack[-1]
        if isinstance(holder, list):
            holder.append(value)
            return self._next
        key = self.keys[-1]
        if key in holder and canonical_json(holder[key]) != canonical_json(value):
            self.twice = self.twice or key
            self.twice_under.add(self.keys[0])
        holder[key] = value
        return self._next

    def _close(self):
        self.at += 1
        closed = self.stack.pop()
        self.keys.pop()
        return self._place(closed) if self.stack else self._next

    def _take(self, char: str, wanted: str) -> None:
        if self.text[self.at] != char:
            raise _Broken(f"expected {wanted} at {self.text[self.at : self.at + 20]!r}")
        self.at += 1

    def _string(self, wanted: str) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            if self.text[self.at] in "\"'":
                self.at = len(self.text)
                raise _Broken("a string in the JSON object is not closed")
            raise _Broken(f"expected {wanted} at {self.text[self.at : self.at + 20]!r}")
        self.at = found.end()
        return _unescape(found[0][1:-1])

    def _plain(self) -> JSON:
        if found := _WORD.match(self.text, self.at):
            self.at = found.end()
            return _WORDS[found[0]]
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise _Broken(f"expected a value at {self.text[self.at : self.at + 20]!r}")
        value = _number(found[0])
        self.at = found.end()
        return value


class _RelaxedReader(_Reader):
    space = _COMMENTED

    def _name(self) -> str:
        if found := _BARE.match(self.text, self.at):
            self.at = found.end()
            return found[0]
        return self._string("a key")


def _unescape(raw: str) -> str:
    if "\\" not in raw:
        return raw
    # An unknown escape keeps its backslash: formulas and Windows paths are written that way and lose nothing.
    return scrub(_ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPED.get(m[2], m[0]), raw))


def _number(text: str) -> JSON:
    if len(text) > DIGITS:
        raise _Broken(f"a number of {len(text)} characters is too long")
    if text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Broken(f"the number {text} is too large")
    return value

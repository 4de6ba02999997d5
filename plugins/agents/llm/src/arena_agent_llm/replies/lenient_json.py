"""Reads the last JSON object or list of a text as models write them: lenient where the meaning is certain.

Beyond JSON it takes single quotes, keys without quotes, trailing commas, ``True``, ``False``, ``None`` and line breaks
inside strings; in lists also tuples, and names without quotes as texts. Comments, a missing comma, an unescaped quote
or a bare word are damage.
"""

import json
import re
from functools import partial
from math import isfinite
from typing import Final, NoReturn

import attrs
from arena.record import JSON

LONGEST: Final = 200_000
"""An answer with more characters than this is not read."""

TRIES: Final = 100
"""A text with more braces than this in its last object, none of which begins it, is not read."""

DEPTH: Final = 50
"""Values nested deeper than this are not read; no action is."""

_BEGIN: Final = {
    "{": re.compile(r"\{\s*+(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[^\W\d]\w*+)\s*+:", re.DOTALL),
    "[": re.compile(r"\["),
}
_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*+"|' + r"'(?:[^'\\]|\\.)*+'|(?<![\[{(,\s]),\s*+(?=[}\])])|(?<![\w.])[^\W\d]\w*+(?:\s*+:)?|[()]",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])|\\.|\"", re.DOTALL)
_WORDS: Final = {"True": "true", "False": "false", "None": "null"}


@attrs.frozen
class Found:
    """A whole object or list and where it stands; ``twice`` if a key stands more than once in it."""

    start: int
    end: int
    value: JSON
    twice: bool = False


def scrub(text: str) -> str:
    """Make ``text`` encodable: join the halves of surrogate pairs, and replace halves that stand alone."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def ending_at(text: str, end: int, opening: str = "{") -> Found | None:
    """The object (or, with ``[``, the list) whose last character is the one before ``end``; ``None`` if none is."""
    begin, starts, at = _BEGIN[opening], list[int](), end
    while len(starts) < TRIES and (at := text.rfind(opening, max(0, end - LONGEST), at)) >= 0:
        if begin.match(text, at, end):
            starts.append(at)
    for is_plain in (True, False):
        room = 4 * LONGEST  # what is tried in vain costs no more than a few answers of the greatest length
        for start in starts:
            room -= end - start
            if room < 0:
                break
            twice: list[bool] = []
            try:
                value = _loaded(text[start:end] if is_plain else _plain(text[start:end], opening == "["), twice)
            except (ValueError, RecursionError):
                continue
            return Found(start, end, value, bool(twice))
    return None


def _loaded(text: str, twice: list[bool]) -> JSON:
    if text.count("{") + text.count("[") > DEPTH and _depth(text) > DEPTH:
        raise ValueError("nested too deep")
    value = json.loads(
        text,
        strict=False,
        object_pairs_hook=partial(_table, twice=twice),
        parse_float=_finite,
        parse_constant=_refused,
    )
    return value if "\\u" not in text else json.loads(scrub(json.dumps(value, ensure_ascii=False)))


def _table(pairs: list[tuple[str, JSON]], twice: list[bool]) -> dict[str, JSON]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice.append(True)
    return table


def _depth(text: str) -> int:
    deepest = depth = 0
    for char in re.findall(r"[{}\[\]]", text):
        depth += 1 if char in "{[" else -1
        deepest = max(deepest, depth)
    return deepest


def _finite(text: str) -> float:
    return value if isfinite(value := float(text)) else _refused(text)


def _refused(text: str) -> NoReturn:
    raise ValueError(text)


def _plain(text: str, is_list: bool) -> str:
    """The same value as JSON has it; what is damaged stays damaged."""

    def written(token: re.Match[str]) -> str:
        said = token[0]
        if said[0] in "\"'":
            return f'"{_ESCAPE.sub(_escaped, said[1:-1])}"'
        if said[0] == ",":
            return ""
        if said in "()":
            return {"(": "[", ")": "]"}[said] if is_list else said
        if said[-1] == ":":
            return f'"{said[:-1].rstrip()}":'
        return _WORDS.get(said, f'"{said}"' if is_list and said not in _WORDS.values() else said)

    return _TOKEN.sub(written, text)


def _escaped(found: re.Match[str]) -> str:
    """An escape as JSON has it; an unknown one keeps its backslash, since formulas and paths are written that way."""
    said = found[0]
    if said in ('"', "\\'"):
        return '\\"' if said == '"' else "'"
    return said if said[1] in '"\\/bfnrt' or len(said) > 2 else "\\" + said

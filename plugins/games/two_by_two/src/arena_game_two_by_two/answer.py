"""Reads the combinations of choices that an answer names; lenient where the meaning is certain, and nowhere else."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from arena.game import Illegal
from arena.record import JSON

from arena_game_two_by_two.matrix import CELLS, Choices

NUMBERS: Final = {(f"A{row + 1}", f"B{column + 1}"): n for n, (row, column) in enumerate(CELLS, start=1)}

SCHEMA: Final[JSON] = {
    "type": "array",
    "maxItems": 4,
    "items": {"enum": [[a, b] for a, b in NUMBERS]},
}
"""The JSON schema of an answer in its canonical form: a list of pairs."""

_DEPTH: Final = 8


def pairs(choices: Choices) -> list[JSON]:
    """The canonical answer that names these combinations, in the order of their numbers."""
    return [list(pair) for pair, number in NUMBERS.items() if number in choices]


def read(answer: JSON) -> Choices | Illegal:
    """Read the combinations that ``answer`` names, or say why it cannot be read; takes any JSON value.

    An answer is a list of pairs such as ``[["A1", "B2"]]``; the empty list says that no combination is more likely
    than another. Also accepted, since they can mean only one thing: a single pair without the outer list, extra
    brackets, a pair given twice, lower case, full-width characters, spaces, ``"A1, B2"`` or ``"(A1,B2)"`` as one
    string, and B's choice before A's. Anything else is refused as a whole.
    """
    try:
        return Choices(_pairs(answer, 0))
    except _Unreadable as problem:
        return Illegal("not-a-list-of-pairs", str(problem))


class _Unreadable(Exception):
    """A part of the answer that names no combination."""


def _pairs(value: Any, depth: int) -> Iterator[int]:
    if isinstance(value, str):
        yield _pair(_words(value))
    elif not isinstance(value, Sequence) or depth > _DEPTH:
        raise _Unreadable(f"expected a list of pairs such as [['A1', 'B2']], got {_shown(value)}")
    elif _is_pair(value):
        yield _pair([_word(part) for part in value])
    else:
        for part in value:
            yield from _pairs(part, depth + 1)


def _is_pair(value: Sequence[Any]) -> bool:
    """Two strings of one choice each; two strings of a pair each are a list of pairs."""
    return bool(value) and all(isinstance(part, str) and len(_words(part)) == 1 for part in value)


def _pair(words: Sequence[str]) -> int:
    number = NUMBERS.get((min(words), max(words))) if len(words) == 2 else None
    if number is None:
        raise _Unreadable(f"expected one of A's choices with one of B's, as in ['A1', 'B2'], got {_shown(words)}")
    return number


def _words(text: str) -> list[str]:
    bare = unicodedata.normalize("NFKC", text).translate(_PUNCTUATION)
    return [_word(part) for part in bare.split()]


def _word(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).translate(_PUNCTUATION).split()).upper()


_PUNCTUATION: Final[Mapping[int, str]] = {ord(mark): " " for mark in ",;()[]{}<>\"'`"}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."

"""Reads from a scenario the orders of preference that it tells in words, without figures."""

import re
from collections.abc import Callable, Mapping
from typing import Final

CUES: Final[Mapping[int, "re.Pattern[str]"]] = {
    4: re.compile(
        r"nothing (?:\S+ ){0,6}better than|best of all|(?<!second )\bbest\b|at the top|first of all|"
        r"above everything|before anything"
    ),
    3: re.compile(
        r"next to that|second best|just below|after that|pleased with|content with|would prefer|either of these"
    ),
    2: re.compile(r"be spared|near the bottom|\bthird\b|a little better|hardly better|could bear|next to last|^ to\b"),
    1: re.compile(
        r"nothing (?:\S+ ){0,6}worse than|worst of all|last of all|at the bottom|least welcome|at the very end|"
        r"but not\b"
    ),
}
"""What says in words that an outcome is the best (4) to the worst (1); the first cue before a code counts."""

_CODE: Final = re.compile(r"\(A[12], B[12]\)")
_SENTENCE_END: Final = re.compile(r"[.!?]\"?\s")


def rank_before(text: str) -> int | None:
    """The rank that the last piece of a text tells: from its last code or beginning of a sentence on; else ``None``."""
    start = max((mark.end() for pattern in (_CODE, _SENTENCE_END) for mark in pattern.finditer(text)), default=0)
    piece = text[start:].lower()
    found = [(cue.start(), rank) for rank, pattern in CUES.items() if (cue := pattern.search(piece))]
    return min(found)[1] if found else None


def orders(sentence: str, name: str) -> bool:
    """Whether a sentence says in words which place a combination has for the party of this name."""
    code = _CODE.search(sentence)
    if code is None or rank_before(sentence[: code.start()]) is None:
        return False
    called = re.escape(name)
    return bool(
        re.search(rf"(?i)\b(?:suit {called} (?:better|worse)|for {called} would|{called} (?:would|could))\b", sentence)
    )


def in_words(scenario: str, named: Callable[[str], str | None]) -> list[tuple[str, str, int]]:
    """What a scenario says in words: code, player and rank, as often as it is said.

    ``named`` gives the player whom a text names last.
    """
    found: list[tuple[str, str, int]] = []
    for code in _CODE.finditer(scenario):
        before = scenario[: code.start()]
        rank, player = rank_before(before), named(before)
        if rank is not None and player is not None:
            found.append((code[0], player, rank))
    return found

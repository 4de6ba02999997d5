"""Blocks of plans and of matches that have ended: a row holds many, each as one line of JSON.

The marks of a block, four bytes for each of its matches, say where a match may be without unpacking anything; the id
in its line decides. A match that has ended is in one block alone: whoever writes it anew takes the old one out.
"""

import json
import struct
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple
from zlib import crc32

import attrs
from arena.errors import JournalError
from arena.record import MatchPlan

from arena_engine.journal.encoded_match import MatchSummary
from arena_engine.journal.packing import PLAIN, packed_alone
from arena_engine.journal.stored_json import plan_from

PLANNED: Final = 1_000
"""The most plans of one block."""

ENDED: Final = 250
"""The most matches of one block: those that are played again where it is damaged."""

LONGEST: Final = 1 << 18
"""A block whose records have so many bytes takes no more of them."""

PlanBlock = tuple[bytes, str, bytes]
"""The marks of the plans of a block, how it is packed, and its lines."""

Ended = tuple[bytes, tuple[Any, ...]]
"""The record of a match as JSON in UTF-8, and the columns of its summary."""

_MARK: Final = 4
_COLUMNS: Final = len(attrs.fields(MatchSummary))


def number_of(id_: str) -> int:
    """The mark of a match as a number, which another match may have too."""
    return crc32(id_.encode())


def marks(ids: Iterable[str]) -> bytes:
    """The marks of matches, as a block has them."""
    numbers = [*map(number_of, ids)]
    return struct.pack(f"<{len(numbers)}I", *numbers)


def mark(id_: str) -> bytes:
    """The mark of one match."""
    return marks((id_,))


def numbers_of(ids: bytes) -> tuple[int, ...]:
    """The marks of a block as numbers."""
    return struct.unpack(f"<{len(ids) // _MARK}I", ids[: len(ids) // _MARK * _MARK])


def plan_blocks(plans: Iterable[MatchPlan], *, is_packed: bool) -> Iterator[PlanBlock]:
    """The plans in blocks, one of which is held at a time."""
    left = iter(plans)
    while some := list(islice(left, PLANNED)):
        text, ids = lines_of(some), marks(plan.id for plan in some)
        yield (ids, *packed_alone(text)) if is_packed else (ids, PLAIN, text)


def plans_of(text: str) -> Sequence[MatchPlan]:
    """The plans of a block by its lines; ``JournalError`` if one is of another shape."""
    try:
        return _decoder(MatchPlan)(text)
    except (TypeError, ValueError, RecursionError):
        return [plan_from(line) for line in text.split("\n")]


def ids_of(text: str) -> Sequence[str]:
    """The ids of the plans of a block by its lines, read sooner than the plans; the same errors."""
    try:
        return [line.id for line in _id_decoder()(text)]
    except (TypeError, ValueError, RecursionError):
        return [plan.id for plan in plans_of(text)]


def plan_in(text: str, id_: str) -> MatchPlan | None:
    """The plan of one match by the lines of a block; ``None`` if it has none."""
    word = json.dumps(id_, ensure_ascii=False)
    found = (plan_from(line) for line in text.split("\n") if word in line)
    return next((plan for plan in found if plan.id == id_), None)


def parts(matches: Sequence[Ended]) -> Iterator[Sequence[Ended]]:
    """Matches that have ended as they come into blocks."""
    first = size = 0
    for place, (text, _) in enumerate(matches):
        if place - first >= ENDED or size >= LONGEST:
            yield matches[first:place]
            first, size = place, 0
        size += len(text)
    if matches:
        yield matches[first:]


def lines_of(values: Iterable[Any]) -> bytes:
    """Plans, or summaries by their columns, a line for each."""
    return _encoder()(values).rstrip(b"\n")


def summaries_of(text: str) -> list[tuple[Any, ...]]:
    """The columns of the summaries of a block by its lines; ``JournalError`` if one is of another shape."""
    try:
        found = [tuple(row) for row in _decoder(list)(text)]
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"summaries of matches are of another shape than Arena writes ({error})") from None
    if any(len(row) != _COLUMNS or type(row[0]) is not str for row in found):
        raise JournalError("summaries of matches are of another shape than Arena writes (columns are missing)")
    return found


@cache
def _decoder(kind: Any) -> Callable[[str], list[Any]]:
    """What reads lines, in a sixth of the time; loaded when it is needed."""
    import msgspec

    return msgspec.json.Decoder(kind).decode_lines


@cache
def _id_decoder() -> Callable[[str], list[Any]]:
    import msgspec

    return _decoder(msgspec.defstruct("Id", [("id", str)]))


@cache
def _encoder() -> Callable[[Iterable[Any]], bytes]:
    import msgspec

    return msgspec.json.Encoder().encode_lines


class EndedBlock(NamedTuple):
    """A block of matches that have ended, unpacked: the summaries by match, and the records in the same order."""

    number: int
    summaries: Mapping[str, tuple[Any, ...]]
    records: Sequence[str]

    @classmethod
    def of(cls, number: int, summaries: str, records: str) -> "EndedBlock":
        """Read the lines of a block; ``JournalError`` if they do not fit each other."""
        found, lines = summaries_of(summaries), records.split("\n")
        if len(found) != len(lines):
            raise JournalError(f"a block of {len(found)} summaries and {len(lines)} records is not what Arena writes")
        return cls(number, {row[0]: row for row in found}, lines)

    def matches(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The records, each with the columns of its summary."""
        return zip(self.records, self.summaries.values(), strict=True)

    def by_match(self) -> dict[str, str]:
        """The records by match."""
        return dict(zip(self.summaries, self.records, strict=True))


class BlockPlaces:
    """In which blocks matches that have ended may be: eight bytes for each of them."""

    def __init__(self, blocks: Iterable[tuple[int, bytes]]) -> None:
        found = array("Q")
        for block, ids in blocks:
            found.extend(number << 32 | block for number in numbers_of(ids))
        self._sorted = array("Q", sorted(found))

    def of(self, id_: str) -> list[int]:
        """The blocks that have the mark of a match: nearly always one, or none if the match has not ended."""
        least = number_of(id_) << 32
        place, found = bisect_left(self._sorted, least), list[int]()
        while place < len(self._sorted) and self._sorted[place] < least + (1 << 32):
            found.append(self._sorted[place] & 0xFFFFFFFF)
            place += 1
        return found


def ids_in(text: str, *, is_of_plans: bool) -> Iterator[str]:
    """The ids of matches in the lines of a block that may be damaged, as far as they can be read."""
    for line in text.split("\n"):
        try:
            raw = json.loads(line)
            id_ = raw["id"] if is_of_plans else raw[0]
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
        if isinstance(id_, str):
            yield id_

"""Packs the texts of a journal with zlib and a dictionary of what they share, and unpacks them.

Requests that begin alike resemble each other, and so do short blocks of one game. The first ones of each such group are
packed alone; then a dictionary is taken from them, which is stored in the journal, and those that follow are packed
with it. Long blocks need none: what they hold repeats itself. Each row can be read with its dictionary and without any
other row.
"""

import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final

import attrs

PLAIN: Final = "plain"
"""The packing of a text that is stored as it is."""

ALONE: Final = "zlib"
"""The packing of a text that is a raw stream of zlib; behind a colon stands the number of its dictionary, if any."""

PACKING: Final = "packing"
"""The key of what says, in the table ``meta``, how a run packs its texts; a run that does not say it packs none."""

DICTIONARY: Final = "dictionary/"
"""How the keys of dictionaries in the table ``meta`` begin; their number comes behind it."""

COPY: Final = "/copy"
"""How the key of the second copy of each dictionary ends: many rows are lost with one."""

LONGEST: Final = 4_096
"""The most bytes of a dictionary."""

MOST_BYTES: Final = 1 << 25
"""The most bytes of a text that is packed. Longer ones are stored as they are, and none is unpacked to more."""

SHORTEST: Final = 256
"""Texts with fewer bytes, all of one row together, are stored as they are."""

_BEGINNING: Final = 512  # bytes by which requests are told to be alike
_BLOCKS: Final = 8  # so many are packed alone before a dictionary is worth its place
_ANSWERS: Final = 4
_GROUPS: Final = 64  # so many without a dictionary are remembered
_DICTIONARIES: Final = 256  # in one journal at most; what comes later is packed alone
_LONG: Final = 4_096  # what is longer repeats itself enough for a fast level
_ALIKE: Final = 16_384  # a block with more bytes needs no dictionary
_LEVEL: Final = 3  # of zlib: no faster level takes less time, and the slowest saves 5 % more of a short text
_VALUE: Final = 512  # what of a dictionary is for values, and for the ends of requests
_END: Final = 1_024
_NAME: Final = re.compile(rf"{ALONE}(?::([1-9][0-9]{{0,8}}))?")
_WINDOW: Final = -15  # raw streams: the checksum of the row covers what is packed


@attrs.frozen(kw_only=True)
class JournalSettings:
    """How the journal of a run is written."""

    compress: bool = attrs.field(
        default=True,
        metadata={"help": "pack records, requests and answers; other programs than Arena cannot read them"},
    )


@attrs.define
class _Group:
    """Texts that resemble each other: how many have come, what was taken from them, and what packs them."""

    seen: int = 0
    sample: bytes = b""
    packing: str = ALONE
    dictionary: bytes = b""
    short: Any = attrs.field(factory=lambda: _short(b""))

    def packed(self, text: bytes) -> bytes:
        made = self.short.copy() if len(text) <= _LONG else zlib.compressobj(1, wbits=_WINDOW, zdict=self.dictionary)
        return made.compress(text) + made.flush()


Keep = Callable[[int, Mapping[str, str]], object]
"""Stores a dictionary by its number: a ``text``, with the name of those that it is ``of``."""


class Packer:
    """Packs the texts of one run, in the thread that writes them.

    ``known`` are the dictionaries that the journal has, by number. Another one is given to ``keep`` before anything is
    packed with it.
    """

    def __init__(self, known: Mapping[int, Mapping[str, str]]) -> None:
        self._last = max(known, default=0)
        self._begun: OrderedDict[str, _Group] = OrderedDict()
        self._made = {made["of"]: _with_dictionary(number, made["text"]) for number, made in sorted(known.items())}

    def block(self, game: str, summaries: bytes, records: bytes, keep: Keep) -> tuple[str, bytes, bytes]:
        """The packing of a block of matches, the first of which is of ``game``, and its packed texts."""
        if _ALIKE < len(records) <= MOST_BYTES:
            return ALONE, _alone(summaries), _alone(records)
        packing, packed = self._packed(f"records of {game}", _BLOCKS, lambda: records, keep, summaries, records)
        return packing, packed[0], packed[1]

    def answer(self, request: bytes, value: bytes, keep: Keep) -> tuple[str, bytes, bytes]:
        """The packing of an answer, and its packed request and value."""
        of = f"requests {blake2b(request[:_BEGINNING], digest_size=8).hexdigest()}"
        packing, packed = self._packed(of, _ANSWERS, lambda: value[:_VALUE] + _frame(request), keep, request, value)
        return packing, packed[0], packed[1]

    def _packed(
        self, of: str, enough: int, sample: Callable[[], bytes], keep: Keep, *texts: bytes
    ) -> tuple[str, tuple[bytes, ...]]:
        if not SHORTEST <= sum(map(len, texts)) <= MOST_BYTES:
            return PLAIN, texts
        group = self._made.get(of) or self._first_of(of, enough, sample(), keep)
        return group.packing, tuple(map(group.packed, texts))

    def _first_of(self, of: str, enough: int, sample: bytes, keep: Keep) -> _Group:
        """The group of a text that is one of its first, or none of whose kind gets a dictionary any more."""
        group = self._begun.setdefault(of, _Group())
        self._begun.move_to_end(of)
        if len(self._begun) > _GROUPS:
            self._begun.popitem(last=False)
        if group.seen < enough:
            group.seen += 1
            group.sample = (group.sample + sample)[-LONGEST:]
        elif self._last < _DICTIONARIES:
            del self._begun[of]
            group = self._made[of] = self._with_new_dictionary(of, group.sample, keep)
        return group

    def _with_new_dictionary(self, of: str, sample: bytes, keep: Keep) -> _Group:
        text = sample.decode(errors="ignore")  # the first character may be cut
        self._last += 1
        keep(self._last, {"of": of, "text": text})
        return _with_dictionary(self._last, text)


class Unpacker:
    """Unpacks the texts of one run; ``dictionary`` reads one that the journal has, and raises ``LookupError``."""

    def __init__(self, dictionary: Callable[[int], str]) -> None:
        self._read = dictionary
        self._known: dict[int, bytes] = {}

    def unpack(self, packing: str, packed: Any) -> str:
        """The text of a packed one; ``ValueError`` or ``LookupError`` says why there is none.

        ``UnknownPacking`` if a later version has packed it.
        """
        if packing == PLAIN:
            return packed
        if not (found := _NAME.fullmatch(str(packing))):
            raise UnknownPacking(packing)
        if not isinstance(packed, bytes):
            raise ValueError("it is a text")
        return unpacked(packed, self._dictionary(int(found[1])) if found[1] else b"")

    def learn(self, number: int, text: str) -> None:
        """Be told a dictionary, which need not be read then."""
        self._known.setdefault(number, text.encode())

    def _dictionary(self, number: int) -> bytes:
        if number not in self._known:
            self._known[number] = self._read(number).encode()
        return self._known[number]


class UnknownPacking(Exception):
    """The name of a packing that this version does not know."""


def packed_alone(text: bytes) -> tuple[str, bytes]:
    """The packing of a text that needs no dictionary, and the packed text."""
    return (ALONE, _alone(text)) if SHORTEST <= len(text) <= MOST_BYTES else (PLAIN, text)


def _alone(text: bytes) -> bytes:
    made = zlib.compressobj(_LEVEL, wbits=_WINDOW)
    return made.compress(text) + made.flush()


def unpacked(packed: bytes, dictionary: bytes) -> str:
    """The text of a packed one; ``ValueError`` if there is none, or if it is longer than any that is packed."""
    stream = zlib.decompressobj(_WINDOW, dictionary)
    try:
        text = stream.decompress(packed, MOST_BYTES + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not stream.eof or stream.unused_data or len(text) > MOST_BYTES:
        raise ValueError("its stream does not end where it should")
    return text.decode()


def _with_dictionary(number: int, text: str) -> _Group:
    dictionary = text.encode()
    return _Group(packing=f"{ALONE}:{number}", dictionary=dictionary, short=_short(dictionary))


def _short(dictionary: bytes) -> Any:
    """What packs short texts, each with a copy of it: a small window is copied sooner than made."""
    return zlib.compressobj(_LEVEL, wbits=-13, memLevel=5, zdict=dictionary)


def _frame(request: bytes) -> bytes:
    """The beginning and the end of a request, which those that begin alike share; what changes stands between."""
    room = LONGEST - _VALUE
    return request if len(request) <= room else request[: room - _END] + request[-_END:]

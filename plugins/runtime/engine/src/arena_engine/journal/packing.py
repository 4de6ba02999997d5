"""Packs the texts of a journal with zlib and a dictionary of what they share, and unpacks them.

Records of one game resemble each other, and so do requests that begin alike. The first ones of each such group are
packed alone; then a dictionary is taken from them, which is stored in the journal, and those that follow are packed
with it. Each row can be read with its dictionary and without any other row.
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
_RECORDS: Final = 32  # so many are packed alone before a dictionary is worth its place
_ANSWERS: Final = 4
_GROUPS: Final = 64  # so many without a dictionary are remembered
_DICTIONARIES: Final = 256  # in one journal at most; what comes later is packed alone
_LONG: Final = 4_096  # what is longer repeats itself enough for the fastest level
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


class Packer:
    """Packs the texts of one run, in the thread of whoever hands them to the journal.

    ``known`` are the dictionaries that the journal has, by number, and ``keep`` stores another one: each is a ``text``,
    with the name of those that it is ``of``. One is kept before anything is packed with it.
    """

    def __init__(
        self, known: Mapping[int, Mapping[str, str]], keep: Callable[[int, Mapping[str, str]], object]
    ) -> None:
        self._keep = keep
        self._last = max(known, default=0)
        self._begun: OrderedDict[str, _Group] = OrderedDict()
        self._made = {made["of"]: _with_dictionary(number, made["text"]) for number, made in sorted(known.items())}

    def record(self, game: str, text: bytes) -> tuple[str, bytes]:
        """The packing of a record of a game, and the packed text."""
        packing, packed = self._packed(f"records of {game}", _RECORDS, text, text)
        return packing, packed[0]

    def answer(self, request: bytes, value: bytes) -> tuple[str, bytes, bytes]:
        """The packing of an answer, and its packed request and value."""
        of = f"requests {blake2b(request[:_BEGINNING], digest_size=8).hexdigest()}"
        packing, packed = self._packed(of, _ANSWERS, value[:_VALUE] + _frame(request), request, value)
        return packing, packed[0], packed[1]

    def _packed(self, of: str, enough: int, sample: bytes, *texts: bytes) -> tuple[str, tuple[bytes, ...]]:
        if not SHORTEST <= sum(map(len, texts)) <= MOST_BYTES:
            return PLAIN, texts
        group = self._made.get(of) or self._first_of(of, enough, sample)
        return group.packing, tuple(map(group.packed, texts))

    def _first_of(self, of: str, enough: int, sample: bytes) -> _Group:
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
            group = self._made[of] = self._with_new_dictionary(of, group.sample)
        return group

    def _with_new_dictionary(self, of: str, sample: bytes) -> _Group:
        text = sample.decode(errors="ignore")  # the first character may be cut
        self._last += 1
        self._keep(self._last, {"of": of, "text": text})
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
    return zlib.compressobj(9, wbits=-13, memLevel=5, zdict=dictionary)


def _frame(request: bytes) -> bytes:
    """The beginning and the end of a request, which those that begin alike share; what changes stands between."""
    room = LONGEST - _VALUE
    return request if len(request) <= room else request[: room - _END] + request[-_END:]

"""Reads SQLite's write-ahead log, to notice damage that SQLite takes for the log's end and drops in silence.

The log of a killed run holds what has not been merged into the database. SQLite reads it up to the first frame whose
checksum is wrong, as the file format (https://www.sqlite.org/fileformat2.html#walformat) says, and forgets the rest.
"""

import struct
import sys
from array import array
from collections import Counter
from pathlib import Path

import attrs

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682  # the last bit says whether checksums are computed over big-endian words


@attrs.frozen
class LogFile:
    """What a log holds: its page size, its committed pages by number (the newest of each), and its damage.

    ``pages_in_database`` is the database's size in pages after the last commit. ``damage`` says what is wrong, or is
    ``""``. Frames that no commit follows are no damage, whatever their checksums: a transaction was cut off before its
    end, and nothing in them was ever acknowledged.
    """

    page_size: int = 0
    pages_in_database: int = 0
    pages: dict[int, bytes] = attrs.field(factory=dict[int, bytes], repr=False)
    damage: str = ""


def read_log(path: Path) -> LogFile:
    """Read a log; one that is missing or empty has no pages and no damage."""
    data = path.read_bytes() if path.is_file() else b""
    if len(data) <= _HEADER.size:  # nothing but a header: nothing was committed
        return LogFile()
    magic, _, page_size, _, salt1, salt2, sum1, sum2 = _HEADER.unpack_from(data)
    is_big = bool(magic & 1)
    step = _FRAME.size + page_size
    if magic & ~1 != _MAGIC or _sums(data[:24], (0, 0), is_big=is_big) != (sum1, sum2) or page_size < 512:
        return LogFile(damage=f"{path.name}: the header of the log is damaged; what it holds cannot be read")
    sums, committed, pending, size = (sum1, sum2), dict[int, bytes](), dict[int, bytes](), 0
    for at in range(_HEADER.size, len(data) - step + 1, step):
        page, pages_after, *salts, sum1, sum2 = _FRAME.unpack_from(data, at)
        body = data[at + _FRAME.size : at + step]
        found = _sums(body, _sums(data[at : at + 8], sums, is_big=is_big), is_big=is_big)
        if salts != [salt1, salt2] or found != (sum1, sum2):
            # Inside a long transaction SQLite overwrites frames and mends the checksums behind them at its end, so that
            # only a commit, the one kind of frame that says the size of the database, tells that they were valid once.
            later = (_FRAME.unpack_from(data, other) for other in range(at + step, len(data) - step + 1, step))
            if any(size_then and [*salts_then] == [salt1, salt2] for _, size_then, *salts_then, _, _ in later):
                number = (at - _HEADER.size) // step + 1
                damage = f"{path.name}: frame {number} of the log is damaged; what was written from there on is unread"
                return LogFile(page_size, size, committed, damage)
            break
        sums = found
        pending[page] = body
        if pages_after:
            committed |= pending
            pending, size = {}, pages_after
    return LogFile(page_size, size, committed)


def every_page(path: Path, database: bytes) -> LogFile:
    """Read the pages of a damaged log up to its last commit, for the database whose bytes are given, unchecked.

    What it says is not to be trusted; whoever reads rows from such pages has to check each row.
    """
    data = path.read_bytes() if path.is_file() else b""
    (page_size,) = struct.unpack_from(">H", database, 16)
    page_size = page_size if page_size > 1 else 1 << 16
    step = _FRAME.size + page_size
    frames = [_FRAME.unpack_from(data, at) for at in range(_HEADER.size, len(data) - step + 1, step)]
    if not frames:
        return LogFile()
    salts = Counter(frame[2:4] for frame in frames).most_common(1)[0][0]  # frames of an older log may stand behind
    commits = [place for place, frame in enumerate(frames) if frame[2:4] == salts and frame[1]]
    if not commits:
        return LogFile()
    pages: dict[int, bytes] = {}
    for place, frame in enumerate(frames[: commits[-1] + 1]):
        if frame[2:4] == salts:
            at = _HEADER.size + place * step + _FRAME.size
            pages[frame[0]] = data[at : at + page_size]
    size = frames[commits[-1]][1]
    return LogFile(page_size, size, {page: body for page, body in pages.items() if 0 < page <= size})


def merged(database: bytes, log: LogFile) -> bytes:
    """Return the bytes of a database with a log's pages in place, marked as one that has no log."""
    image = bytearray(database)
    if log.pages:
        image.extend(bytes(max(0, log.pages_in_database * log.page_size - len(image))))
        for number, page in log.pages.items():
            image[(number - 1) * log.page_size : number * log.page_size] = page
        del image[log.pages_in_database * log.page_size :]
    image[18:20] = b"\x01\x01"  # the versions of the format for writing and for reading
    return bytes(image)


def _sums(data: bytes, start: tuple[int, int], *, is_big: bool) -> tuple[int, int]:
    words = array("I", data)
    if is_big != (sys.byteorder == "big"):
        words.byteswap()
    first, second = start
    each = iter(words)
    for word in each:
        first = (first + word + second) & 0xFFFFFFFF
        second = (second + next(each) + first) & 0xFFFFFFFF
    return first, second

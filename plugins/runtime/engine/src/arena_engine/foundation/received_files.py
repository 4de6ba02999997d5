"""Reads files from somebody else within limits: regular files alone, and no more than a reader can hold."""

import json
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, cast

from arena.errors import ArenaError

TEXT_BYTES: Final = 12_000_000
"""The longest text that is read."""
TOTAL_BYTES: Final = 48_000_000
"""The longest that all texts of one command may be together."""
LEVELS: Final = 100
"""How deep lists and objects may lie in each other."""
PARTS: Final = 150_000
"""The most lists and objects of one JSON text, and the most lines of a table."""
VALUES: Final = 1_500_000
"""The most values of one text."""
ENTRIES: Final = 10_000
"""The most files in an archive."""
RATIO: Final = 200
"""How many times longer than packed a file of an archive may be."""

_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 65_557
_LISTED_BYTES: Final = 2_000_000
_SMALL: Final = 100_000
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SPLIT: Final = "give it in smaller files, one command for each"


class ReceivedFiles:
    """Reads the files of one command; every ``ArenaError`` is one sentence that names the file and the limit."""

    def __init__(self) -> None:
        self._left = TOTAL_BYTES

    def content(self, path: Path) -> bytes:
        """The content of a regular file."""
        with _opened(path) as file:
            return self._read(file, str(path))

    def unpacked(self, path: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
        """The files of a ZIP archive whose names end so, each with its name."""
        with _opened(path) as file:
            try:
                _check_directory(file, path)
                with zipfile.ZipFile(file) as archive:
                    if len(archive.namelist()) > ENTRIES:
                        raise ArenaError(f"{path}: holds more than {ENTRIES:,} files; {_SPLIT}")
                    for entry in archive.infolist():
                        if entry.filename.endswith(endings):
                            where = f"{path}/{entry.filename}"
                            _check_ratio(entry, where)
                            with archive.open(entry) as packed:
                                yield where, self._read(packed, where)
            except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError) as error:
                raise ArenaError(f"{path}: cannot be unpacked ({error}); expected a ZIP file") from None

    def _read(self, file: Any, where: str) -> bytes:
        most = min(TEXT_BYTES, self._left)
        content: bytes = file.read(most + 1)
        if len(content) > TEXT_BYTES:
            raise ArenaError(f"{where}: longer than {TEXT_BYTES:,} bytes; {_SPLIT}")
        if len(content) > most:
            raise ArenaError(f"{where}: all files together are longer than {TOTAL_BYTES:,} bytes; {_SPLIT}")
        self._left -= len(content)
        return content


def received_json(text: str, where: str, remedy: str = "give a CSV or JSON file of results") -> Any:
    """The value of a JSON text; ``ArenaError`` if it is none, or deeper or larger than any file of results.

    ``remedy`` ends the sentence about what is no JSON.
    """
    if text.count("[") + text.count("{") > PARTS or text.count(",") > VALUES:
        bare = _STRING.sub("", text)
        if bare.count("[") + bare.count("{") > PARTS or bare.count(",") > VALUES:
            raise ArenaError(f"{where}: more than {PARTS:,} lists and objects, or {VALUES:,} values; {_SPLIT}")
    try:
        found = json.loads(text, parse_constant=_refused)
        if _levels(found) > LEVELS:
            raise RecursionError
        if _HALF.search(text):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ArenaError(f"{where}: a text in it ends in half a character; correct its escapes") from None
    except RecursionError:
        raise ArenaError(f"{where}: no JSON (it is nested deeper than {LEVELS}); {remedy}") from None
    except ValueError as error:
        raise ArenaError(f"{where}: no JSON ({error}); {remedy}") from None
    return found


def check_table(text: str, where: str) -> None:
    """Raise ``ArenaError`` for a CSV text with more lines or cells than any file of results."""
    if text.count("\n") + text.count("\r") > 2 * PARTS or text.count(",") > VALUES:
        raise ArenaError(f"{where}: more than {PARTS:,} lines or {VALUES:,} cells; {_SPLIT}")


def _opened(path: Path) -> BinaryIO:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ArenaError(f"{path}: not a regular file, and nothing else is read; save it as a file")
        return os.fdopen(descriptor, "rb")
    except OSError as error:
        raise ArenaError(f"{path}: cannot be read ({error.strerror}); check the path") from None


def _check_directory(file: BinaryIO, path: Path) -> None:
    """Look at the size of an archive's list of files before it is read."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_BYTES))
    tail = file.read()
    at = tail.rfind(_END)
    if at >= 0 and len(tail) >= at + 16 and struct.unpack_from("<L", tail, at + 12)[0] > _LISTED_BYTES:
        raise ArenaError(f"{path}: holds more than {ENTRIES:,} files; {_SPLIT}")
    file.seek(0)


def _check_ratio(entry: zipfile.ZipInfo, where: str) -> None:
    if entry.file_size > max(_SMALL, RATIO * entry.compress_size):
        raise ArenaError(f"{where}: unpacks to more than {RATIO} times its size; unpack it yourself if that is meant")


def _levels(value: Any) -> int:
    """How deep lists and objects lie in each other, as far as one more than ``LEVELS``."""
    layer: list[Any] = [value]
    for level in range(LEVELS + 1):
        layer = [part for each in layer for part in _parts(each)]
        if not layer:
            return level
    return LEVELS + 1


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(cast("dict[str, Any]", value).values())
    return (
        [each for each in cast("list[Any]", value) if isinstance(each, dict | list)] if isinstance(value, list) else []
    )


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")

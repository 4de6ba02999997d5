"""A file of log lines that is set aside when it is full, and that never stops a run."""

import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from arena.errors import ConfigError

FULL_BYTES: Final = 100_000_000
"""A file of at least so many bytes is set aside before the next line."""

KEPT: Final = 9
"""How many files that were set aside are kept, as ``FILE.1`` (the youngest) to ``FILE.9``."""


class EventFile:
    """Takes whole lines, as the file that ``structlog.WriteLogger`` writes to.

    Each line is written at once, so that a process that is killed loses none. The first that cannot be written ends the
    log: ``tell`` is called with a sentence, and what follows is dropped.
    """

    def __init__(self, path: Path, tell: Callable[[str], None], full_bytes: int = FULL_BYTES) -> None:
        self._path = path
        self._tell = tell
        self._full_bytes = full_bytes
        self._is_new = not path.exists()
        self._file: int | None = _opened(path)

    def write(self, text: str) -> None:
        """Append lines; sets the file aside first if it is full."""
        if self._file is None:
            return
        size = None
        try:
            if self._is_full():
                self._set_aside()
            size = os.fstat(self._file).st_size
            left = text.encode()
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            with suppress(OSError):  # of a pipe or a terminal nothing can be taken back
                if size is not None:
                    os.ftruncate(self._file, size)
            self.close()
            self._tell(f"arena: {self._path} cannot be written ({error.strerror}); the run goes on without that log")

    def flush(self) -> None:
        """Do nothing: each line is written at once."""

    def close(self) -> None:
        """Close the file; one that was made and has no line is removed."""
        if self._file is None:
            return
        is_empty = self._is_new and os.fstat(self._file).st_size == 0
        os.close(self._file)
        self._file = None
        if is_empty:
            with suppress(OSError):
                self._path.unlink()

    def _is_full(self) -> bool:
        assert self._file is not None
        found = os.fstat(self._file)
        return stat.S_ISREG(found.st_mode) and found.st_size >= self._full_bytes

    def _set_aside(self) -> None:
        assert self._file is not None
        names = [self._path, *(Path(f"{self._path}.{number}") for number in range(1, KEPT + 1))]
        for older, younger in reversed(list(zip(names[1:], names, strict=False))):
            if younger.exists():
                os.replace(younger, older)
        file, self._file = self._file, _opened(self._path)
        os.close(file)


@contextmanager
def event_file(path: Path, tell: Callable[[str], None]) -> Generator[EventFile]:
    """Open a log for appending; ``ConfigError`` if it cannot be written, or holds something else than a log."""
    try:
        file = EventFile(path, tell)
    except OSError as error:
        raise ConfigError(f"--log-json {path}: cannot be written ({error.strerror}); choose another file") from None
    try:
        yield file
    finally:
        file.close()


def _opened(path: Path) -> int:
    """Open a file to append lines; a last line that was cut off is ended.

    Nothing waits for whoever reads a pipe. ``ConfigError`` if there is a file that is no log.
    """
    begins, ends = b"", b"\n"
    if path.is_file():
        with path.open("rb") as old:
            begins = old.read(1)
            if begins:
                old.seek(-1, os.SEEK_END)
                ends = old.read(1)
    if begins not in (b"", b"{"):
        raise ConfigError(f"--log-json {path}: holds something that is no log; choose another file")
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    if ends != b"\n":
        os.write(file, b"\n")
    return file

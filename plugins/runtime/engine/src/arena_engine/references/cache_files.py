"""Files of the user's cache folder: written whole, read only where they are sound, and safe to delete at any time."""

import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final


def cache_folder() -> Path | None:
    """The folder of everything Arena keeps for a user: ``$XDG_CACHE_HOME/arena``, by default under ``~/.cache``.

    ``None`` where the user has no home.
    """
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "arena"
    try:
        return Path.home() / ".cache" / "arena"
    except RuntimeError:
        return None


def own_text(path: Path, most: int) -> str:
    """The text of a plain file of this user's with at most so many bytes; ``ValueError`` for any other."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        is_own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        if not stat.S_ISREG(found.st_mode) or not is_own or found.st_size > most:
            raise ValueError(f"{path} is no file of Arena's")
        return file.read(most).decode()


def write_whole(path: Path, text: str) -> str | None:
    """Write a file under another name and rename it; the reason why it cannot be written, or ``None``."""
    written: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=".", suffix=path.suffix, delete=False) as file:
            written = file.name
            file.write(text.encode())
        os.replace(written, path)
    except OSError as error:
        if written:
            with suppress(OSError):
                os.unlink(written)
        return f"{path.parent}: {error.strerror or error}"
    return None


_unlooked: dict[Path, int] = {}
"""Bytes that this process has written into a folder since it last looked at the folder's size."""

LOOKS: Final = 16
"""How often a folder is looked at while it is filled once: to look takes long where there are thousands of files."""


class KeptTexts:
    """Texts by their keys in one folder of the user's cache, in at most ``most`` bytes; any process may share it.

    The one that was used longest ago goes first. What is damaged, or no file of this user's, counts as absent; where
    nothing can be written, nothing is kept. Each process that writes may exceed ``most`` by a sixteenth of it.
    """

    def __init__(self, name: str, most: int) -> None:
        cache = cache_folder()
        self._folder = None if cache is None else cache / name
        self._most = most

    def get(self, key: str) -> str | None:
        """The text of a key; ``None`` if there is no sound one."""
        path = self._path(key)
        if path is None:
            return None
        try:
            check, _, content = own_text(path, self._most).partition("\n")
            if check != _digest(content) or not content.startswith(f"{key}\n"):
                return None
            os.utime(path)
        except (OSError, ValueError):
            return None
        return content[len(key) + 1 :]

    def put(self, key: str, text: str) -> None:
        """Keep a text under a key, which is one line."""
        path = self._path(key)
        content = f"{key}\n{text}"
        if path is None or (size := len(content.encode())) >= self._most:
            return
        write_whole(path, f"{_digest(content)}\n{content}")
        _unlooked[path.parent] = _unlooked.get(path.parent, self._most) + size
        if _unlooked[path.parent] * LOOKS >= self._most:
            _unlooked[path.parent] = 0
            self._make_room(path.parent)

    def _path(self, key: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{_digest(key)}.txt"

    def _make_room(self, folder: Path) -> None:
        """Remove what was used longest ago until the rest fits."""
        found: list[tuple[int, int, Path]] = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):  # another process has removed it
                    told = entry.stat(follow_symlinks=False)
                    found.append((told.st_mtime_ns, told.st_size, Path(entry.path)))
        held = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if held <= self._most:
                return
            held -= size
            with suppress(OSError):
                path.unlink()


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()

"""What the user has agreed to once, as lines of files in ``$XDG_CONFIG_HOME/arena``, or under ``~/.config``.

What was agreed to before needs no other consent, whatever file names it, and a run that is resumed on another machine
with the same home goes on.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arena.errors import ConfigError

MOST_BYTES: Final = 1 << 20
"""No more is read of a file."""


def settings_file(name: str) -> Path:
    """Where the lines of a name are kept."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    place = Path(given) if os.path.isabs(given) else Path(os.path.expanduser("~")) / ".config"
    return place / "arena" / name


def kept_lines(name: str) -> tuple[str, ...]:
    """The lines that are kept; ``ConfigError`` if the file cannot be read."""
    return tuple(filter(None, map(str.strip, read_small(settings_file(name)).splitlines())))


def keep_lines(name: str, lines: Iterable[str]) -> None:
    """Add lines that are not there, in one write; ``OSError`` if the file cannot be written."""
    known = kept_lines(name)
    if added := "".join(f"{line}\n" for line in dict.fromkeys(lines) if line not in known):
        file = settings_file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(opened, added.encode())
        finally:
            os.close(opened)


def read_small(file: Path) -> str:
    """A small text; empty if there is no such file, ``ConfigError`` if it cannot be read."""
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError(f"{str(file)!r} cannot be read: {why}; correct or remove it") from None

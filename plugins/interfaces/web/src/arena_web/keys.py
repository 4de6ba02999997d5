"""The keys of links: made at random, kept as digests in a directory that one user alone can enter."""

import json
import os
import secrets
import stat
import time
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

from arena.errors import ArenaError

Right: TypeAlias = Literal["host", "reader"]
"""What the holder of a key may do: a host everything, a reader nothing but look."""

RIGHTS: Final[tuple[Right, ...]] = ("host", "reader")

FAILURES: Final = 10
"""So many wrong keys are answered in a minute as what they are; more are told to wait."""

_MINUTE: Final = 60.0


class Keys:
    """The keys that open this server; none is ever written down, only its SHA-256.

    A host's key ends with the server that made it, others outlive it. ``clock`` counts seconds.
    """

    def __init__(self, directory: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._directory = private_directory(directory)
        self._clock = clock
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._own: set[str] = set()
        self._known: dict[str, Right] = dict(self._kept())

    def make(self, right: Right) -> str:
        """A new key with a right."""
        key = secrets.token_urlsafe(32)
        digest = _digest(key)
        self._known[digest] = right
        self._own.add(digest)
        descriptor = os.open(self._path(digest), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump({"right": right, "process": os.getpid()}, file)
        return key

    def right_of(self, key: str) -> Right | None:
        """The right of a key; ``None`` if it opens nothing."""
        wanted = _digest(key)
        found: list[Right] = [right for digest, right in self._known.items() if compare_digest(digest, wanted)]
        if not found:
            self._failures.append(self._clock())
        return found[0] if found else None

    @property
    def has_failed_often(self) -> bool:
        """Whether so many wrong keys came within a minute that the next wrong one is told to wait."""
        return len(self._failures) == FAILURES and self._clock() - self._failures[0] < _MINUTE

    def close(self) -> None:
        """Forget the keys of hosts that were made here."""
        for digest in [digest for digest in self._own if self._known.get(digest) == "host"]:
            del self._known[digest]
            self._path(digest).unlink(missing_ok=True)

    def _kept(self) -> list[tuple[str, Right]]:
        """The keys of earlier servers that are no host's."""
        found: list[tuple[str, Right]] = []
        for path in self._directory.glob("*.key"):
            try:
                right = json.loads(path.read_text("utf-8"))["right"]
            except (OSError, ValueError, LookupError, TypeError):
                continue
            if right in RIGHTS and right != "host":
                found.append((path.stem, cast("Right", right)))
        return found

    def _path(self, digest: str) -> Path:
        return self._directory / f"{digest}.key"


def private_directory(directory: Path) -> Path:
    """A directory that one user alone can enter, made where it is missing; ``ArenaError`` where it cannot be."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.stat()
        if stat.S_IMODE(found.st_mode) & 0o077:
            directory.chmod(0o700)
    except OSError as error:
        raise ArenaError(f"{directory}: cannot be used for keys ({error.strerror}); choose another --state") from error
    return directory


def default_state() -> Path:
    """The user's directory for what programs remember."""
    home = os.environ.get("XDG_STATE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "state") / "arena" / "view"


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

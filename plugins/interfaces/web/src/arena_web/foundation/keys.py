"""The keys of links: made at random, kept as digests for one user alone, and counted so that none floods others."""

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
from typing import Any, Final, Literal, TypeAlias

import attrs
from arena.errors import ArenaError

from arena_web.foundation.errors import ApiError

A_SECOND: Final = 100
"""So many requests of one key are answered in a second."""


class Rates:
    """The requests of each key in the present second, at most ``most``; ``clock`` counts seconds."""

    def __init__(self, most: int = A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._second = 0
        self._counts: dict[bytes, int] = {}

    def count(self, key: str) -> None:
        """Count a request; an answer of 429 where there were too many in this second."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._counts = second, {}
        digest = sha256(key.encode()).digest()
        self._counts[digest] = self._counts.get(digest, 0) + 1
        if self._counts[digest] > self._most:
            raise ApiError(429, "requests", f"more than {self._most} in a second", "wait a second", retry_s=1)


Right: TypeAlias = Literal["host", "reader", "seat", "bystander", "participant"]
"""What the holder of a key may do.

A host everything, a reader nothing but look, a seat play for one agent of a run, a bystander see what is public of one
match, a participant take part in a study.
"""

RIGHTS: Final[tuple[Right, ...]] = ("host", "reader", "seat", "bystander", "participant")


@attrs.frozen(kw_only=True)
class Grant:
    """What a key opens: its right, and of a seat or a match the directory of the run and the run's id.

    A seat is an ``agent`` and a ``player``, which is ``None`` where the agent sits in its matches once, as whichever
    player. ``match`` is the id of a bystander's match, ``code`` a participant's, who has a seat by it.
    ``digest`` is the key's. After ``expires``, in seconds since 1970, it opens nothing; ``None``: it lasts.
    """

    right: Right
    digest: str = ""
    run: str = ""
    header: str = ""
    agent: str = ""
    player: int | None = None
    match: str = ""
    code: str = ""
    expires: float | None = None

    @property
    def id(self) -> str:
        """What names the key, for whoever wants to end it."""
        return self.digest[:ID]

    @property
    def seat(self) -> tuple[str, str, int | None]:
        """The seat that it opens: the run's id, the agent, and the player where the agent has several."""
        return self.header, self.agent, self.player


ID: Final = 16
"""So many digits of a key's digest name it, for whoever wants to end it."""

FAILURES: Final = 10
"""So many wrong keys are answered in a minute as what they are; more are told to wait."""

_MINUTE: Final = 60.0


class Keys:
    """The keys that open this server; none is ever written down, only its SHA-256.

    A host's key ends with the server that made it, others outlive it. ``clock`` counts seconds, ``now``
    those since 1970.
    """

    def __init__(
        self,
        directory: Path,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._directory = private_directory(directory)
        self._clock = clock
        self._now = now
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._own: dict[str, Grant] = {}

    def make(self, right: Right, *, lasts_s: float | None = None, **opens: Any) -> str:
        """A new key with a right, for so many seconds or for good; ``opens`` are the other fields of its grant."""
        key = secrets.token_urlsafe(32)
        digest = _digest(key)
        expires = None if lasts_s is None else self._now() + lasts_s
        grant = Grant(right=right, digest=digest, expires=expires, **opens)
        if right == "host":
            self._own[digest] = grant
        descriptor = os.open(self._path(digest), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump({**attrs.asdict(grant), "process": os.getpid()}, file)
        return key

    def grant_of(self, key: str) -> Grant | None:
        """What a key opens; ``None`` if it opens nothing."""
        wanted = _digest(key)
        hosts = [grant for digest, grant in self._own.items() if compare_digest(digest, wanted)]
        found = hosts[0] if hosts else self._kept(self._path(wanted))
        if found is None:
            self._failures.append(self._clock())
        return found

    def lent(self) -> list[Grant]:
        """What all keys open that are no host's, in the order of their ids."""
        kept = map(self._kept, sorted(self._directory.glob("*.key")))
        return [grant for grant in kept if grant is not None]

    def is_open(self, grant: Grant) -> bool:
        """Whether a key still opens what it opened, for whoever stays connected with it."""
        return self._is_in_time(grant) and self._path(grant.digest).exists()

    def end(self, id_: str) -> bool:
        """Let a key that is no host's open nothing any more; whether there was one."""
        paths = [path for path in self._directory.glob("*.key") if path.stem[:ID] == id_ and self._kept(path)]
        for path in paths:
            path.unlink(missing_ok=True)
        return bool(paths)

    @property
    def has_failed_often(self) -> bool:
        """Whether so many wrong keys came within a minute that the next wrong one is told to wait."""
        return len(self._failures) == FAILURES and self._clock() - self._failures[0] < _MINUTE

    def close(self) -> None:
        """Forget the keys of hosts that were made here."""
        for digest in self._own:
            self._path(digest).unlink(missing_ok=True)
        self._own.clear()

    def _kept(self, path: Path) -> Grant | None:
        """What a key opens of which there is a file; ``None`` for that of a host, which ends with its server.

        One whose time is over opens nothing, and its file goes.
        """
        try:
            raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
            raw["digest"] = path.stem
            grant = Grant(**{name: raw[name] for name in attrs.fields_dict(Grant) if name in raw})
        except (OSError, ValueError, LookupError, TypeError):
            return None
        if not self._is_in_time(grant):
            path.unlink(missing_ok=True)
            return None
        return grant if grant.right in RIGHTS and grant.right != "host" else None

    def _is_in_time(self, grant: Grant) -> bool:
        return grant.expires is None or self._now() < grant.expires

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

"""A policy as a table: how often each action is taken, by what the player knows; and its file.

The file is gzipped JSON with a checksum, and no code. It is written aside and renamed, so any number of processes may
share a directory; what is damaged is warned of and made again.
"""

import gzip
import json
import os
import warnings
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import attrs
from arena.record import canonical

FORMAT = 1
"""Raised when files written before cannot be used any more."""


@attrs.frozen
class Known:
    """What a table says of one situation: actions, how often each is taken, and what it earns.

    ``is_reached`` is false where the other player hardly ever lets it come to this, so that nothing can be said about
    what the actions earn.
    """

    actions: tuple[int, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...] = ()
    is_reached: bool = True


@attrs.frozen(kw_only=True)
class PolicyTable:
    """A policy with how good it is.

    ``exploitability`` is what best responses gain against it, summed over both players and halved; ``returns`` is what
    the players earn if both play by it. ``counts`` says how many situations each player can come into.
    """

    game: str
    method: str
    situations: Mapping[str, Known]
    exploitability: float
    returns: tuple[float, ...]
    counts: tuple[int, ...]

    def to_json(self) -> str:
        """The table as text."""
        return canonical(attrs.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "PolicyTable":
        """Undo ``to_json``; ``KeyError``, ``TypeError`` or ``ValueError`` where it is something else."""
        raw: dict[str, Any] = json.loads(text)
        known = {
            key: Known(tuple(k["actions"]), tuple(k["probabilities"]), tuple(k["values"]), k["is_reached"])
            for key, k in raw.pop("situations").items()
        }
        raw |= {"returns": tuple(raw["returns"]), "counts": tuple(raw["counts"])}
        return cls(situations=known, **raw)


def directory() -> Path:
    """Where equilibria are kept: ``$XDG_CACHE_HOME/arena/equilibria``, by default under ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arena" / "equilibria"


def kept(asked: Mapping[str, Any], make: Callable[[], PolicyTable]) -> PolicyTable:
    """The table for what is asked, from its file or made and put there; the file's name comes from ``asked`` alone."""
    key = sha256(canonical({**asked, "format": FORMAT}).encode()).hexdigest()
    path = directory() / f"{key}.json.gz"
    found = _read(path)
    if found is None:
        found = make()
        _write(path, found)
    return found


def load(path: Path) -> PolicyTable:
    """A table from its file; ``OSError``, ``ValueError``, ``KeyError`` or ``TypeError`` where that cannot be read."""
    raw: dict[str, str] = json.loads(gzip.decompress(path.read_bytes()))
    if raw["check"] != _check(raw["table"]):
        raise ValueError("its checksum is another")
    return PolicyTable.from_json(raw["table"])


def save(path: Path, table: PolicyTable) -> None:
    """Write a table, whole or not at all; ``OSError`` passes."""
    text = table.to_json()
    content = gzip.compress(json.dumps({"check": _check(text), "table": text}).encode(), 6, mtime=0)
    path.parent.mkdir(parents=True, exist_ok=True)
    written: str | None = None
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            written = file.name
            file.write(content)
        os.replace(written, path)
    except OSError:
        if written:
            Path(written).unlink(missing_ok=True)
        raise


def _read(path: Path) -> PolicyTable | None:
    try:
        return load(path)
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{path}: cannot be used ({type(error).__name__}: {error}); the equilibrium is computed again"
        warnings.warn(why, RuntimeWarning, stacklevel=2)
        return None


def _write(path: Path, table: PolicyTable) -> None:
    try:
        save(path, table)
    except OSError as error:
        warnings.warn(
            f"{path}: cannot be written ({error}); the next run computes it again", RuntimeWarning, stacklevel=2
        )


def _check(text: str) -> str:
    return sha256(text.encode()).hexdigest()

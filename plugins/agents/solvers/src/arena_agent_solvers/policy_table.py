"""A policy as a table of action probabilities by information state, and the file that stores it.

The file is gzipped JSON with a checksum, never code. It is written under a temporary name and renamed, so any number of
processes may share a directory; a damaged file causes a warning and is computed again.
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
from arena.record import canonical_json

FORMAT = 1
"""The version of the file format; raised when older files cannot be used any more."""


@attrs.frozen
class PolicyEntry:
    """A table's entry for one information state: actions, their probabilities, and what each earns.

    ``is_reached`` is false if the opponent's policy hardly ever leads here, so that nothing can be said about what the
    actions earn.
    """

    actions: tuple[int, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...] = ()
    is_reached: bool = True


@attrs.frozen(kw_only=True)
class PolicyTable:
    """A policy, and how good it is.

    ``exploitability`` is what best responses gain against it, summed over both players and halved; ``returns`` is what
    the players earn if both follow it. ``counts`` is the number of information states of each player.
    """

    game: str
    method: str
    situations: Mapping[str, PolicyEntry]
    exploitability: float
    returns: tuple[float, ...]
    counts: tuple[int, ...]

    def to_json(self) -> str:
        """The table as JSON text for ``from_json``."""
        return canonical_json(attrs.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "PolicyTable":
        """Undo ``to_json``; ``KeyError``, ``TypeError`` or ``ValueError`` if the text is not a table."""
        raw: dict[str, Any] = json.loads(text)
        known = {
            key: PolicyEntry(tuple(k["actions"]), tuple(k["probabilities"]), tuple(k["values"]), k["is_reached"])
            for key, k in raw.pop("situations").items()
        }
        raw |= {"returns": tuple(raw["returns"]), "counts": tuple(raw["counts"])}
        return cls(situations=known, **raw)


def directory() -> Path:
    """The directory of stored equilibria: ``$XDG_CACHE_HOME/arena/equilibria``, by default under ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arena" / "equilibria"


def kept(asked: Mapping[str, Any], make: Callable[[], PolicyTable]) -> PolicyTable:
    """Read the table for ``asked`` from its file, or make and store it; the file's name depends on ``asked`` alone."""
    key = sha256(canonical_json({**asked, "format": FORMAT}).encode()).hexdigest()
    path = directory() / f"{key}.json.gz"
    found = _read(path)
    if found is None:
        found = make()
        _write(path, found)
    return found


def load(path: Path) -> PolicyTable:
    """Read a table from its file; ``OSError``, ``ValueError``, ``KeyError`` or ``TypeError`` if that fails."""
    raw: dict[str, str] = json.loads(gzip.decompress(path.read_bytes()))
    if raw["check"] != _check(raw["table"]):
        raise ValueError("its checksum is another")
    return PolicyTable.from_json(raw["table"])


def save(path: Path, table: PolicyTable) -> None:
    """Write a table, whole or not at all; raises ``OSError`` if it cannot be written."""
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

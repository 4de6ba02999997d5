"""Keeps the random matches of games in the user's cache folder, so that each is played once.

An entry is a file of JSON with a checksum, under the digest of its game. It is written under a temporary name and
renamed, so any number of processes may share the folder. What is damaged, belongs to somebody else or is not what Arena
writes counts as absent.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.record import canonical_json

from arena_engine.references.cache_files import cache_folder, own_text, write_whole
from arena_engine.references.playouts import PLAYOUTS, Playout, Playouts

FORMAT: Final = 1
"""The version of the file format; raised when older files cannot be used any more."""

MOST_BYTES: Final = 1_000_000
"""No entry is as long as this."""

_SUFFIX: Final = ".json"
_WRITTEN: Final = frozenset({"format", "check", "digest", "game", "players", "seconds", "played"})


@attrs.frozen(kw_only=True)
class KeptReference:
    """One entry of the cache: the game's title, its players, and its random matches."""

    digest: str
    game: str
    players: int
    playouts: Playouts


def references_folder() -> Path | None:
    """The folder of random matches in the cache; ``None`` where the user has no home."""
    folder = cache_folder()
    return None if folder is None else folder / "references"


def read_reference(digest: str, players: int) -> Playouts:
    """The random matches that are kept of a game, none if there is no sound entry."""
    folder = references_folder()
    found = None if folder is None else _read(folder / f"{digest}{_SUFFIX}")
    return Playouts() if found is None or found.players != players else found.playouts


def keep_reference(entry: KeptReference) -> str | None:
    """Write an entry, unless a longer one is there; the reason why it cannot be written, or ``None``."""
    folder = references_folder()
    if folder is None:
        return "there is no home folder"
    path = folder / f"{entry.digest}{_SUFFIX}"
    if (there := _read(path)) is not None and len(there.playouts.played) >= len(entry.playouts.played):
        return None
    return write_whole(path, _text(entry))


def kept_references() -> Iterator[KeptReference]:
    """Yield all sound entries of the cache, by the names of their games."""
    folder = references_folder()
    found = sorted(folder.glob(f"[!.]*{_SUFFIX}")) if folder is not None and folder.is_dir() else []
    entries = [entry for path in found if (entry := _read(path)) is not None]
    yield from sorted(entries, key=lambda entry: (entry.game, entry.players, entry.digest))


def _text(entry: KeptReference) -> str:
    content: dict[str, Any] = {
        "format": FORMAT,
        "digest": entry.digest,
        "game": entry.game,
        "players": entry.players,
        "seconds": round(entry.playouts.seconds, 3),
        "played": [[list(each.returns), each.turns, each.steps] for each in entry.playouts.played],
    }
    return canonical_json({**content, "check": _check(content)})


def _check(content: Any) -> str:
    return sha256(canonical_json(content).encode()).hexdigest()


def _read(path: Path) -> KeptReference | None:
    """The entry in a file; ``None`` if there is none, or one that is not sound."""
    try:
        text = own_text(path, MOST_BYTES)
        raw: Any = json.loads(text)
        check = raw.pop("check")
        if raw.keys() | {"check"} != _WRITTEN or raw["format"] != FORMAT or check != _check(raw):
            return None
        entry = _entry(raw)
    except (OSError, UnicodeDecodeError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return entry if path.name == f"{entry.digest}{_SUFFIX}" else None


def _entry(raw: Any) -> KeptReference:
    """The entry of checked JSON; ``ValueError`` if a number makes no sense."""
    players, seconds = _whole(raw["players"]), _number(raw["seconds"])
    played = tuple(_playout(each, players) for each in cast("list[Any]", raw["played"]))
    if players < 1 or seconds < 0 or len(played) > PLAYOUTS:
        raise ValueError("no sensible entry")
    playouts = Playouts(played=played, seconds=seconds)
    return KeptReference(digest=str(raw["digest"]), game=str(raw["game"]), players=players, playouts=playouts)


def _playout(raw: Any, players: int) -> Playout:
    returns, turns, steps = raw
    values = tuple(_number(value) for value in cast("list[Any]", returns))
    if len(values) not in (0, players) or min(_whole(turns), _whole(steps)) < 0:
        raise ValueError("no sensible match")
    return Playout(values, turns, steps)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)

"""Keeps the random matches of games in the user's cache folder, so that each is played once.

An entry is a file of JSON with a checksum, under the digest of its game. It is written under a temporary name and
renamed, so any number of processes may share the folder. What is damaged, belongs to somebody else or is not what Arena
writes counts as absent.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from math import isfinite
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, cast

import attrs
from arena.record import canonical_json

from arena_engine.references.playouts import PLAYOUTS, Playout, Playouts


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

"""Names a game by a digest of all that decides how it is played, so that what was computed for it is found again."""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.catalog import InstalledPlugin
from arena.game import Game
from arena.record import canonical_json

from arena_engine.foundation.provenance import Origin

FORMAT: Final = 1
"""Raised when digests of before cannot be used any more."""

METHOD: Final = "uniform random play 1"
"""How random matches are played; another word when they are played in another way."""

MOST_BYTES: Final = 20_000_000
"""Files among a game's parameters that are larger have no digest, and neither have games with them."""


class Undescribed(Exception):
    """A parameter of a game is of a kind that has no digest."""


def digest_of(game: Game, players: int, plugins: Iterable[InstalledPlugin]) -> str | None:
    """The digest of a game with its parameters, for a number of players; ``None`` if it has none.

    A game that retells another one shares that one's digest. ``plugins`` are those that the game is made of: their
    distributions count with their versions, editable ones with their sources. Without any, nobody can say which version
    of the rules was played, so there is no digest.
    """
    found = {entry.dist: entry for entry in plugins}
    if not found:
        return None
    try:
        content = {
            "format": FORMAT,
            "method": METHOD,
            "game": described(original(game)),
            "players": players,
            "distributions": {dist: _version(entry) for dist, entry in sorted(found.items())},
        }
        return sha256(canonical_json(content).encode()).hexdigest()
    except Exception:  # the game is a plugin; without a digest, nothing of it is kept
        return None


def original(game: Game) -> Game:
    """The game that this one retells in other words, or itself."""
    seen = 0
    while (twin := game.twin_of) is not None and seen < 10:
        game, seen = twin, seen + 1
    return game


def described(value: Any) -> Any:
    """A value as JSON: objects by their class and parameters, files by their content."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Enum):
        return [_class(value), described(value.value)]
    if isinstance(value, Path):
        return ["file", sha256(_content(value)).hexdigest()]
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return ["table", sorted([canonical_json(described(key)), described(item)] for key, item in table.items())]
    if isinstance(value, list | tuple):
        return ["list", *map(described, cast("list[Any]", value))]
    if isinstance(value, set | frozenset):
        return ["set", *sorted(canonical_json(described(item)) for item in cast("set[Any]", value))]
    kind = cast("type[Any]", type(value))
    if attrs.has(kind):
        fields = [field.name for field in attrs.fields(kind) if field.init]
        return [_class(value), {name: described(getattr(value, name)) for name in fields}]
    if isinstance(value, Game) and hasattr(value, "__dict__"):
        return [_class(value), {name: described(item) for name, item in vars(value).items()}]
    raise Undescribed(type(value).__name__)


def _class(value: object) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _content(path: Path) -> bytes:
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise Undescribed(str(path))
    return path.read_bytes()


def _version(entry: InstalledPlugin) -> str:
    dist = entry.entry_point.dist
    if dist is not None and Origin.of(dist).is_editable:
        return _sources(entry.entry_point.module.partition(".")[0])
    return entry.version


@lru_cache(maxsize=64)
def _sources(package: str) -> str:
    """The digest of everything in a package that is no bytecode."""
    spec = find_spec(package)
    places = [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    if not places and spec and spec.origin:
        return sha256(Path(spec.origin).read_bytes()).hexdigest()
    found = sha256()
    for place in places:
        for path in sorted(path for path in place.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            content = _content(path)
            found.update(f"{path.relative_to(place).as_posix()}\0{len(content)}\0".encode() + content)
    return found.hexdigest()

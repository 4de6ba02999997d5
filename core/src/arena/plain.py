"""Plain data: merging it, and paths into it.

Keys may be written kebab-case or snake_case; names that a user chose (of games, agents, metrics, observers) are kept
as they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, TypeAlias, cast

from arena.errors import ConfigError

Path: TypeAlias = tuple[str, ...]
"""The way to a value: keys in snake_case, names as they are, positions as digits."""

NAMED: Final = frozenset({"games", "agents", "metrics", "observers"})
"""Tables at the top of a benchmark whose keys are names that the user chose."""


def snake(key: str) -> str:
    """The one spelling of a key."""
    return key.replace("-", "_")


def kebab(key: str) -> str:
    """A key as it is best written in a file."""
    return key.replace("_", "-")


def spelt(path: Sequence[str]) -> Path:
    """A path with its keys in their one spelling and the user's names as they are."""
    return tuple(key if i == 1 and path[0] in NAMED else snake(key) for i, key in enumerate(path))


def suggestion(word: str, known: Iterable[str]) -> str:
    """What to say behind a word that is not known: the closest known word, or what there is, a line of it at most."""
    words = list(known)
    if close := get_close_matches(word, words, n=1):
        return f" (did you mean {close[0]!r}?)"
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return f" (there is: {', '.join(words[:_LISTED])}{more})" if words else ""


_LISTED: Final = 40


def merge(base: Any, over: Any, path: Path = (), *, takes_away: bool = True) -> Any:
    """``over`` on top of ``base``: tables are merged key by key, everything else is replaced.

    With ``takes_away``, ``None`` takes an inherited key away. A table that uses another plugin than the inherited one
    replaces it, as the parameters belong to the plugin.
    """
    if not isinstance(base, Mapping) or not isinstance(over, Mapping):
        return over
    below, above = cast("Mapping[str, Any]", base), cast("Mapping[str, Any]", over)
    unnamed = None if path == ("illegal_actions",) else above.get("use")  # the plain policy goes by no name
    if "use" in above and above["use"] != below.get("use", unnamed):
        return above
    merged = dict(below)
    for key, value in above.items():
        present = find_key(merged, key, path)
        if value is None and present is not None and takes_away:
            del merged[present]
        elif present is None:
            merged[key] = value
        else:
            merged[present] = merge(merged[present], value, (*path, snake(key)), takes_away=takes_away)
    return merged


def find_key(table: Mapping[str, Any], key: str, path: Path) -> str | None:
    """The key of ``table``, found at ``path``, that is ``key`` in this or the other spelling."""
    if key in table:
        return key
    if len(path) == 1 and path[0] in NAMED:
        return None
    return next((k for k in table if snake(k) == snake(key)), None)


def locate(data: Any, dotted: str) -> Path:
    """Split a dotted path at the keys of ``data``, so that names with dots in them are found (``gpt-4.1``)."""
    parts = dotted.split(".")
    found: list[str] = []
    while parts:
        size, key = 1, parts[0]
        if isinstance(data, Mapping):
            table = cast("Mapping[str, Any]", data)
            for end in range(len(parts), 0, -1):
                present = find_key(table, ".".join(parts[:end]), tuple(map(snake, found)))
                if present is not None:
                    size, key = end, present
                    break
            data = table.get(key)
        else:
            data = _item(data, key)
        found.append(key)
        parts = parts[size:]
    return tuple(found)


def replace(data: Any, path: Sequence[str], value: Any) -> Any:
    """A copy of ``data`` with ``value`` at ``path``; missing tables are made, a plugin's bare name becomes a table."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(data, list):
        items = list(cast("list[Any]", data))
        if not key.isdecimal() or int(key) >= len(items):
            raise ConfigError(f"{key}: expected a position from 0 to {len(items) - 1} in a list")
        items[int(key)] = replace(items[int(key)], rest, value)
        return items
    table: dict[str, Any] = {"use": data} if isinstance(data, str) else {}
    if isinstance(data, Mapping):
        table = dict(cast("Mapping[str, Any]", data))
    return {**table, key: replace(table.get(key), rest, value)}


def _item(data: Any, key: str) -> Any:
    items: list[Any] = cast("list[Any]", data) if isinstance(data, list) else []
    return items[int(key)] if key.isdecimal() and int(key) < len(items) else None

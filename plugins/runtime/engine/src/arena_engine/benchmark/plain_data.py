"""Plain data: merged, changed at paths, and the mistakes found in it.

Keys may be written in kebab-case or snake_case; names that a user chose (of games, agents, metrics, observers) are
never changed.
"""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import attrs
from arena.errors import ConfigError

Path: TypeAlias = tuple[str, ...]
"""The path to a value: keys in snake_case, the user's names unchanged, positions in lists as digits."""

NAMED: Final = frozenset({"games", "agents", "metrics", "observers"})
"""The top-level tables of a benchmark whose keys are names that the user chose."""


def snake(key: str) -> str:
    """A key in snake_case, the form in which keys are compared."""
    return key.replace("-", "_")


def kebab(key: str) -> str:
    """A key in kebab-case, the form that files and messages use."""
    return key.replace("_", "-")


def normalized(path: Sequence[str]) -> Path:
    """A path with its keys in snake_case and the user's names unchanged."""
    return tuple(key if i == 1 and path[0] in NAMED else snake(key) for i, key in enumerate(path))


def merge(base: Any, over: Any, path: Path = (), *, takes_away: bool = True) -> Any:
    """Merge ``over`` into a copy of ``base``: tables are merged key by key, everything else is replaced.

    With ``takes_away``, ``None`` removes an inherited key. A table that uses another plugin than the inherited one
    replaces it, because the parameters belong to the plugin.
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
    """The key of ``table`` (found at ``path``) that equals ``key`` in kebab-case or snake_case."""
    if key in table:
        return key
    if len(path) == 1 and path[0] in NAMED:
        return None
    return next((k for k in table if snake(k) == snake(key)), None)


def locate(data: Any, dotted: str) -> Path:
    """Split a dotted path into keys; names that contain dots (``gpt-4.1``) are recognised if ``data`` has them."""
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
    """A copy of ``data`` with ``value`` at ``path``; missing tables are added, a plugin's bare name becomes a table."""
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


def compared(data: Any) -> Any:
    """A copy of plain data in which a plugin without parameters is its name alone, since both say the same."""
    if isinstance(data, Mapping):
        table = {key: compared(value) for key, value in cast("Mapping[str, Any]", data).items()}
        return table["use"] if [*table] == ["use"] else table
    return [*map(compared, cast("list[Any]", data))] if isinstance(data, list | tuple) else data


def _item(data: Any, key: str) -> Any:
    items: list[Any] = cast("list[Any]", data) if isinstance(data, list) else []
    return items[int(key)] if key.isdecimal() and int(key) < len(items) else None


@attrs.frozen
class BenchmarkProblem:
    """One mistake, with the path to it as the user wrote it."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.text}" if self.path else self.text

    @classmethod
    def parse(cls, line: str) -> "BenchmarkProblem":
        """Create a problem from its text; a name with dots in the path is split."""
        path, colon, text = line.partition(": ")
        return cls(tuple(path.split(".")), text) if colon and " " not in path else cls((), line)


class InvalidValue(Exception):
    """Raised for a value that does not fit; without a text if the problems have been added already."""


def shortened(raw: Any) -> str:
    """A value's text for a message, cut if it is long."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    return short.repr(raw)

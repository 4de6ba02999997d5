"""Plain data: reading it from YAML with the lines it stands in, merging it, and paths into it.

Keys may be written kebab-case or snake_case; names that a user chose (of games, agents, metrics, observers) are kept
as they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import attrs

from arena.errors import ConfigError

if TYPE_CHECKING:
    from ruamel.yaml import YAML

Path: TypeAlias = tuple[str, ...]
"""The way to a value: keys in snake_case, names as they are, positions as digits."""

NAMED: Final = frozenset({"games", "agents", "metrics", "observers"})
"""Tables at the top of a benchmark whose keys are names that the user chose."""


@attrs.frozen
class Read:
    """A YAML text as plain data, with the line of every value (counted from 1)."""

    data: Any
    lines: Mapping[Path, int]


def snake(key: str) -> str:
    """The one spelling of a key."""
    return key.replace("-", "_")


def kebab(key: str) -> str:
    """A key as it is best written in a file."""
    return key.replace("_", "-")


def suggestion(word: str, known: Iterable[str]) -> str:
    """What to say behind a word that is not known: the closest known word, or all there are."""
    words = list(known)
    if close := get_close_matches(word, words, n=1):
        return f" (did you mean {close[0]!r}?)"
    return f" (there is: {', '.join(words)})" if words else ""


def read(text: str, source: str) -> Read:
    """Read one YAML 1.2 document; ``ConfigError`` says in which line and column of ``source`` it is none.

    The data is JSON: keys are text, numbers are finite, dates stay text.
    """
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        data = _reader().load(text)
        lines: dict[Path, int] = {}
        if data is not None:
            _note_lines(_reader().compose(text), (), lines)
    except MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = " ".join(str(error.problem or error).split())
        raise ConfigError(f"{source}: {place}{problem}; correct the YAML there") from None
    except YAMLError as error:
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        column = getattr(error, "position", 0) - (text.rfind("\n", 0, getattr(error, "position", 0)) + 1) + 1
        problem = getattr(error, "reason", None) or " ".join(str(error).split())
        raise ConfigError(f"{source}: line {line}, column {column}: {problem}; correct the YAML there") from None
    if problems := list(_not_json(data, ())):
        raise ConfigError(
            f"{source}: line {lines.get(path, 1)}: {'.'.join(path) or 'the file'}: {why}" for path, why in problems
        )
    return Read(data, lines)


def read_value(text: str) -> Any:
    """A value as it is written behind ``--set path=``: a YAML scalar, list or table; empty text is empty text."""
    return read(text, f"--set …={text}").data if text.strip() else text


def merge(base: Any, over: Any, path: Path = ()) -> Any:
    """``over`` on top of ``base``: tables are merged key by key, everything else is replaced.

    ``None`` takes an inherited key away. A table that uses another plugin than the inherited one replaces it, as the
    parameters belong to the plugin.
    """
    if not isinstance(base, Mapping) or not isinstance(over, Mapping):
        return over
    below, above = cast("Mapping[str, Any]", base), cast("Mapping[str, Any]", over)
    if "use" in above and above["use"] != below.get("use", above["use"]):
        return above
    merged = dict(below)
    for key, value in above.items():
        present = find_key(merged, key, path)
        if value is None and present is not None:
            del merged[present]
        elif present is None:
            merged[key] = value
        else:
            merged[present] = merge(merged[present], value, (*path, snake(key)))
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


def _reader() -> "YAML":
    from ruamel.yaml import YAML
    from ruamel.yaml.constructor import SafeConstructor

    class Constructor(SafeConstructor):
        """Safe, and dates stay the text they were written as."""

    Constructor.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] -- untyped library
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = Constructor
    return yaml


def _note_lines(node: Any, path: Path, lines: dict[Path, int]) -> None:
    lines.setdefault(path, node.start_mark.line + 1)
    if node.id == "mapping":
        for key, value in node.value:
            name = str(key.value)
            below = (*path, name if len(path) == 1 and path[0] in NAMED else snake(name))
            lines.setdefault(below, key.start_mark.line + 1)
            _note_lines(value, below, lines)
    elif node.id == "sequence":
        for i, item in enumerate(node.value):
            _note_lines(item, (*path, str(i)), lines)


def _not_json(data: Any, path: Path) -> Iterable[tuple[Path, str]]:
    if isinstance(data, dict):
        for key, value in cast("dict[Any, Any]", data).items():
            if not isinstance(key, str):
                yield path, f"expected keys that are text, got {key!r}; quote it"
            else:
                yield from _not_json(value, (*path, snake(key)))
    elif isinstance(data, list):
        for i, item in enumerate(cast("list[Any]", data)):
            yield from _not_json(item, (*path, str(i)))
    elif isinstance(data, float) and not isfinite(data):
        yield path, f"expected a finite number, got {data!r}"
    elif data is not None and not isinstance(data, str | int | float):
        yield path, f"expected text, a number, true, false, a list or a table, got {data!r}"

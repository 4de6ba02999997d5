"""Reads YAML 1.2 as plain data, and remembers the line of every value."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, cast

import attrs
from arena.errors import ConfigError

from arena_engine.benchmark.merging import NAMED, Path, snake


@attrs.frozen
class Read:
    """A YAML text as plain data, with the line of every value (counted from 1)."""

    data: Any
    lines: Mapping[Path, int]


def read_yaml(text: str, source: str) -> Read:
    """Read one YAML 1.2 document; ``ConfigError`` gives the line and column of ``source`` where it is invalid.

    The data is JSON: keys are text, numbers are finite, dates stay text. A key repeated in a table is an error.
    """
    # Imported here because a run that reads no file should not pay for it.
    from ruamel.yaml.error import YAMLError

    lines: dict[Path, int] = {}
    try:
        data = _reader().load(text)
        if data is not None:
            _note_lines(_reader().compose(text), (), lines)
    except YAMLError as error:
        raise ConfigError(f"{source}: {_place_and_problem(error, text)}; correct the YAML there") from None
    except RecursionError:
        raise ConfigError(f"{source}: the YAML refers to itself or is nested too deeply; write it out") from None
    if problems := list(_not_json(data, ())):
        raise ConfigError(
            f"{source}: line {lines.get(path, 1)}: {'.'.join(path) or 'the file'}: {why}" for path, why in problems
        )
    return Read(data, lines)


def read_value(text: str, source: str) -> Any:
    """Read a value as written after ``--set path=``: a YAML scalar, list or table; empty text is an empty string."""
    return read_yaml(text, source).data if text.strip() else text


def _reader() -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.constructor import SafeConstructor

    class Constructor(SafeConstructor):
        """A safe YAML constructor that leaves dates as text."""

    untyped: Any = Constructor
    untyped.add_constructor("tag:yaml.org,2002:timestamp", untyped.construct_yaml_str)
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = Constructor
    return yaml


def _place_and_problem(error: Any, text: str) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark:
        line, column = mark.line, mark.column
    else:
        before = text[: getattr(error, "position", 0)]
        line, column = before.count("\n"), len(before) - before.rfind("\n") - 1
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or error
    begin = getattr(error, "context_mark", None)
    # A bracket that is never closed is noticed far below the line it stands in.
    since = f" ({error.context} that begins in line {begin.line + 1})" if begin and begin.line < line else ""
    return f"line {line + 1}, column {column + 1}: {' '.join(str(problem).split())}{since}"


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

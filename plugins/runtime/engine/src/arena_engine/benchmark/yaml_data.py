"""Reads YAML 1.2 as plain data, remembers the line of every value, and writes what is read as the same data."""

import re
from collections.abc import Iterable, Mapping
from io import StringIO
from math import isfinite
from typing import Any, Final, cast

import attrs
from arena.errors import ConfigError

from arena_engine.benchmark.plain_data import NAMED, Path, snake

BYTES: Final = 1_000_000
"""The longest text that is read."""

LEVELS: Final = 100
"""How deep lists and tables may lie in each other."""

VALUES: Final = 100_000
"""The most values, keys too, in a text; an alias counts as all that it stands for."""

DIGITS: Final = 4_000
"""The most digits of a number; Python itself converts at most 4,300."""

_NUMBER: Final = re.compile(r"[-+]?(?:0x(?P<hex>[0-9a-fA-F_]+)|[0-9.][0-9_.eExobXOB+-]*)")
_HEX_DIGIT: Final = 1.21  # decimal digits for each hexadecimal one


@attrs.frozen
class Read:
    """A YAML text as plain data, with the line of every value (counted from 1)."""

    data: Any
    lines: Mapping[Path, int]


def read_yaml(text: str, source: str) -> Read:
    """Read one YAML 1.2 document; ``ConfigError`` gives the line and column of ``source`` where it is invalid.

    The data is JSON: keys are text, numbers are finite, dates stay text. A key repeated in a table is an error, and so
    is a text that is longer, deeper or larger than any benchmark: ``BYTES``, ``LEVELS``, ``VALUES`` and ``DIGITS`` are
    the bounds, and nothing is built of it then.
    """
    if len(text) > BYTES or len(text.encode("utf-8", "surrogatepass")) > BYTES:
        raise ConfigError(f"{source}: longer than {BYTES:,} bytes; keep large data in files of its own")
    # Imported here because a run that reads no file should not pay for it.
    from ruamel.yaml.error import YAMLError

    lines: dict[Path, int] = {}
    try:
        _count(_reader().parse(text), source)
        constructor, _ = _reader().get_constructor_parser(text)
        node = constructor.composer.get_single_node()
        data = None if node is None else constructor.construct_document(node)
        if data is not None:
            _note_lines(node, (), lines)
    except YAMLError as error:
        raise ConfigError(f"{source}: {_place_and_problem(error, text)}; correct the YAML there") from None
    if problems := list(_not_json(data, ())):
        raise ConfigError(
            f"{source}: line {lines.get(path, 1)}: {'.'.join(path) or 'the file'}: {why}" for path, why in problems
        )
    return Read(data, lines)


def read_value(text: str, source: str) -> Any:
    """Read a value as written after ``--set path=``: a YAML scalar, list or table; empty text is an empty string."""
    return read_yaml(text, source).data if text.strip() else text


@attrs.define
class _Opened:
    """A list or table that has begun: its anchor, the values before it, and the deepest level in it so far."""

    anchor: str | None
    before: int
    deepest: int


def _count(events: Iterable[Any], source: str) -> None:
    """Raise ``ConfigError`` at the first event that is out of bounds; builds nothing."""
    values = documents = 0
    known: dict[str, tuple[int, int]] = {}  # how many values an anchor stands for, and how many levels
    opened = [_Opened(None, 0, 0)]
    for event in events:
        kind, anchor = type(event).__name__, cast("str | None", getattr(event, "anchor", None))
        more, levels = 0, 0
        if kind == "DocumentStartEvent":
            documents += 1
            if documents > 1:  # whoever builds it says that this is one too many
                return
        elif kind == "AliasEvent":
            if any(each.anchor == anchor for each in opened):
                where = f"line {event.start_mark.line + 1}"
                raise ConfigError(
                    f"{source}: the YAML refers to itself or is nested too deeply in {where}; write it out"
                )
            more, levels = known.get(anchor or "", (1, 0))
        elif kind == "ScalarEvent":
            more = 1
            is_number = event.implicit[0] or (event.tag or "").endswith((":int", ":float"))
            if is_number and len(event.value) > DIGITS / _HEX_DIGIT and _digits(event.value) > DIGITS:
                raise _out_of_bounds(event, source, f"a number of more than {DIGITS:,} digits")
        elif kind in ("SequenceStartEvent", "MappingStartEvent"):
            opened.append(_Opened(anchor, values, len(opened)))
            more = 1
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            ended = opened.pop()
            anchor, levels = ended.anchor, ended.deepest - len(opened) + 1
            known |= {anchor: (values - ended.before, levels)} if anchor else {}
        values += more
        opened[-1].deepest = max(opened[-1].deepest, len(opened) - 1 + levels)
        if kind == "ScalarEvent" and anchor:
            known[anchor] = (1, 0)
        if opened[-1].deepest > LEVELS:
            raise _out_of_bounds(event, source, f"lists and tables lie more than {LEVELS} levels deep in each other")
        if values > VALUES:
            raise _out_of_bounds(event, source, f"more than {VALUES:,} values, with aliases as what they stand for")


def _digits(value: str) -> float:
    """About how many decimal digits a number has; zero for what is none."""
    found = _NUMBER.fullmatch(value)
    if found is None:
        return 0
    return len(found["hex"]) * _HEX_DIGIT if found["hex"] else sum(map(str.isdigit, value))


def _out_of_bounds(event: Any, source: str, what: str) -> ConfigError:
    return ConfigError(f"{source}: line {event.start_mark.line + 1}: {what}; write less into one file")


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


WIDTH: Final = 100
"""Longer texts are written in several lines."""

_BREAKS: Final = frozenset("\x85\u2028\u2029")


def write_yaml(data: Any) -> str:
    """The data, which is as JSON has it, as YAML 1.2: tables in blocks with their keys in order."""
    # Imported here because a run that writes no file should not pay for it.
    from ruamel.yaml import YAML

    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    yaml.width = WIDTH
    yaml.representer.ignore_aliases = _always  # what is there twice is written twice
    yaml.representer.add_representer(str, _text)
    text = StringIO()
    yaml.dump(data, text)
    return text.getvalue()


def _text(representer: Any, text: str) -> Any:
    """A text; line breaks that YAML has beside the usual ones would be read as spaces, so they are escaped."""
    return representer.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _BREAKS & {*text} else None)


def _always(_: object) -> bool:
    return True

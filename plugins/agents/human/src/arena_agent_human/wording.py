"""Puts JSON into words: actions in one line, and the answers of look-ups as tables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

from arena.decision import Decision
from arena.game import Game, Illegal
from arena.record import JSON, Action, canonical_json
from arena_scene import for_people, label

_OBEYED: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")


def in_words(game: Game, decision: Decision, action: Action) -> str:
    """What an action means: its label, the game's own words, or the names and values in it."""
    if decision.options is not None:
        return decision.options.label(action)
    return for_people(game.describe_action(decision, action)) or said(action)


def said(value: JSON) -> str:
    """A value in one line; tables are read as names with their values."""
    if isinstance(value, Mapping):
        if value and all(_is_number(each) for each in value.values()):
            return ", ".join(f"{each} {label(name)}" for name, each in value.items())
        return ", ".join(f"{label(name)}: {_nested(each)}" for name, each in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(_nested, value)) or "nothing"
    words = {None: "none", True: "yes", False: "no"}
    if value is None or isinstance(value, bool):
        return words[value]
    return value if isinstance(value, str) else canonical_json(value)


def as_table(value: JSON, width: int) -> list[str]:
    """The answer of a look-up as lines of at most ``width`` columns; words are never broken inside."""
    if isinstance(value, Mapping):
        return [line for name, each in value.items() for line in _part(label(name), each, width)] or ["nothing"]
    if isinstance(value, list | tuple):
        return _entries(value, width) or ["nothing"]
    return wrapped(said(value), width)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, those that are too long broken between words; what is drawn with spaces stays."""
    found: list[str] = []
    for line in visible(text).split("\n"):
        if len(line) <= width:
            found.append(line.rstrip())
        else:
            found += wrap(line, max(width, 10), replace_whitespace=False, break_on_hyphens=False)
    return found


def visible(text: str) -> str:
    """The text with a sign for each character that a terminal would obey: others have written it."""
    return _OBEYED.sub("\N{REPLACEMENT CHARACTER}", text)


def usable(value: JSON, decision: Decision) -> Iterator[Action]:
    """The legal actions that stand somewhere in the answer of a look-up, each once."""
    seen: set[str] = set()
    for part in _parts(value):
        meant = decision.interpret(part)
        if isinstance(meant, Illegal):
            continue
        written = canonical_json(meant)
        if written not in seen and decision.check(meant) is None:
            seen.add(written)
            yield meant


def names_in(value: JSON) -> dict[str, str]:
    """The names that stand before amounts in an observation, each with where it stands and how much is there."""
    found: dict[str, list[str]] = {}
    _collect(value, "", found)
    return {name: ", ".join(dict.fromkeys(places)) for name, places in found.items()}


def _collect(value: Any, place: str, found: dict[str, list[str]]) -> None:
    if not isinstance(value, Mapping):
        return
    for name, each in value.items():
        if _is_number(each) and place:
            found.setdefault(name, []).append(f"{place} {each}")
        _collect(each, str(name), found)


def _parts(value: Any) -> Iterator[Any]:
    """Every table inside a value, the outermost first; plain values could mean anything."""
    inner: Sequence[Any] = ()
    if isinstance(value, Mapping):
        yield dict(value)
        inner = list(value.values())
    elif isinstance(value, list | tuple):
        inner = value
    for each in inner:
        yield from _parts(each)


def _part(name: str, value: JSON, width: int) -> list[str]:
    if isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
        return [f"{name}:", *(f"  {line}" for line in _entries(value, width - 2))]
    return wrapped(f"{name}: {said(value)}", width)


def _entries(values: Sequence[Any], width: int) -> list[str]:
    """A list as a table, with a column for each name, if its entries are tables; else one line after the other."""
    rows = [each for each in values if isinstance(each, Mapping)]
    if not rows or len(rows) < len(values):
        return wrapped(said(list(values)), width)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [columns, *([visible(said(row[name])) if name in row else "" for name in columns] for row in rows)]
    for gap in (2, 1):
        widths = _widths(cells, width - gap * (len(columns) - 1))
        if widths:
            return [line for row in cells for line in _row(row, widths, gap)]
    return [f"{'  ' * bool(at)}{line}" for row in rows for at, line in enumerate(wrapped(said(row), width - 2))]


def _widths(cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """How wide each column is: the widest lose what does not fit; none if a word would have to be broken."""
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for cell in column for word in ["", *cell.split()]) for column in columns]
    while sum(widths) > room:
        widest = max(range(len(widths)), key=lambda at: (widths[at] > least[at], widths[at]))
        if widths[widest] <= least[widest]:
            return []
        widths[widest] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], gap: int) -> Iterator[str]:
    pieces = [
        wrap(cell, max(1, width), break_long_words=False, break_on_hyphens=False)
        for cell, width in zip(cells, widths, strict=True)
    ]
    for line in zip_longest(*pieces, fillvalue=""):
        padded = (text.ljust(width) for text, width in zip(line, widths, strict=True))
        yield (" " * gap).join(padded).rstrip()


def _nested(value: JSON) -> str:
    is_long = isinstance(value, Mapping | list | tuple) and len(value) > 1
    return f"({said(value)})" if is_long else said(value)


def _is_number(value: Any) -> bool:
    """Whether a value is an amount: a number, or a fraction written as text."""
    if isinstance(value, str):
        above, bar, below = value.partition("/")
        return bool(bar) and above.isdecimal() and below.isdecimal()
    return isinstance(value, int | float) and not isinstance(value, bool)

"""Lays tables of many numbers out as text of 80 columns: a line for each row, with interval and n below it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from arena.tables import Cell, Column, Estimate, Table

from arena_suite_spin_bench.main_table import MEASURED, PUBLISHED, REFERENCE, TITLE

NOTHING: Final = "\u2013"
_NAME: Final = 17
_NARROWEST: Final = 5
_PART: Final = re.compile(r"\s+|(?<=-)")
_MAIN_HEADINGS: Final = (
    "                  plan   N-    draws %     top 3 %         Hanabi",
    "                  acc% step  TTT   C4   CH   C4   CH   2P   3P   4P   5P  avg",
)
_GROUPS: Final[Mapping[str, str]] = {
    MEASURED: "",
    REFERENCE: "for comparison:",
    PUBLISHED: "published by Yao et al. (2025):",
}


def laid_out(table: Table, width: int) -> str:
    """The table and its note; the first column names the row, the second says which kind of row it is."""
    columns = table.columns[2:]
    is_main = table.title == TITLE
    parts = [[""] if is_main else _PART.split(column.title) for column in columns]
    widths = [max(_NARROWEST, *(len(word) + 1 for word in words)) for words in parts]
    lines = [table.title, "", *(_MAIN_HEADINGS if is_main else _headings(parts, widths))]
    for kind, title in _GROUPS.items():
        rows = [row for row in table.rows if row[1] == kind]
        lines += [title] if rows and title else []
        for row in rows:
            lines += _lines(row, columns, widths)
    return "\n".join([*lines, "", *wrap(table.note, width, break_on_hyphens=False)])


def _headings(parts: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    height = max(map(len, parts))
    for line in range(height):
        words = ([""] * (height - len(own)) + list(own) for own in parts)
        yield _line("", [own[line] for own in words], widths)


def _lines(row: Sequence[Cell], columns: Sequence[Column], widths: Sequence[int]) -> Iterator[str]:
    """The values of a row; below them the lower and upper ends of their intervals, and n."""
    name, cells = str(row[0]), row[2:]
    if len(name) > _NAME:
        yield name
        name = ""
    values = [cell.value if isinstance(cell, Estimate) else cell for cell in cells]
    yield _line(name, [_number(value, column) for value, column in zip(values, columns, strict=True)], widths)
    found = [cell if isinstance(cell, Estimate) else None for cell in cells]
    level = next((cell.level for cell in found if cell is not None), None)
    if level is None:
        return
    ends = [(None, None) if cell is None else (cell.low, cell.high) for cell in found]
    for title, place in ((f"  {100 * level:g}% from", 0), ("      to", 1)):
        pairs = zip((end[place] for end in ends), columns, strict=True)
        yield _line(title, ["" if end is None else _number(end, column) for end, column in pairs], widths)
    yield _line("  n", ["" if cell is None else _count(cell.n) for cell in found], widths)


def _line(name: str, words: Sequence[str], widths: Sequence[int]) -> str:
    return (
        f"{name:<{_NAME}}" + "".join(f"{word:>{width}}" for word, width in zip(words, widths, strict=True))
    ).rstrip()


def _number(value: str | float | None, column: Column) -> str:
    """A number in four characters: shares in per cent; as many decimals as fit, but no more than two."""
    if isinstance(value, str):
        return value
    if value is None:
        return NOTHING
    if column.style == "count":
        return _count(int(value))
    scaled = 100 * value if column.style == "share" else float(value)
    finest = 1 if column.style == "share" or column.name.startswith("hanabi") else 2
    texts = [f"{scaled:.{digits}f}" for digits in range(finest, -1, -1)]
    return next((text for text in texts if len(text) < _NARROWEST), texts[-1])


def _count(number: int) -> str:
    return str(number) if number < 10_000 else f"{number // 1000}k"

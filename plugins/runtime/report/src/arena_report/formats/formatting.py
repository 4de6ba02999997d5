"""Formats numbers with their interval and their n, and with no more digits than the interval warrants."""

import json
import re
from collections.abc import Mapping, Sequence
from math import floor, log10

import attrs
from arena.record import JSON
from arena.tables import Cell, Column, Estimate, Figure, Table

NOTHING = "—"

MOST_NUMBERS = 400
"""The most numbers of a figure that are in a table beside it."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
"""Matches a number within the name of a method, such as degrees of freedom."""


def format_cell(cell: Cell, column: Column | None = None) -> str:
    """A cell as text: ``0.58 [0.51, 0.65] n=200``; shares in per cent, an empty cell as a dash."""
    style = column.style if column else "number"
    if isinstance(cell, Estimate):
        return _estimate(cell, style)
    if cell is None:
        return NOTHING
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) and style not in ("share", "money", "seconds"):
        return f"{cell:,}" if style == "count" else str(cell)
    value = _scaled(cell, style)
    return f"{value:.1g}" if 0 < abs(value) < 0.001 else _with_unit(_number(value, _digits(None, style)), style)


def figure_table(figure: Figure) -> Table:
    """The numbers of a figure, as a table."""
    columns = (Column(name="x", title=figure.x_title or " "),)
    columns += tuple(Column(name=name, title=name, style="number") for name in figure.series)
    rows = tuple(
        (x if isinstance(x, str) else f"{x:g}", *(values[i] for values in figure.series.values()))
        for i, x in enumerate(figure.x)
    )
    lines = ", ".join(f"{name} {_number(value, 3)}" for name, value in figure.references.items())
    note = " ".join(part for part in (f"For comparison: {lines}." if lines else "", figure.note) if part)
    return Table(title=figure.title, columns=columns, rows=rows, note=note)


def figure_tables(figure: Figure) -> tuple[Table, ...]:
    """The numbers of a figure and of those beside it, as tables; of a large one a table without rows that says where.

    Nobody reads hundreds of numbers beside a picture: programs have all of them, with n and interval.
    """
    tables = tuple(map(figure_table, figure.panels))
    numbers = sum(len(values) for panel in figure.panels for values in panel.series.values())
    if numbers <= MOST_NUMBERS:
        return tables
    note = f"{tables[0].note} Its {numbers:,} numbers, with n and interval: arena report RUN --json.".strip()
    return (attrs.evolve(tables[0], rows=(), note=note),)


def settings_text(plain: JSON) -> str:
    """A benchmark as JSON, which a benchmark file may be, with a line for each game, agent and other entry."""
    if not isinstance(plain, Mapping):
        return _line(plain)
    parts: list[str] = []
    for key, value in plain.items():
        if isinstance(value, Mapping) and value:
            rows = (f"    {_line(name)}: {_line(entry)}" for name, entry in value.items())
            parts.append(f"  {_line(key)}: {{\n" + ",\n".join(rows) + "\n  }")
        else:
            parts.append(f"  {_line(key)}: {_line(value)}")
    return "{\n" + ",\n".join(parts) + "\n}"


def is_numeric(column: Column) -> bool:
    """Whether a column holds numbers, which are aligned to the right."""
    return column.style != "text"


def footnotes(table: Table) -> tuple[str, ...]:
    """The lines below a table: its note, and the methods of its intervals."""
    found = [cell for row in table.rows for cell in row if isinstance(cell, Estimate) and cell.n]
    ways: dict[str, list[str]] = {}
    for method in dict.fromkeys(cell.method for cell in found if cell.method):
        ways.setdefault(_NUMBER.sub("#", method), []).append(method)
    levels = dict.fromkeys(f"{100 * cell.level:g}%" for cell in found if cell.low is not None)
    told = "; ".join(map(_together, ways.values()))
    made = f"Intervals{' at ' if levels else ''}{' and '.join(levels)}: {told}." if told else ""
    return tuple(text for text in (table.note, made) if text)


def _line(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False)


def _together(methods: Sequence[str]) -> str:
    """Join methods that differ only in numbers, such as degrees of freedom, and give the numbers' range."""
    told = iter(zip(*(_NUMBER.findall(method) for method in methods), strict=True))
    return _NUMBER.sub(lambda _: _span(next(told)), methods[0])


def _span(numbers: Sequence[str]) -> str:
    least, greatest = min(numbers, key=float), max(numbers, key=float)
    return least if least == greatest else f"{least} to {greatest}"


def _estimate(cell: Estimate, style: str) -> str:
    n = f"n={cell.n}" if cell.unit in ("", "matches") else f"n={cell.n} {cell.unit}"
    if cell.value is None:
        return f"{NOTHING} {n}"
    if cell.low is None:
        return f"{_with_unit(_number(_scaled(cell.value, style), _digits(None, style)), style)} {n}"
    value, low = _scaled(cell.value, style), _scaled(cell.low, style)
    if cell.high is None:  # nothing bounds it from above
        digits = _digits(value - low, style)
        return f"{_with_unit(_number(value, digits), style)} [≥ {_number(low, digits)}] {n}"
    high = _scaled(cell.high, style)
    digits = _digits(high - low, style)
    ends = f"[{_number(low, digits)}, {_number(high, digits)}]"
    if digits == 0 and style != "share" and abs(value) < 10 and not value.is_integer():
        digits = 1  # 0.4 refusals per turn must not read as 0, however wide the interval
    return f"{_with_unit(_number(value, digits), style)} {ends} {n}"


def _scaled(value: float, style: str) -> float:
    return 100 * value if style == "share" else float(value)


def _digits(width: float | None, style: str) -> int:
    """The number of decimals with which an interval of this width shows two significant digits."""
    if not width or width != width or width == float("inf"):
        return {"share": 1, "count": 0}.get(style, 3)
    return min(max(1 - floor(log10(width)), 0), 6)


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def _with_unit(text: str, style: str) -> str:
    return {"share": f"{text}%", "money": f"${text}", "seconds": f"{text} s"}.get(style, text)

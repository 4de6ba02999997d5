"""Lays the tables of metrics out for a terminal: an estimate takes a column each for value, interval and n."""

from collections.abc import Sequence
from typing import Final

from arena.tables import Cell, Column, Estimate, Section, Table
from arena_report import is_numeric, least_width

from arena_cli import output
from arena_cli.output import OutputColumn, Terminal
from arena_cli.output.safe_text import styled
from arena_cli.results.column_groups import TableGroup, without_constants

INDENT: Final = 2

ROWS: Final = 8
"""The most rows of a table in a report that is brief."""

_TEXT: Final = 28
"""The columns up to which text is never shortened."""

_TURNED: Final = 6
"""The most rows of a table that is turned: each is a column then."""

_READABLE: Final = 24
"""The columns that running text takes at least."""

_ELSEWHERE: Final = "on a wider terminal, or with -o report.html"
"""Where the columns are that a whole table has no room for."""

_NAME: Final = 100
"""A word of more characters is data, which a whole table never shortens."""


def says_something(table: Table) -> bool:
    """Whether a table has a number that is not zero, beside that of what was counted.

    The first count is what the others are counted of (matches, turns), and one that equals it everywhere says that
    nothing happened; neither does an estimate of exactly 1 without any interval, as of answers per turn.
    """
    numeric = [i for i, column in enumerate(table.columns) if is_numeric(column)]
    if not numeric:
        return False
    counted = next((i for i in numeric if table.columns[i].style == "count"), None)
    base = [row[counted] for row in table.rows] if counted is not None else []
    others = [i for i in numeric if i != counted] or numeric
    return any(
        not all(_is_nothing(row[i]) for row in table.rows) and [row[i] for row in table.rows] != base for i in others
    )


def first_to_say(section: Section) -> Table | None:
    """The first table of a metric, if it says something."""
    return next((table for table in section.tables[:1] if says_something(table)), None)


def brief_table(
    section: Section, table: Table, terminal: Terminal, *, is_dense: bool = False, whole: str = "--full"
) -> list[str]:
    """The first rows of a table under its title, with as many columns as fit; ``whole`` is the option that shows all.

    A dense one has all rows, and says in words what is the same in all.
    """
    groups, told = _groups(table, drops_zeros=True), list[str]()
    if is_dense and _width(groups, terminal) > terminal.width - INDENT:
        groups, told = without_constants(groups)
    fitting = _fitting(_without_repeats(groups), terminal)
    columns = [column for group in fitting for column in group.columns]
    count = len(table.rows) if is_dense else min(len(table.rows), ROWS)
    rows = [[cell for group in fitting for cell in group.cells[i]] for i in range(count)]
    title = _full_title(section, table) if whole == "--full" else table.title
    lines = [_title(title, terminal), *(output.table(columns, rows, terminal, INDENT) if columns else [])]
    if told:
        lines += output.paragraph(f"in all rows: {', '.join(told)}", terminal, INDENT, INDENT)
    left_out = [group.title for group in groups if group.title not in {each.title for each in fitting}]
    more = len(table.rows) - len(rows)
    rest = [f"{output.count(more)} more {'row' if more == 1 else 'rows'}"] if more > 0 else []
    rest += [", ".join(left_out)] if left_out else []
    if rest:
        lines += output.paragraph(f"not shown: {'; '.join(rest)} ({whole})", terminal, INDENT, INDENT)
    return lines


def full_table(table: Table, terminal: Terminal) -> list[str]:
    """A table with all its rows; one that is too wide is turned, if it has few, or says more below it.

    What is the same in all rows is said in words then. Columns that still do not fit beside the others are named.
    """
    groups = every = _groups(table, drops_zeros=False)
    told = list[str]()
    lines = [_title(table.title, terminal)]
    if _width(groups, terminal) > terminal.width - INDENT and table.rows:
        if turned := _turned(_without_repeats(groups), terminal):
            return [*lines, *turned]
        groups, told = without_constants(groups)
        if len(groups) < 2 and all(group.is_key for group in groups) and told:
            names = [" ".join(cell for group in groups for cell in group.cells[i]) for i in range(len(table.rows))]
            groups, told = [], [*([f"{', '.join(names)}: {told[0]}"] if groups else told[:1]), *told[1:]]
    shown = _fitting(_without_repeats(groups), terminal)
    left_out = [group.title for group in groups if group.title not in {each.title for each in shown}]
    if left_out and told:
        _, told = without_constants([group for group in every if group.title not in left_out])
    columns = [column for group in shown for column in group.columns]
    rows = [[cell for group in shown for cell in group.cells[i]] for i in range(len(table.rows))]
    lines += output.table(columns, rows, terminal, INDENT, _ELSEWHERE) if columns else []
    said = f"{'in all rows: ' if groups else ''}{', '.join(told)}"
    lines += output.paragraph(said, terminal, INDENT, INDENT) if told else []
    if left_out:
        lines += output.paragraph(f"not shown: {', '.join(left_out)} ({_ELSEWHERE})", terminal, INDENT, INDENT)
    return lines


def _turned(groups: Sequence[TableGroup], terminal: Terminal) -> list[str]:
    """The table with a line for each of its columns and a column for each row; empty if that does not fit either."""
    count = len(groups[0].cells)
    if count > _TURNED:
        return []
    first = groups[0] if groups[0].is_key else None
    rows = [
        [column.title, *(cells[i] for cells in group.cells)]
        for group in (groups[1:] if first else groups)
        for i, column in enumerate(group.columns)
        if any(cells[i] for cells in group.cells)
    ]
    heads = [first.title, *(own[0] for own in first.cells)] if first else [""] * (count + 1)
    widths = [max(map(terminal.columns, own)) for own in zip(heads, *rows, strict=True)]
    if sum(widths) + 2 * count > terminal.width - INDENT:
        return []
    columns = [OutputColumn(title=head, align="right" if i else "left") for i, head in enumerate(heads)]
    return output.table(columns, rows, terminal, INDENT, "")


def heading(title: str, terminal: Terminal) -> str:
    """The line above the tables of a section."""
    return styled(title, bold=True) if terminal.has_colour else output.join(title)


def _title(title: str, terminal: Terminal) -> str:
    line = output.shorten(title, terminal.width, terminal)
    return styled(line, bold=True) if terminal.has_colour else line


def _full_title(section: Section, table: Table) -> str:
    return table.title if table.title in section.title else f"{section.title}: {table.title}"


def _groups(table: Table, *, drops_zeros: bool) -> list[TableGroup]:
    found: list[TableGroup] = []
    is_key = True
    for i, column in enumerate(table.columns):
        cells = [row[i] for row in table.rows]
        is_key = is_key and not is_numeric(column)
        if drops_zeros and not is_key and all(map(_is_nothing, cells)):
            continue
        found.append(_group(column, cells, is_key=is_key, is_whole=not drops_zeros))
    return found


def _without_repeats(groups: Sequence[TableGroup]) -> list[TableGroup]:
    """The same groups; where n stands there already, as for an estimate before or as a count, not once more."""
    found: list[TableGroup] = []
    shown: set[tuple[str, ...]] = set()
    for group in groups:
        cells = [tuple(own[i] for own in group.cells) for i in range(len(group.columns))]
        titled = [(column.title, *own) for column, own in zip(group.columns, cells, strict=True)]
        found.append(group.without_last() if len(titled) > 1 and titled[-1] in shown else group)
        shown.update(titled)
    return found


def _group(column: Column, cells: Sequence[Cell], *, is_key: bool, is_whole: bool) -> TableGroup:
    """The terminal's columns for one; where the table ``is_whole``, long texts are broken instead of shortened."""
    estimates = [cell for cell in cells if isinstance(cell, Estimate)]
    digits = max((_digits(cell) for cell in cells), default=0)
    if not estimates:
        title = column.title.strip()
        is_text = not is_numeric(column)
        longest = max((len(str(cell)) for cell in cells), default=0)
        word = max((len(word) for cell in cells for word in str(cell).split()), default=0)
        wraps = is_text and is_whole and not is_key and longest > _TEXT and not _TEXT < word <= _NAME
        shown = OutputColumn(
            title=title, align="left" if is_text else "right", shortens=is_text and not wraps, wraps=wraps
        )
        return TableGroup(title, (shown,), tuple((_value(cell, column, digits),) for cell in cells), is_key)
    level = f"{100 * estimates[0].level:.4g} %"
    units = {cell.unit for cell in estimates}
    unit = units.pop() if len(units) == 1 else ""
    has_interval = any(cell.low is not None or cell.high is not None for cell in estimates)
    columns = [OutputColumn(title=column.title.strip(), align="right")]
    columns += [OutputColumn(title=level)] if has_interval else []
    columns += [OutputColumn(title=unit or "n", align="right")]
    texts: list[tuple[str, ...]] = []
    for cell in cells:
        interval = [_interval(cell, column, digits) if isinstance(cell, Estimate) else ""] if has_interval else []
        n = output.count(cell.n) if isinstance(cell, Estimate) else ""
        if isinstance(cell, Estimate) and not unit and cell.unit:
            n = f"{n} {output.singular(cell.unit) if cell.n == 1 else cell.unit}"
        texts.append((_value(cell, column, digits), *interval, n))
    return TableGroup(column.title.strip(), tuple(columns), tuple(texts), is_key)


def _value(cell: Cell, column: Column, digits: int) -> str:
    """The value of a cell, without its interval and n; empty if there is none."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    value = cell.value if isinstance(cell, Estimate) else cell
    if value is None:
        return ""
    if column.style == "share":
        return output.share(value, cell.n if isinstance(cell, Estimate) else 0)
    if column.style == "money":
        return output.money(value)
    if column.style == "count" or isinstance(value, int):
        return output.count(int(value)) if float(value).is_integer() else output.number(value, 1)
    text = output.number(value, digits)
    return f"{text} s" if column.style == "seconds" else text


def _interval(cell: Estimate, column: Column, digits: int) -> str:
    """The interval of an estimate in the scale of its column; empty if there is none."""
    if column.style == "share":
        return output.share_interval(cell.low, cell.high, cell.n)
    return output.interval(cell.low, cell.high, digits)


def _digits(cell: Cell) -> int:
    """Decimals that show two digits of an interval's width, or three digits in all of a number without one."""
    if isinstance(cell, Estimate):
        if cell.low is not None and cell.high is not None and cell.high > cell.low:
            return _decimals(cell.high - cell.low, 2)
        cell = cell.value
    return _decimals(abs(cell), 3) if isinstance(cell, float) and not cell.is_integer() else 0


def _decimals(size: float, digits: int) -> int:
    return min(max(digits - 1 - int(f"{size:e}".partition("e")[2]), 0), 6)


def _is_nothing(cell: Cell) -> bool:
    if isinstance(cell, Estimate):
        return not cell.value or (cell.value == 1 and cell.low is None and cell.high is None)
    return cell is None or cell == 0 or cell == ""


def _fitting(groups: Sequence[TableGroup], terminal: Terminal) -> list[TableGroup]:
    """The groups that fit, from the left, at least one."""
    fitting = list(groups)
    while len(fitting) > 1 and _width(fitting, terminal) > terminal.width - INDENT:
        fitting.pop()
    return fitting


def _width(groups: Sequence[TableGroup], terminal: Terminal) -> int:
    widths: list[int] = []
    for group in groups:
        for i, column in enumerate(group.columns):
            widest = max((terminal.columns(cells[i]) for cells in group.cells), default=0)
            widths.append(max(terminal.columns(column.title), min(widest, _most(column, group, i, terminal))))
    return sum(widths) + 2 * (len(widths) - 1)


def _most(column: OutputColumn, group: TableGroup, place: int, terminal: Terminal) -> int:
    """The columns that a table is given for texts: as many as show in what names differ."""
    if column.wraps:
        return _READABLE
    if not column.shortens:
        return terminal.width
    apart = least_width([cells[place] for cells in group.cells], terminal.columns)
    return max(_TEXT, min(apart, terminal.width // 2))

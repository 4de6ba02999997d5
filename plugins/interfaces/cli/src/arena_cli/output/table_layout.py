"""Lays a table out for a terminal: columns that do not fit are left out, names are shortened, no line is too long."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

import attrs
from arena_report import BETWEEN, least_width, short_names, short_pairs

from arena_cli.output.layout import padded, paragraph, shorten
from arena_cli.output.safe_text import CleanText, clean, join, styled
from arena_cli.output.screen import Terminal

GAP: Final = "  "
"""What stands between two columns."""

_COMPARED: Final = 40
"""The most rows whose names are compared; in a longer list one is looked up."""
SHORTEST: Final = 8
"""The fewest columns that a name is shortened to."""

_LEAST_TEXT: Final = 24
"""The fewest columns in which running text is still readable."""

_NOTHING: Final = frozenset({"", "0", "0 %", "0.0 %", "0 s", "—", "\u2013", "-"})


@attrs.frozen(kw_only=True)
class OutputColumn:
    """A column of a table in a terminal.

    ``keep`` says which column goes first where not all fit: the one with the smallest number, of equal ones the
    rightmost; a column with 0 never goes. A column that may go is left out, too, if it says nothing, neither a number
    other than zero nor a text. A column that ``shortens`` holds names, which may be cut in the middle; one that
    ``wraps`` holds running text, which is broken between words over several lines, and stands last.
    """

    title: str
    align: Literal["left", "right"] = "left"
    keep: int = 0
    shortens: bool = False
    wraps: bool = False


def table(
    columns: Sequence[OutputColumn],
    rows: Iterable[Sequence[str]],
    terminal: Terminal,
    indent: int = 2,
    more: str = "--full",
) -> list[str]:
    """The lines of a table: a heading, a line for each row, and a line that names the columns that do not fit.

    ``more`` is the option with which a user sees those; without it they are not named. A table without rows has no
    lines.
    """
    cells = [[clean(cell) for cell in row] for row in rows]
    if not cells:
        return []
    heads = [clean(column.title) for column in columns]
    kept = [i for i, column in enumerate(columns) if not column.keep or any(row[i] not in _NOTHING for row in cells)]
    fitting, widths = _fitted(columns, heads, cells, kept, terminal, indent)
    chosen = [columns[i] for i in fitting]
    lines = _row([heads[i] for i in fitting], chosen, widths, terminal, indent, lambda text: _head(text, terminal))
    shown = [
        _shown([row[i] for row in cells], columns[i], width, terminal) for i, width in zip(fitting, widths, strict=True)
    ]
    for row in zip(*shown, strict=True):
        lines += _row(row, chosen, widths, terminal, indent)
    left_out = [heads[i] for i in kept if i not in fitting and heads[i]]
    if left_out and more:
        lines += paragraph(f"not shown: {', '.join(left_out)} ({more})", terminal, indent, hanging=2)
    return lines


def _fitted(
    columns: Sequence[OutputColumn],
    heads: Sequence[str],
    cells: Sequence[Sequence[str]],
    kept: Sequence[int],
    terminal: Terminal,
    indent: int,
) -> tuple[list[int], list[int]]:
    """The columns that fit, and their widths."""
    widths = {i: max(map(terminal.columns, [heads[i], *(row[i] for row in cells)])) for i in kept}
    least = {i: min(widths[i], _least(columns[i], heads[i], [row[i] for row in cells], terminal)) for i in kept}
    room = terminal.width - indent
    fitting = [*kept]
    while len(fitting) > 1 and sum(least[i] for i in fitting) + len(GAP) * (len(fitting) - 1) > room:
        fitting.remove(_first_to_go(columns, fitting))
    spare = room - len(GAP) * (len(fitting) - 1)
    while (excess := sum(widths[i] for i in fitting) - spare) > 0:
        narrowable = [i for i in fitting if widths[i] > least[i]] or [fitting[0]]
        widest = max(narrowable, key=lambda i: (columns[i].wraps, widths[i]))
        others = [widths[i] for i in narrowable if i != widest and not columns[widest].wraps]
        # Down to the next widest one, so that long names are shortened alike.
        step = max(1, widths[widest] - max(others, default=0)) if len(narrowable) > 1 else excess
        widths[widest] -= min(excess, step, max(widths[widest] - least[widest], 1))
        if widths[widest] <= 1:
            break
    return fitting, [widths[i] for i in fitting]


def _least(column: OutputColumn, head: str, cells: Sequence[str], terminal: Terminal) -> int:
    """The fewest columns of a column: of one with names as many as show what differs, up to half of the terminal."""
    if column.wraps:
        return _LEAST_TEXT
    if not column.shortens:
        return terminal.width
    pairs = _pairs(cells)
    names = [name for pair in pairs for name in pair] or cells
    times, most = (2, len(BETWEEN)) if pairs else (1, 0)
    apart = times * least_width(names, terminal.columns) + most if len(cells) <= _COMPARED else 0
    shortest = times * SHORTEST + most
    return max(shortest, min(apart, terminal.width // 2), terminal.columns(head))


def _pairs(cells: Sequence[str]) -> list[tuple[str, str]]:
    """The two names of each cell, if all cells are of pairs."""
    split = [cell.partition(BETWEEN) for cell in cells]
    return [(a, b) for a, _, b in split] if all(dash for _, dash, _ in split) else []


def _shown(cells: Sequence[str], column: OutputColumn, width: int, terminal: Terminal) -> Sequence[str]:
    """The cells of one column; names are short in one way in all of them."""
    if not column.shortens or max(map(terminal.columns, cells)) <= width:
        return cells
    if pairs := _pairs(cells):
        return [CleanText(text) for text in short_pairs(pairs, width, terminal.columns)]
    short = short_names(cells, width, terminal.columns)
    return [CleanText(short[cell]) for cell in cells]


def _first_to_go(columns: Sequence[OutputColumn], fitting: Sequence[int]) -> int:
    """The column that is left out next; if all are to stay, the last one, since no line may be too long."""
    droppable = [i for i in fitting if columns[i].keep]
    return min(droppable, key=lambda i: (columns[i].keep, -i)) if droppable else fitting[-1]


def _row(
    cells: Sequence[str],
    columns: Sequence[OutputColumn],
    widths: Sequence[int],
    terminal: Terminal,
    indent: int,
    style: Callable[[str], str] = lambda text: text,
) -> list[str]:
    """The lines of a row: one, or more if a cell is broken."""
    parts = [_lines(*each, terminal) for each in zip(cells, columns, widths, strict=True)]
    made: list[str] = []
    for at in range(max(map(len, parts))):
        texts = [part[at] if at < len(part) else "" for part in parts]
        aligned = [
            padded(text, width, terminal, is_right=column.align == "right")
            for text, column, width in zip(texts, columns, widths, strict=True)
        ]
        made.append(join(" " * indent, style(CleanText(GAP.join(aligned).rstrip()))))
    return made


def _lines(cell: str, column: OutputColumn, width: int, terminal: Terminal) -> list[str]:
    if column.wraps and terminal.columns(cell) > width:
        return paragraph(cell, attrs.evolve(terminal, width=width), breaks_words=True)
    return [shorten(cell, width, terminal)]


def _head(text: str, terminal: Terminal) -> str:
    return styled(text, bold=True) if terminal.has_colour else text

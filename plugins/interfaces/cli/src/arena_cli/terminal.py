"""Prints a report as tables in the terminal."""

from io import StringIO
from pathlib import Path
from textwrap import wrap

import attrs
from arena.tables import Cell, Column, Estimate, Section, Table
from arena_report.contract import Report, ReportFormat, Screen
from arena_report.exports import write_file
from arena_report.formatting import footnotes, format_cell, is_numeric
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from arena_cli.shown import shown

BRIEF = 2
"""How many tables of each section a brief report shows; metrics put the most important ones first."""

_PADDING = 3
_WHOLE = 25
"""Names of at most this many characters are never broken over lines."""

_LAYOUTS = (" ", " "), (" ", "\n"), ("\n", "\n")
"""The separators before the interval and before n, from the widest layout to the narrowest."""


@attrs.frozen
class TerminalReport(ReportFormat):
    """The tables of a report, laid out for a terminal."""

    def write(self, report: Report, path: Path) -> None:
        """Write the tables without styles, 120 columns wide."""
        write_file(path, [self.text(report, Screen()).encode(), b"\n"])

    def text(self, report: Report, screen: Screen) -> str:
        lines = StringIO()
        styles = True if screen.has_styles else None
        console = Console(file=lines, width=screen.width, highlight=False, force_terminal=styles)
        show_report(report, console, is_brief=screen.is_brief)
        return lines.getvalue().removesuffix("\n")


def show_report(report: Report, console: Console, *, is_brief: bool = False) -> None:
    """Print the results, then the sections about the runs; figures are left to other formats.

    A brief report has the first tables of each result and the notes, and says how to see the rest.
    """
    console.rule(escape(shown(report.title)))
    for section in report.sections:
        _section(section, console, BRIEF if is_brief else None)
    for section in () if is_brief else report.facts:
        _section(section, console)
    for note in report.notes:
        console.print(Text(shown(f"Note: {note}"), style="yellow"))
    left = sum(max(0, len(section.tables) - BRIEF) for section in report.sections)
    left += sum(len(section.tables) for section in report.facts)
    if is_brief and left:
        tables = "one more table" if left == 1 else f"{left} more tables"
        console.print(Text(f"{tables}: arena report RUN --full", style="dim"))


def _section(section: Section, console: Console, most: int | None = None) -> None:
    console.print()
    console.print(Text(shown(section.title), style="bold"))
    if section.text:
        console.print(Text(shown(section.text)))
    for table in section.tables[:most]:
        console.print()
        _print(table, console)
        for note in footnotes(table):
            console.print(Text(shown(note), style="dim"))


def _print(view: Table, console: Console) -> None:
    """Print a table in the widest layout that fits, or row by row if none does."""
    cells: list[list[str]] = []
    widths: list[int] = []
    needed = 0
    for layout in _LAYOUTS:
        cells = [[_cell(*each, layout) for each in zip(row, view.columns, strict=True)] for row in view.rows]
        widths = [_width([row[i] for row in cells], column) for i, column in enumerate(view.columns)]
        needed = sum(widths) + _PADDING * len(widths)
        if needed <= console.width:
            break
    else:
        _print_rows(view, console)
        return
    table = RichTable(title=Text(shown(view.title)), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column, width in zip(view.columns, widths, strict=True):
        side = "right" if is_numeric(column) else "left"
        table.add_column(Text(_heading(column.title, width)), justify=side, min_width=width, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table)


def _print_rows(view: Table, console: Console) -> None:
    console.print(Text(shown(view.title), style="italic"))
    for row in view.rows:
        console.print()
        for number, (cell, column) in enumerate(zip(row, view.columns, strict=True)):
            value = format_cell(cell, column)
            if value:
                name = column.title.strip()
                indent = "  " if number else ""
                console.print(Text(shown(f"{indent}{name}: {value}" if name else f"{indent}{value}")))


def _width(cells: list[str], column: Column) -> int:
    """The width of a column: long texts may be broken between words, and so may the heading."""
    widest = max((len(line) for cell in cells for line in cell.split("\n")), default=0)
    words = max(map(len, column.title.split()), default=1)
    return max(widest if is_numeric(column) else min(widest, _WHOLE), words)


def _heading(title: str, width: int) -> str:
    """The heading, broken between words to fit ``width``."""
    return "\n".join(wrap(shown(title), max(width, 1), break_long_words=False))


def _cell(cell: Cell, column: Column, layout: tuple[str, str]) -> str:
    text = shown(format_cell(cell, column))
    if not isinstance(cell, Estimate):
        return text
    before_interval, before_n = layout
    return text.replace(" n=", f"{before_n}n=").replace(" [", f"{before_interval}[")

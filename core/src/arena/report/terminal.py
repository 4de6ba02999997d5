"""A report in the terminal."""

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from arena.metric import Cell, Column, Estimate, Section, TableView
from arena.report.cells import is_numeric, notes, shown
from arena.report.contract import Report


def render(report: Report, console: Console, *, facts: bool = True) -> None:
    """Print the results, then what is to be said about the runs; figures are left to other formats."""
    console.rule(escape(report.title))
    for section in (*report.sections, *(report.facts if facts else ())):
        _section(section, console)
    for note in report.notes:
        console.print(Text(f"Note: {note}", style="yellow"))


def _section(section: Section, console: Console) -> None:
    console.print()
    console.print(Text(section.title, style="bold"))
    if section.text:
        console.print(Text(section.text))
    for table in section.tables:
        console.print()
        console.print(_table(table))
        for note in notes(table):
            console.print(Text(note, style="dim"))


def _table(view: TableView) -> Table:
    table = Table(title=Text(view.title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(view.columns):
        # Names and counts stay whole; estimates break between value, interval and n.
        is_whole = not any(isinstance(row[i], Estimate) for row in view.rows) and column.style == "count"
        table.add_column(
            Text(column.title), justify="right" if is_numeric(column) else "left", no_wrap=is_whole, overflow="fold"
        )
    for row in view.rows:
        table.add_row(*(_cell(cell, column) for cell, column in zip(row, view.columns, strict=True)))
    return table


def _cell(cell: Cell, column: Column) -> Text:
    text = shown(cell, column)
    # An interval is one word to whoever breaks lines.
    return Text(text.replace(", ", ",\N{NO-BREAK SPACE}") if isinstance(cell, Estimate) else text)

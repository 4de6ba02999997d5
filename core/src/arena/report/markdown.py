"""A report as Markdown (GitHub's flavour, for its tables)."""

import json
import re
from collections.abc import Iterator

from arena.metric import Section, TableView
from arena.report.cells import figure_table, is_numeric, notes, shown
from arena.report.contract import Report

_SPECIAL = re.compile(r"([\\`*_\[\]{}<>#|~$!&])")


def render(report: Report) -> str:
    """The whole report; figures are given as the tables they are made of."""
    lines = [f"# {_escaped(report.title)}", ""]
    if report.notes:
        lines += [*(f"- **Note:** {_escaped(note)}" for note in report.notes), ""]
    for section in (*report.sections, *report.facts):
        lines += _section(section)
    for run, settings in report.settings.items():
        text = json.dumps(settings, indent=2, ensure_ascii=False)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        lines += [f"## Settings of {_escaped(run)}", "", f"{fence}json", text, fence, ""]
    return "\n".join(lines)


def _section(section: Section) -> Iterator[str]:
    yield from (f"## {_escaped(section.title)}", "")
    if section.text:
        yield from (_escaped(section.text), "")
    for table in (*section.tables, *map(figure_table, section.figures)):
        yield from _table(table)


def _table(table: TableView) -> Iterator[str]:
    yield from (f"### {_escaped(table.title)}", "")
    yield _row(_escaped(column.title) for column in table.columns)
    yield _row("---:" if is_numeric(column) else "---" for column in table.columns)
    for row in table.rows:
        yield _row(_escaped(shown(cell, column)) for cell, column in zip(row, table.columns, strict=True))
    yield ""
    for note in notes(table):
        yield from (_escaped(note), "")


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))

"""Lays out all tables of a report on many variants, and shortens the longest ones where they are too many lines."""

from collections.abc import Sequence
from typing import Final

import attrs
from arena.tables import Section, Table

from arena_cli.metric_tables import INDENT, brief_table, full_table, heading
from arena_cli.output import Terminal, count, paragraph

WHOLE: Final = "--by-variant"
"""The option that shows a shortened table whole."""


@attrs.define(eq=False)
class DenseTable:
    """A table with the lines that show it, and in how many steps it may still become shorter.

    The first step leaves out columns that do not fit beside the others, the second rows, the third all of them.
    """

    section: Section
    table: Table
    lines: list[str]
    steps: int = 3

    def shorten(self, terminal: Terminal) -> None:
        """Take the next step, if that makes it shorter."""
        if self.steps > 1:
            is_first = self.steps == 3
            shorter = brief_table(self.section, self.table, terminal, is_dense=is_first, whole=WHOLE)
        else:
            shorter = [self.lines[0], f"{'':{INDENT}}not shown: {count(len(self.table.rows))} rows ({WHOLE})"]
        self.lines = min(self.lines, shorter, key=len)
        self.steps -= 1


def dense_sections(sections: Sequence[Section], terminal: Terminal, most: int) -> list[list[str]]:
    """The lines of each section, at most ``most`` where that can be.

    The longest tables become shorter first, all of them by one step before any takes the next. The very first one keeps
    all of its rows.
    """
    heads = [_head(section, terminal) for section in sections]
    tables = [
        [DenseTable(section, table, full_table(table, terminal, is_dense=True)) for table in _with_rows(section)]
        for section in sections
    ]
    every = [table for own in tables for table in own]
    lines = sum(map(len, heads)) + sum(len(table.lines) for table in every)
    while lines > most and (left := [table for table in every if table.steps > (2 if table is every[0] else 0)]):
        longest = max(left, key=lambda table: (table.steps if table is not every[0] else 1, len(table.lines)))
        lines -= len(longest.lines)
        longest.shorten(terminal)
        lines += len(longest.lines)
    return [[*head, *(line for table in own for line in table.lines)] for head, own in zip(heads, tables, strict=True)]


def _head(section: Section, terminal: Terminal) -> list[str]:
    """The title of a section that has something to show, and its text if that is all."""
    tables = _with_rows(section)
    if not tables and (not section.text or section.tables or section.figures):
        return []
    return ["", heading(section.title, terminal), *(paragraph(section.text, terminal) if not tables else [])]


def _with_rows(section: Section) -> list[Table]:
    return [table for table in section.tables if table.rows]

"""Lays out all tables of a report on many variants, and shortens the longest ones where they are too many lines."""

from collections.abc import Sequence
from typing import Final

import attrs
from arena.tables import Section, Table

from arena_cli.metric_tables import brief_table, full_table, heading
from arena_cli.output import Terminal, paragraph

WHOLE: Final = "--by-variant"
"""The option that shows a shortened table whole."""


@attrs.define(eq=False)
class DenseTable:
    """A table with the lines that show it; it becomes shorter in two steps, by columns and then by rows."""

    section: Section
    table: Table
    lines: list[str]
    steps: list[bool] = attrs.field(factory=lambda: [True, False])

    def shorten(self, terminal: Terminal) -> None:
        """Take the next step, if that makes it shorter."""
        shorter = brief_table(self.section, self.table, terminal, is_dense=self.steps.pop(0), whole=WHOLE)
        self.lines = min(self.lines, shorter, key=len)


def dense_sections(sections: Sequence[Section], terminal: Terminal, most: int) -> list[list[str]]:
    """The lines of each section; the longest tables are shortened, but for the very first, until all are ``most``."""
    heads = [_head(section, terminal) for section in sections]
    tables = [
        [
            DenseTable(section, table, full_table(table, terminal, is_dense=True))
            for table in section.tables
            if table.rows
        ]
        for section in sections
    ]
    count = sum(map(len, heads)) + sum(len(table.lines) for own in tables for table in own)
    left = [table for own in tables for table in own][1:]
    while count > most and (left := [table for table in left if table.steps]):
        longest = max(left, key=lambda table: (len(table.steps), len(table.lines)))
        count -= len(longest.lines)
        longest.shorten(terminal)
        count += len(longest.lines)
    return [[*head, *(line for table in own for line in table.lines)] for head, own in zip(heads, tables, strict=True)]


def _head(section: Section, terminal: Terminal) -> list[str]:
    """The title of a section that has something to show, and its text if that is all."""
    tables = _with_rows(section)
    if not tables and (not section.text or section.tables or section.figures):
        return []
    return ["", heading(section.title, terminal), *(paragraph(section.text, terminal) if not tables else [])]


def _with_rows(section: Section) -> list[Table]:
    return [table for table in section.tables if table.rows]

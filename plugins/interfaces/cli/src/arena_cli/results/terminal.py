"""Shows a report in the terminal: the verdict first, then the most important of each metric, or everything."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Final

import attrs
from arena.tables import Section, Table
from arena_report import Report, ReportFormat, Screen, footnotes, write_file

from arena_cli import output
from arena_cli.output import Terminal, count, paragraph
from arena_cli.results.metric_tables import INDENT, brief_table, first_to_say, full_table, heading
from arena_cli.results.summary import Block, blocks, fitted

WHOLE: Final = "--by-variant"
"""The option that shows a shortened table whole."""


@attrs.define(eq=False)
class DenseTable:
    """A table with the lines that show it, and in how many steps it may still become shorter.

    The first step leaves out rows, the second all of them.
    """

    section: Section
    table: Table
    lines: list[str]
    steps: int = 2

    def shorten(self, terminal: Terminal) -> None:
        """Take the next step, if that makes it shorter."""
        if self.steps > 1:
            shorter = brief_table(self.section, self.table, terminal, whole=WHOLE)
        else:
            shorter = [self.lines[0], f"{'':{INDENT}}not shown: {count(len(self.table.rows))} rows ({WHOLE})"]
        self.lines = min(self.lines, shorter, key=len)
        self.steps -= 1


def dense_sections(sections: Sequence[Section], terminal: Terminal, most: int) -> list[list[str]]:
    """The lines of each section, at most ``most`` where that can be.

    The longest tables become shorter first, all of them by one step before any takes the next. The very first one stays
    whole.
    """
    heads = [_head(section, terminal) for section in sections]
    tables = [
        [DenseTable(section, table, full_table(table, terminal)) for table in _with_rows(section)]
        for section in sections
    ]
    every = [table for own in tables for table in own]
    lines = sum(map(len, heads)) + sum(len(table.lines) for table in every)
    while lines > most and (left := [table for table in every[1:] if table.steps]):
        longest = max(left, key=lambda table: (table.steps, len(table.lines)))
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


LINES: Final = 40
"""The most lines of a report on few agents and games that is not asked for in full."""

LINES_OF_MANY: Final = 60
"""The same for more agents or games than three."""

LINES_OF_VARIANTS: Final = 100
"""The same for more agents than three in many variants of a game."""

LINES_OF_ALL: Final = 250
"""The most lines of a report on many variants that is asked for in full."""

FEW: Final = 3

EXPLAINED: Final = "What the numbers mean and how intervals were made: -o report.html, or --by-variant."
"""What stands below a report on many variants in place of what explains its tables."""

_NOTES: Final = 3
"""The most notes of a brief report."""


@attrs.frozen
class TerminalReport(ReportFormat):
    """A report as text, laid out for a terminal."""

    folds_variants: ClassVar[bool] = True

    def write(self, report: Report, path: Path) -> None:
        """Write everything without styles, 120 columns wide."""
        write_file(path, [self.text(report, Screen()).encode(), b"\n"])

    def text(self, report: Report, screen: Screen) -> str:
        terminal = Terminal(width=screen.width, has_colour=screen.has_styles)
        return "\n".join(map(terminal.plain, report_lines(report, terminal, is_brief=screen.is_brief)))


def report_lines(report: Report, terminal: Terminal, *, is_brief: bool) -> list[str]:
    """The lines of a report; a brief one has as many as its agents and games warrant."""
    return _brief(report, terminal) if is_brief else _everything(report, terminal)


def show_report(report: Report, *, is_brief: bool = False) -> None:
    """Print a report on standard output; a brief one has the first tables alone."""
    output.result(report_lines(report, output.terminal_of(sys.stdout), is_brief=is_brief))


def _brief(report: Report, terminal: Terminal) -> list[str]:
    is_small = len(report.verdict.rows) <= FEW and len(report.verdict.by_game) <= FEW
    top, later = _top(report, terminal)
    end = Block([*_notes(report, terminal), *_made_by(report, terminal, "; all versions: --full")])
    # Where nothing has a result, the sentence that says so is all that there is to know.
    sections = report.sections if report.headline.matches or not report.headline.planned else ()
    told = [(section, table) for section in sections if (table := first_to_say(section)) is not None]
    is_dense = bool(report.variants)
    tables = [Block(brief_table(*each, terminal, is_dense=is_dense and not i)) for i, each in enumerate(told)]
    tables[:1] = [*tables[:1], *later]
    most = LINES if is_small else LINES_OF_VARIANTS if later else LINES_OF_MANY
    while tables:
        left = _left_out(report, len([block for block in tables if block not in later]), terminal)
        lines = fitted([*top, *tables, Block([*left, *end.lines])], 1_000_000)
        if len(lines) <= most:
            return lines
        tables.pop()
    return fitted([*top, Block([*_left_out(report, 0, terminal), *end.lines])], most)


def _top(report: Report, terminal: Terminal) -> tuple[list[Block], list[Block]]:
    """The parts that come first, and those behind the first table: the pairs of many agents in many variants."""
    found = blocks(report, terminal, "RUN")
    if not report.variants or len(report.verdict.rows) <= FEW:
        return found, []
    return [block for block in found if not block.is_of_pairs], [block for block in found if block.is_of_pairs]


def _left_out(report: Report, shown: int, terminal: Terminal) -> list[str]:
    """A line that says how many tables there are beyond those that are shown, and of what."""
    count = sum(len(section.tables) for section in (*report.sections, *report.facts)) - shown
    if count <= 0:
        return []
    told = [section.title for section in report.sections if section.tables]
    tables = "one more table" if count == 1 else f"{output.count(count)} more tables"
    head = f"{tables}: --full"
    names = output.names_that_fit(told, terminal.width - len(head) - 3, terminal, ", ")
    return [output.join(head, f" ({names})" if names else "")]


def _notes(report: Report, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    for note in report.notes[:_NOTES]:
        lines += paragraph(f"Note: {note}", terminal, hanging=2)
    if (more := len(report.notes) - _NOTES) > 0:
        lines += paragraph(f"{output.count(more)} more {'note' if more == 1 else 'notes'}: --full", terminal)
    return lines


def _made_by(report: Report, terminal: Terminal, rest: str = "") -> list[str]:
    """How each run was made; ``rest`` says where more of it is."""
    return [line for made in report.made_by[:FEW] for line in paragraph(f"made by: {made}{rest}", terminal, hanging=2)]


def _everything(report: Report, terminal: Terminal) -> list[str]:
    verdict = report.verdict
    top, later = _top(report, terminal)
    lines = fitted(top, 1_000_000) if verdict.sentences else [report.title]
    is_dense = bool(report.variants)
    for note in () if is_dense else verdict.footnotes:
        lines += paragraph(note, terminal, hanging=2)
    end = [*(["", *paragraph(EXPLAINED, terminal)] if is_dense else []), *([""] if report.notes else [])]
    for note in report.notes:
        end += paragraph(f"Note: {note}", terminal, hanging=2)
    end += _made_by(report, terminal)
    between = [line for block in later for line in ("", *block.lines)]
    sections = [*report.sections, *report.facts]
    if is_dense:
        parts = dense_sections(sections, terminal, LINES_OF_ALL - len(lines) - len(between) - len(end))
    else:
        parts = [list(_section(section, terminal)) for section in sections]
    for i, part in enumerate(parts):
        lines += [*part, *(between if i == 0 else ())]
    return [*lines, *end]


def _section(section: Section, terminal: Terminal) -> Iterable[str]:
    yield from _titled(section, terminal)
    yield from paragraph(section.text, terminal) if section.text else ()
    for table in section.tables:
        yield ""
        yield from full_table(table, terminal)
        for note in footnotes(table):
            yield from paragraph(note, terminal, 2, 2)


def _titled(section: Section, terminal: Terminal) -> Iterable[str]:
    yield ""
    yield heading(section.title, terminal)

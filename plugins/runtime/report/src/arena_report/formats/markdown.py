"""Writes a report as Markdown, in GitHub's flavour because of its tables."""

import re
from collections.abc import Iterator

from arena.tables import Section, Table

from arena_report.content.contract import Report
from arena_report.formats.formatting import figure_tables, footnotes, format_cell, is_numeric, settings_text
from arena_report.formats.standing_tables import headline_parts, standing_tables

_SPECIAL = re.compile(r"([\\`*_\[\]{}<>#|~$!&])")


def render(report: Report) -> str:
    """The whole report; figures become tables of their numbers."""
    lines = [f"# {_escaped(report.title)}", "", *_verdict(report)]
    if report.notes:
        lines += [*(f"- **Note:** {_escaped(note)}" for note in report.notes), ""]
    for section in (*report.sections, *report.facts):
        lines += _section(section)
    for run, settings in report.settings.items():
        text = settings_text(settings)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        lines += [f"## Settings of {_escaped(run)}", "", f"{fence}json", text, fence, ""]
    return "\n".join(lines)


def _verdict(report: Report) -> Iterator[str]:
    """What was played, who is better, the ranking, and what makes that doubtful."""
    if not report.verdict.sentences:
        return
    yield from (_escaped(" · ".join(headline_parts(report.headline))), "")
    for sentence in report.verdict.sentences:
        yield from (f"**{_escaped(sentence)}**", "")
    more = (*report.verdict.factor_sentences, *report.verdict.game_sentences)
    for sentence in more:
        yield f"- {_escaped(sentence)}"
    if more:
        yield ""
    if report.verdict.doubts:
        yield from (_escaped(f"Doubts: {'; '.join(report.verdict.doubts)}."), "")
    for table in standing_tables(report.verdict):
        yield from _table(table)


def _section(section: Section) -> Iterator[str]:
    yield from (f"## {_escaped(section.title)}", "")
    if section.text:
        yield from (_escaped(section.text), "")
    for table in (*section.tables, *(table for figure in section.figures for table in figure_tables(figure))):
        yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    yield from (f"### {_escaped(table.title)}", "")
    yield _row(_escaped(column.title) for column in table.columns)
    yield _row("---:" if is_numeric(column) else "---" for column in table.columns)
    for row in table.rows:
        yield _row(_escaped(format_cell(cell, column)) for cell, column in zip(row, table.columns, strict=True))
    yield ""
    for note in footnotes(table):
        yield from (_escaped(note), "")


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))

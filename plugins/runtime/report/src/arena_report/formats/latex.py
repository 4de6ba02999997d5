"""Writes a report's tables as LaTeX; needs the package ``booktabs``, and ``adjustbox`` for wide tables."""

import re
from collections.abc import Iterator

from arena.tables import Column, Section, Table

from arena_report.content.contract import Report
from arena_report.formats.formatting import NOTHING, figure_tables, footnotes, format_cell, is_numeric
from arena_report.formats.standing_tables import standing_tables

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "-": r"{-}",
    "–": r"\textendash{}",
    NOTHING: r"\textemdash{}",
    "…": r"\ldots{}",
    "−": r"\textminus{}",
    "≥": r"\ensuremath{\geq}",
    "≤": r"\ensuremath{\leq}",
    "·": r"\textperiodcentered{}",
    "[": r"{[}",
    "]": r"{]}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_ANY = re.compile("|".join(map(re.escape, _SPECIAL)))

_HEAD = r"""% needs \usepackage{booktabs}, \usepackage{adjustbox}, \usepackage[T1]{fontenc} and \usepackage{textcomp}"""


def render(report: Report) -> str:
    """All tables of results and facts, one ``table`` each; figures become tables of their numbers."""
    lines = [_HEAD, f"% {_one_line(report.title)}", *(f"% note: {_one_line(note)}" for note in report.notes), ""]
    if report.verdict.sentences:
        lines += _verdict(report)
    for section in (*report.sections, *report.facts):
        lines += _section(section)
    return "\n".join(lines)


def _verdict(report: Report) -> Iterator[str]:
    """Who is better in words, what makes that doubtful, and the ranking."""
    yield "% verdict"
    verdict = report.verdict
    doubts = [f"Doubts: {'; '.join(verdict.doubts)}."] if verdict.doubts else []
    yield from (
        rf"{escaped(text)}\par"
        for text in (*verdict.sentences, *verdict.factor_sentences, *verdict.game_sentences, *doubts)
    )
    yield ""
    for table in standing_tables(verdict):
        yield from _table(table)


def _section(section: Section) -> Iterator[str]:
    yield f"% {_one_line(section.title)}"
    if section.text:
        yield from (escaped(section.text), "")
    for table in (*section.tables, *(table for figure in section.figures for table in figure_tables(figure))):
        if table.columns:
            yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    yield from (r"\begin{table}[htbp]", r"\centering", rf"\caption{{{escaped(table.title)}}}")
    yield r"\begin{adjustbox}{max width=\linewidth}"
    yield rf"\begin{{tabular}}{{{''.join(map(_alignment, table.columns))}}}"
    yield r"\toprule"
    yield _row(column.title for column in table.columns)
    yield r"\midrule"
    for row in table.rows:
        yield _row(format_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))
    yield from (r"\bottomrule", r"\end{tabular}", r"\end{adjustbox}")
    for note in footnotes(table):
        yield rf"\par\smallskip{{\footnotesize {escaped(note)}\par}}"
    yield from (r"\end{table}", "")


def _alignment(column: Column) -> str:
    return "r" if is_numeric(column) else "l"


def _row(cells: Iterator[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def escaped(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return _ANY.sub(lambda match: _SPECIAL[match[0]], _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())

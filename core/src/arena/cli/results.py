"""Show what came of a run: tables on standard error, and the portable report beside the journal."""

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console

from arena.catalog import Catalog
from arena.cli.options import say
from arena.errors import ArenaError, PluginError
from arena.journal import Journal
from arena.report import Report, ReportFormat, build
from arena.report.terminal import render

PORTABLE: Final = "html"
"""The report plugin that writes the file to pass on, and that file's ending."""

WIDTH: Final = 120
"""Columns where there is no terminal to ask."""


def nothing(journal: Journal) -> None:
    """Show nothing."""


def results(catalog: Catalog) -> Callable[[Journal], None]:
    """What shows the results of a run that has come to its end."""
    return lambda journal: show(journal, catalog)


def show(journal: Journal, catalog: Catalog) -> None:
    """Print the tables of a run and write its portable report, or say how to get one."""
    report = build([journal], catalog=catalog)
    render(report, console(is_result=False), is_brief=True)
    path = journal.directory / f"report.{PORTABLE}"
    try:
        write(report, PORTABLE, path, catalog)
        say(f"report: {path}")
    except PluginError as error:
        say(f"no {PORTABLE} report: {error}")


def write(report: Report, use: str, path: Path, catalog: Catalog) -> None:
    """Write a report with a report plugin; ``PluginError`` where it cannot be used."""
    made = catalog.get("report", use).load()()
    if not isinstance(made, ReportFormat):
        raise PluginError(f"report {use!r} makes {type(made).__name__}, which is no ReportFormat; tell its author")
    try:
        made.write(report, path)
    except OSError as error:
        raise ArenaError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error


def console(*, is_result: bool) -> Console:
    """A console on standard output for results that were asked for, else on standard error."""
    stream = sys.stdout if is_result else sys.stderr
    return Console(file=stream, width=None if stream.isatty() else WIDTH, highlight=False)


def text(report: Report, form: str) -> str:
    """A report as text of a form that core knows: terminal, markdown or latex."""
    from arena.report import latex, markdown

    if form == "terminal":
        plain = Console(record=True, file=StringIO(), width=WIDTH, highlight=False)
        render(report, plain)
        return plain.export_text()
    return markdown.render(report) if form == "markdown" else latex.render(report)

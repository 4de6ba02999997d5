"""Shows the results of a run: tables on standard error, and the portable report next to the journal."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.catalog import Catalog
from arena.errors import ArenaError, PluginError
from arena_engine import Benchmark
from arena_engine.journal.journal import Journal
from arena_report import Report, ReportFormat, build
from rich.console import Console

from arena_cli.options import print_status
from arena_cli.terminal import show_report

PORTABLE: Final = "html"
"""The report plugin that writes the file to share, and that file's extension."""

WIDTH: Final = 120
"""The width in columns of output that goes to no terminal."""


def no_output(journal: Journal) -> bool:
    """Print nothing: takes the place of ``show`` when no results are wanted."""
    return True


def result_printer(benchmark: Benchmark, catalog: Catalog) -> Callable[[Journal], bool]:
    """Return a function that prints the results of a finished run of ``benchmark``; it says if they are complete."""
    return lambda journal: show(journal, benchmark, catalog)


def show(journal: Journal, benchmark: Benchmark, catalog: Catalog) -> bool:
    """Print the tables of a run of ``benchmark`` and write its portable report, or print how to get one.

    False if a metric raised, so that its results are missing.
    """
    try:
        portable, missing = report_format(PORTABLE, catalog), ""
    except PluginError as error:
        portable, missing = None, f"no {PORTABLE} report: {error}"
    boards = portable is not None and portable.shows_boards
    report = build([journal], catalog=catalog, benchmarks=(benchmark,), boards=boards)
    show_report(report, console(is_result=False), is_brief=True)
    if portable is not None:
        path = journal.directory / f"report.{PORTABLE}"
        write(report, portable, path)
        print_status(f"report: {path}")
    else:
        print_status(missing)
    print_failures(report)
    return not report.failures


def print_failures(report: Report) -> None:
    """Print which metrics of a report are missing, and why."""
    for failure in report.failures:
        print_status(failure)


def report_format(use: str, catalog: Catalog) -> ReportFormat:
    """The report format called ``use``; raises ``PluginError`` if it cannot be used."""
    made = catalog.get("report", use).load()()
    if not isinstance(made, ReportFormat):
        raise PluginError(f"report {use!r} makes {type(made).__name__}, which is no ReportFormat; tell its author")
    return made


def write(report: Report, form: ReportFormat, path: Path) -> None:
    """Write a report to a file; raises ``ArenaError`` if that fails."""
    try:
        form.write(report, path)
    except OSError as error:
        raise ArenaError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error


def console(*, is_result: bool) -> Console:
    """A console on standard output if the output is the requested result, else on standard error."""
    stream = sys.stdout if is_result else sys.stderr
    return Console(file=stream, width=None if stream.isatty() else WIDTH, highlight=False)

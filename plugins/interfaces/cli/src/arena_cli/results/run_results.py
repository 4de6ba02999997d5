"""Shows the results of a run: the verdict, and the portable report next to the journal; keeps that it is done.

It lies in the user's cache under the content of the journal and all code that is installed: a journal of which a byte
has changed, or another metric, finds nothing, and the journal is read.
"""

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.catalog import Catalog
from arena.errors import ArenaError, PluginError
from arena.record import canonical_json
from arena_engine import Benchmark, Journal, KeptTexts, installed_code, is_played
from arena_engine.journal import FILE, status_of

from arena_cli import output

if TYPE_CHECKING:
    from arena_report import Report, ReportFormat, Waiting


ROOM: Final = 10_000_000
"""So many bytes there are on disk at most."""

FOLDER: Final = "finished"


def keep_finished(directory: Path, disabled: Sequence[str], report: str) -> None:
    """Keep that every match of a run has a result, and the name of its report's file; its journal is closed."""
    if key := _key(directory, disabled):
        KeptTexts(FOLDER, ROOM).put(key, report)


def report_of_finished(directory: Path, disabled: Sequence[str]) -> str | None:
    """The name of the report's file of a finished run, empty if there is none; ``None`` if matches may be left."""
    key = _key(directory, disabled)
    report = KeptTexts(FOLDER, ROOM).get(key) if key else None
    return report if not report or (directory / report).is_file() else ""


def _key(directory: Path, disabled: Sequence[str]) -> str:
    """A digest of everything that has to be as it was; empty where that is still changing."""
    path = directory / FILE
    log = path.with_name(f"{FILE}-wal")
    try:
        if is_played(directory) or (log.exists() and log.stat().st_size):
            return ""
        with path.open("rb") as file:
            content = file_digest(file, "blake2b").hexdigest()
    except OSError:
        return ""
    made_from = [content, installed_code(), sorted(disabled)]
    return sha256(canonical_json(made_from).encode()).hexdigest()


COMMANDS: Final = frozenset({"arena", "playarena"})
"""The two names of the command."""

PORTABLE: Final = "html"
"""The report plugin that writes the file to share, and that file's extension."""

LINES: Final = 22
"""The most lines below the progress of a run, that with its directory included: with a prompt all is on one screen."""


class ResultPrinter:
    """Prints the results of a run of ``benchmark``, and keeps for whoever resumes it that the run is finished.

    ``report`` is the name of the file with its report, where that is known.
    """

    def __init__(self, benchmark: Benchmark, catalog: Catalog, *, is_quiet: bool = False, report: str = "") -> None:
        self._benchmark = benchmark
        self._catalog = catalog
        self._is_quiet = is_quiet
        self._report = report

    def show(self, journal: Journal) -> bool:
        """Print who is better, where all of it stands, and write the portable report; nothing if all is to be quiet.

        Nobody waits for references: those that are not known yet are missing, and a note says so. False if a metric
        raised, so that its results are missing.
        """
        if self._is_quiet:
            return True
        report, portable = reported(journal, self._benchmark, self._catalog)
        for line in closing(report, portable, journal.directory, next_lines(self._benchmark)):
            output.status(line)
        self._report = Path(portable).name if Path(portable).is_file() else ""
        return not report.failures

    def keep(self, directory: Path) -> None:
        """Keep that a run is finished; its journal is closed."""
        keep_finished(directory, self._catalog.disabled, self._report)


def closing(report: "Report", portable: str, directory: Path, following: Sequence[str] = ()) -> list[str]:
    """The last lines of a run: what was played, the verdict, and what to look at next."""
    from arena_cli.results.summary import summary

    terminal = output.terminal_of(sys.stderr)
    last = [f"report  {portable}", *([] if following else [f"more    arena report {directory} --full"])]
    paths, own = (
        [line for each in part for line in output.paragraph(each, terminal, hanging=8)] for part in (last, following)
    )
    # The directory of the run stands below, on standard output, and a blank line above. What a benchmark names to go on
    # with takes the place of our own advice.
    said = summary(report, terminal, LINES - len(paths) - len(own) - 2, directory=str(directory))
    return [*said, "", *paths, *own]


def reported(journal: Journal, benchmark: Benchmark, catalog: Catalog) -> "tuple[Report, str]":
    """The report on a run, and the path of its portable form, which is written; else why there is none."""
    from arena_report import build, fold_variants

    try:
        portable, missing = report_format(PORTABLE, catalog), ""
    except PluginError as error:
        portable, missing = None, f"no {PORTABLE} report: {error}"
    boards = portable is not None and portable.shows_boards
    made = build([journal], catalog=catalog, benchmarks=(benchmark,), boards=boards, seconds=0, waiting=waiting())
    report = fold_variants(made)
    if portable is None:
        return report, missing
    path = journal.directory / f"report.{PORTABLE}"
    write(report, portable, path)
    return report, str(path)


def waiting() -> "Waiting":
    """Says on standard error what a report takes its time for: soon to a person, and later to a log."""
    from arena_report import Waiting

    return Waiting(output.status, 1.0 if output.terminal_of(sys.stderr).is_terminal else 10.0)


class JsonPrinter:
    """Keeps the results of a run, and prints them as one JSON object in place of the run's directory."""

    def __init__(self, benchmark: Benchmark, catalog: Catalog, *, is_quiet: bool) -> None:
        self._benchmark = benchmark
        self._catalog = catalog
        self._is_quiet = is_quiet
        self._found: Mapping[str, Any] = {}

    def show(self, journal: Journal) -> bool:
        """Compute the results, and write the portable report unless all is to be quiet."""
        from arena_report import build

        from arena_cli.results.report_json import verdict_json

        if self._is_quiet:
            report = build([journal], catalog=self._catalog, benchmarks=(self._benchmark,), seconds=0)
            path = None
        else:
            report, path = reported(journal, self._benchmark, self._catalog)
        self._found = {"report": path, **verdict_json(report)}
        return not report.failures

    def close(self, journal: Journal) -> None:
        """Print the run's directory, how far it got and its results; without those if they were not computed."""
        status = status_of(journal)
        matches = {"planned": status.planned, "finished": status.finished, "failed": len(status.failed)}
        output.result_json(
            {"run": str(journal.directory), "matches": matches, "stopped": status.stopped, **self._found}
        )


def next_lines(benchmark: Benchmark) -> tuple[str, ...]:
    """The commands that a benchmark names to go on with, each to be pasted as it stands."""
    return tuple(f"{'' if number else 'next':<8}{as_typed(line)}" for number, line in enumerate(benchmark.next))


def as_typed(command: str) -> str:
    """A command of ours as a shell finds it: by the running program, with its path where its name is not enough."""
    program = Path(sys.argv[0])
    name, _, rest = command.partition(" ")
    if name != "arena" or not program.is_file():
        return command
    if program == Path(__file__).parents[1] / "__main__.py":
        return f"{shlex.quote(sys.executable)} -m arena_cli {rest}".rstrip()
    if program.name not in COMMANDS:
        return command
    found = shutil.which(program.name)
    typed = program.name if found and Path(found).samefile(program) else shlex.quote(str(program))
    return f"{typed} {rest}".rstrip()


def print_failures(report: "Report") -> None:
    """Print which metrics of a report are missing, and why."""
    for failure in report.failures:
        output.status(failure)


def report_format(use: str, catalog: Catalog) -> "ReportFormat":
    """The report format called ``use``; raises ``PluginError`` if it cannot be used."""
    from arena_report import ReportFormat

    made = catalog.get("report", use).load()()
    if not isinstance(made, ReportFormat):
        raise PluginError(f"report {use!r} makes {type(made).__name__}, which is no ReportFormat; tell its author")
    return made


def write(report: "Report", form: "ReportFormat", path: Path) -> None:
    """Write a report to a file; raises ``ArenaError`` if that fails."""
    try:
        form.write(report, path)
    except OSError as error:
        raise ArenaError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error

"""The command ``arena runs``: lists runs, the newest first, and who is better in each."""

import sys
from pathlib import Path
from typing import Final

import attrs
import click
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.record import JSON
from arena_engine import Journal, is_cut_off
from arena_report import first_sentence

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of
from arena_cli.application.run_path import RUNS, begun, newest_first, without_stamp
from arena_cli.output import OutputColumn, count, result, result_json, status, table, terminal_of

DAMAGED: Final = "damaged"
"""The state of a run that cannot be read."""

CUT_OFF: Final = "cut off"
"""The state of a run of which nothing was played before it was cut off."""

MATCHES: Final = 2_000
"""The most matches that are read for the sentence on who is better."""


@attrs.frozen(kw_only=True)
class ListedRun:
    """A run in a list: when it was begun (UTC), how many matches have a result, and a sentence on who is better.

    ``state`` is ``"done"``, ``"unfinished"``, ``"3 failed"``, or ``"damaged"`` or ``"cut off"`` with the reason in
    place of a verdict.
    ``verdict`` is empty where nothing has a result, or more than 2,000 matches would have to be read.
    """

    directory: Path
    name: str
    begun: str
    matches: int = 0
    planned: int = 0
    state: str = DAMAGED
    verdict: str = ""

    @classmethod
    def of(cls, directory: Path, catalog: Catalog) -> "ListedRun":
        """Read a run; one that cannot be read is listed as such."""
        try:
            with Journal.open(directory, check=False) as journal:
                ended = journal.ended()
                results = sum(n for ending, n in ended.items() if ending.is_result)
                failed, planned = ended.total() - results, journal.planned()
                done = "done" if results == planned else "unfinished"
                return cls(
                    directory=directory,
                    name=journal.header.name,
                    begun=begun(directory),
                    matches=results,
                    planned=planned,
                    state=f"{failed:,} failed" if failed else done,
                    verdict=first_sentence(journal, catalog) if 0 < results <= MATCHES else "",
                )
        except (ArenaError, OSError, ValueError, LookupError, TypeError, MemoryError, RecursionError) as error:
            return cls(
                directory=directory,
                name=directory.name,
                begun=begun(directory),
                state=CUT_OFF if is_cut_off(directory) else DAMAGED,
                verdict=str(error) or type(error).__name__,
            )

    @property
    def short_name(self) -> str:
        """The directory's name without the time at which the run was begun."""
        return without_stamp(self.directory.name) or self.directory.name

    def to_json(self) -> dict[str, JSON]:
        """The run as plain data."""
        return {**attrs.asdict(self), "directory": str(self.directory)}


SHOWN: Final = 12
"""The most runs that are listed unless all of them are wanted."""

_INSTEAD: Final = {DAMAGED: "arena verify says more", CUT_OFF: "arena resume begins it again"}
"""What stands in place of a verdict."""

_COLUMNS: Final = (
    OutputColumn(title="run"),
    OutputColumn(title="when (UTC)", keep=1),
    OutputColumn(title="name", shortens=True),
    OutputColumn(title="matches", align="right"),
    OutputColumn(title="state"),
    OutputColumn(title="verdict", wraps=True),
)


@click.command(cls=Command)
@click.argument("folder", default=RUNS, type=click.Path(path_type=Path, file_okay=False))
@click.option("--full", is_flag=True, help="All runs, however many.")
@click.option("--json", "is_json", is_flag=True, help="One object with all of them.")
@click.pass_context
def runs(ctx: click.Context, folder: Path, full: bool, is_json: bool) -> None:
    """List the runs in a folder, the newest first.

    FOLDER is runs/ unless given. Wherever a command wants a RUN, @ is the newest one of runs/, @2 the one before it,
    and a part of a name that no other run has is enough.
    """
    found = newest_first(folder)
    shown = found if full or is_json else found[:SHOWN]
    listed = [ListedRun.of(directory, catalog_of(ctx)) for directory in shown]
    if is_json:
        result_json({"runs": [{"run": f"@{n}", **run.to_json()} for n, run in enumerate(listed, 1)]})
        return
    if not listed:
        status(f"there are no runs in {folder}/; play one: arena run --game tic-tac-toe --agent random -n 10")
        return
    is_usual = folder == RUNS
    result(table(_COLUMNS[not is_usual :], _rows(listed, has_numbers=is_usual), terminal_of(sys.stdout), 0, ""))
    if left := len(found) - len(listed):
        result(f"{count(left)} older runs: arena runs --full")
    result(f"look at one: arena report {'@' if is_usual else listed[0].directory}")


def _rows(listed: list[ListedRun], *, has_numbers: bool) -> list[tuple[str, ...]]:
    """A row for each run; names without the time at which the run was begun, which has a column of its own."""
    rows: list[tuple[str, ...]] = []
    for number, run in enumerate(listed, 1):
        matches = count(run.matches) if run.matches == run.planned else f"{count(run.matches)} of {count(run.planned)}"
        when = run.begun[:16].replace("T", " ")
        verdict = _INSTEAD.get(run.state) or run.verdict
        row = (f"@{number}", when, run.short_name, matches, run.state, verdict)
        rows.append(row if has_numbers else row[1:])
    return rows

"""The command ``arena runs``: lists runs, the newest first."""

import re
import sys
from pathlib import Path
from typing import Final

import click

from arena_cli.application import Command
from arena_cli.listed_run import CUT_OFF, DAMAGED, ListedRun
from arena_cli.options import catalog_of
from arena_cli.output import OutputColumn, count, result, result_json, status, table, terminal_of
from arena_cli.run_path import RUNS, newest_first

SHOWN: Final = 12
"""The most runs that are listed unless all of them are wanted."""

_INSTEAD: Final = {DAMAGED: "arena verify says more", CUT_OFF: "arena resume begins it again"}
"""What stands in place of a verdict."""

_NUMBERS: Final = re.compile(r": | \(95 %| in [\d,]+ match")
"""What stands between a claim and its numbers."""

_NOTHING: Final = "nothing can be said"

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
        verdict = _INSTEAD.get(run.state) or _claim(run.verdict)
        row = (f"@{number}", when, run.short_name, matches, run.state, verdict)
        rows.append(row if has_numbers else row[1:])
    return rows


def _claim(sentence: str) -> str:
    """What a sentence claims, without its numbers."""
    claim = _NUMBERS.split(sentence, maxsplit=1)[0].rstrip(".")
    return f"{claim}: {_NOTHING}" if _NOTHING in sentence else claim

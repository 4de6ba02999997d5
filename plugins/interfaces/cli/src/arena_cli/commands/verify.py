"""The command ``arena verify``: checks whether a run is still what was written."""

from pathlib import Path

import click
from arena_engine import verify_journal

from arena_cli.application.group import FAILED, Command
from arena_cli.application.run_path import RunPath
from arena_cli.output.streams import echo

LISTED = 20
"""The most problems, and the most matches, that are printed."""


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.pass_context
def verify(ctx: click.Context, run: Path) -> None:
    """Check whether a run is still what was written, and which matches damage touches.

    Checked are every row, the sums of all tables, the log and the structure of the file. The exit code is 0 if the run
    is sound, 1 if it is damaged and 2 if there is no run. Checksums find accidents, not changes that somebody made on
    purpose.
    """
    found = verify_journal(run)
    if not found.problems:
        echo(f"{run}: {found.rows:,} rows are what was written")
        return
    echo(f"{run}: damaged")
    _list(found.problems, "problems")
    if found.matches:
        echo(f"matches touched: {len(found.matches):,}")
        _list(found.matches, "matches")
    ctx.exit(FAILED)


def _list(lines: tuple[str, ...], what: str) -> None:
    for line in lines[:LISTED]:
        echo(f"  {line}")
    if len(lines) > LISTED:
        echo(f"  … and {len(lines) - LISTED:,} more {what}")

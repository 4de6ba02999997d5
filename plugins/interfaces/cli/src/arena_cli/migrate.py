"""The command ``arena migrate``: gives a run of an older Arena the layout of this one."""

from pathlib import Path

import click
from arena_engine.journal.journal import Journal

from arena_cli.application import Command
from arena_cli.run_path import RunPath
from arena_cli.shown import echo


@click.command(cls=Command)
@click.argument("run", type=RunPath())
def migrate(run: Path) -> None:
    """Give a run of an older Arena the layout of this one, with checksums.

    Nothing that was played or answered changes. It is done in one transaction: if it is interrupted, the run is as it
    was. A run that has the layout already is left alone.
    """
    with Journal.open(run, check=False) as old:
        is_new = old.has_summaries
    if is_new:
        echo(f"{run}: has the layout of this version already")
        return
    with Journal.open(run, write=True) as journal:
        echo(f"{run}: migrated, {journal.planned():,} matches")

"""The command ``arena export``: writes the matches of a run for other programs."""

import sys
from pathlib import Path
from typing import Any, Final

import click
from arena.catalog import Catalog
from arena.errors import ArenaError, PluginError
from arena_engine import Journal
from arena_engine.benchmark import fields_of
from arena_report import ExportFormat

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of, print_status, trust_options
from arena_cli.application.run_path import RunPath

EVENTS: Final = "events"
"""The parameter of export formats that can add all events of a match."""


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.option("--format", "form", metavar="FORMAT", default="jsonl", help="jsonl, csv, parquet …")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to; - is standard output.")
@click.option("--events", is_flag=True, help="Add all events of each match (jsonl).")
@trust_options
@click.pass_context
def export(ctx: click.Context, run: Path, form: str, output: str, events: bool) -> None:
    """Write the matches of a run as JSON lines, CSV or Parquet, or as a plugin does.

    jsonl holds one object a match: id, game, players (agents by player), seats, seed, ending, returns, turns (accepted
    actions with player and label; by, where a policy played), refusals (by kind) and more. csv and parquet hold one row
    a match. Matches come in the order of the plan; those without a result are left out. The bytes depend on
    benchmark, seed and answers alone. `arena list-plugins --kind export` lists the formats that plugins add.
    """
    made = export_format(form, catalog_of(ctx), **({EVENTS: True} if events else {}))
    with Journal.open(run) as journal:
        planned, ended = journal.planned(), journal.ended()
        failed = sum(count for ending, count in ended.items() if not ending.is_final)
        _put(made, form, journal, output)
        left = planned - ended.total()
    if left or failed:
        print_status(
            f"left out: {left:,} matches that are not finished, {failed:,} without a result; see `arena resume {run}`"
        )


def export_format(form: str, catalog: Catalog, **parameters: Any) -> ExportFormat:
    """The export format of this name, with values for some of its parameters; ``PluginError`` if there is none."""
    cls = catalog.get("export", form).load()
    if EVENTS in parameters and EVENTS not in fields_of(cls):
        raise click.UsageError(f"--events needs --format jsonl; {form} has a shape of its own")
    made = cls(**parameters)
    if not isinstance(made, ExportFormat):
        raise PluginError(f"export {form!r} makes {type(made).__name__}, which is no ExportFormat; tell its author")
    return made


def _put(made: ExportFormat, form: str, journal: Journal, output: str) -> None:
    if output == "-":
        content = made.content(journal)
        if content is None:
            raise click.UsageError(f"{form} needs --output with a path of its own")
        sys.stdout.buffer.writelines(content)
        sys.stdout.buffer.flush()
        return
    try:
        made.write(journal, Path(output))
    except OSError as error:
        raise ArenaError(f"{output}: cannot be written ({error.strerror}); choose another --output") from error

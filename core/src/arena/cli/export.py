"""``arena export``."""

import sys
from pathlib import Path

import click

from arena.catalog import Catalog
from arena.cli.group import Command
from arena.cli.options import catalog_of, say
from arena.errors import ArenaError, PluginError
from arena.export import AGAIN, FORMATS, ExportFormat, jsonl, matches, write
from arena.journal import Journal
from arena.plain import suggestion


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--format", "form", metavar="FORMAT", default="jsonl", help="jsonl, csv, parquet, or an export plugin.")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to; - is standard output.")
@click.option("--events", is_flag=True, help="Add all events of each match (jsonl).")
@click.pass_context
def export(ctx: click.Context, run: Path, form: str, output: str, events: bool) -> None:
    """Write the matches of a run as JSON lines, CSV or Parquet, or as a plugin does.

    jsonl holds one object a match: id, game, players (agents by player), seats, seed, ending, returns, turns (accepted
    actions with player and label; by, where a policy played), refusals (by kind) and more. csv and parquet hold one row
    a match. Matches come in the order of the plan; those without a result are left out. The bytes depend on
    benchmark, seed and answers alone. `arena list-plugins --kind export` lists the formats that plugins add.
    """
    if events and form != "jsonl":
        raise click.UsageError(f"--events needs --format jsonl; {form} has a shape of its own")
    made = None if form in FORMATS else _of_plugin(form, catalog_of(ctx))
    with Journal.open(run) as journal:
        endings = journal.endings().values()
        planned, failed = len(journal.plans()), sum(1 for e in endings if e in AGAIN)
        if made is not None:
            _put(made, form, journal, output)
        else:
            found = matches(journal.records())
            content = jsonl(found, events=events) if events else FORMATS[form](found)
            if output == "-":
                sys.stdout.buffer.writelines(content)
                sys.stdout.buffer.flush()
            else:
                write(Path(output), content)
        left = planned - len(endings)
    if left or failed:
        say(f"left out: {left:,} matches that are not finished, {failed:,} without a result; see `arena resume {run}`")


def _of_plugin(form: str, catalog: Catalog) -> ExportFormat:
    if not any(entry.name == form.rpartition(":")[2] for entry in catalog.entries("export")):
        known = sorted({*FORMATS, *catalog.names("export")})
        raise PluginError(f"no export called {form!r}{suggestion(form, known)}")
    made = catalog.get("export", form).load()()
    if not isinstance(made, ExportFormat):
        raise PluginError(f"export {form!r} makes {type(made).__name__}, which is no ExportFormat; tell its author")
    return made


def _put(made: ExportFormat, form: str, journal: Journal, output: str) -> None:
    if output == "-":
        raise click.UsageError(f"{form} needs --output with a path of its own")
    try:
        made.write(journal, Path(output))
    except OSError as error:
        raise ArenaError(f"{output}: cannot be written ({error.strerror}); choose another --output") from error

"""``arena export``."""

import sys
from pathlib import Path

import click

from arena.cli.group import Command
from arena.cli.options import say
from arena.export import AGAIN, FORMATS, jsonl, matches, write
from arena.journal import Journal


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["jsonl", "csv", "parquet"]), default="jsonl", show_default=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to; - is standard output.")
@click.option("--events", is_flag=True, help="Add all events of each match (jsonl).")
def export(run: Path, form: str, output: str, events: bool) -> None:
    """Write the matches of a run as JSON lines, CSV or Parquet.

    jsonl holds one object a match: id, game, players (agents by player), seats, seed, ending, returns, turns (accepted
    actions with player and label; by, where a policy played), refusals (by kind) and more. csv and parquet hold one row
    a match. Matches come in the order of the plan; those without a result are left out. The bytes depend on
    benchmark, seed and answers alone.
    """
    if events and form != "jsonl":
        raise click.UsageError(f"--events needs --format jsonl; {form} holds one row a match")
    with Journal.open(run) as journal:
        endings = journal.endings().values()
        planned, failed = len(journal.plans()), sum(1 for e in endings if e in AGAIN)
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

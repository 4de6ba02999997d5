"""The command ``arena import``, which reads another benchmark's result files."""

from pathlib import Path

import click
from arena_cli import Command, print_status
from arena_cli.output import result_data
from arena_command_leaderboard.results import distinct
from arena_command_leaderboard.submissions import COUNTS, ROW, csv_text, row
from arena_report import write_file

from arena_suite_grid_games.reading import read


@click.command("import", cls=Command)
@click.argument("form", type=click.Choice(["llm-game-benchmark"]))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="A CSV file.")
def import_(form: str, files: tuple[Path, ...], output: Path) -> None:
    """Read another benchmark's result files for the leaderboard.

    llm-game-benchmark: JSON and CSV files of games, their moves and bulk files, submissions, leaderboard data, and ZIPs
    of them. What comes out holds a row for each two agents in their seats, with its id, file and date, and goes into
    `arena leaderboard` beside runs. A game that is there in several files counts once, and so does a submission beside
    its games.
    """
    kept, left = distinct(read(files, print_status))
    if not kept:
        raise click.UsageError(f"there is no result of {form} in these files")
    write_file(output, [csv_text([row(result) for result in kept], (*ROW, *COUNTS))])
    matches = sum(result.seats[0].matches for result in kept)
    print_status(f"{len(kept)} results of {matches} matches; {len(left)} were there twice")
    result_data(output)

"""The command ``arena import``, which reads another benchmark's result files."""

from pathlib import Path

import click
from arena_cli import Command, print_status
from arena_cli.output import result_data
from arena_command_leaderboard.results import distinct
from arena_command_leaderboard.submissions import COUNTS, ROW, csv_text, row
from arena_report import write_file

from arena_suite_grid_games import imported_run
from arena_suite_grid_games.reading import Published, read


@click.command("import", cls=Command)
@click.argument("form", type=click.Choice(["llm-game-benchmark"]))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE|RUN",
    help="A CSV file for the leaderboard, or the directory of a new run, for which moves must be known.",
)
def import_(form: str, files: tuple[Path, ...], output: Path) -> None:
    """Read another benchmark's result files, for the leaderboard or as a run.

    llm-game-benchmark: JSON and CSV files of games, their moves and bulk files, submissions, leaderboard data, and ZIPs
    of them. With `-o FILE.csv` what comes out holds a row for each two agents in their seats, with its id, file and
    date, and goes into `arena leaderboard` beside runs. With `-o RUN` it is a run of all games whose moves are known,
    which `arena report` reads: missed wins and blocks are judged move by move. A game that is there in several files
    counts once, and so does a submission beside its games.
    """
    if output.suffix in (".json", ".html", ".zip"):
        raise click.UsageError(f"--output: expected a file that ends in .csv, or the directory of a run, got {output}")
    found = read(files, print_status)
    if not found.results:
        raise click.UsageError(f"there is no result of {form} in these files")
    if lost := sum(not game.has_result for game in found.games):
        print_status(f"{_counted(lost, 'game', 'games')} ended in a network error: no result, and in no rate")
    if output.suffix == ".csv":
        _write_rows(found, output)
    else:
        _write_run(found, output, form)
    result_data(output)


def _write_rows(found: Published, output: Path) -> None:
    kept, left = distinct(found.results)
    write_file(output, [csv_text([row(result) for result in kept], (*ROW, *COUNTS))])
    matches = sum(result.seats[0].matches for result in kept)
    results = _counted(len(kept), "result", "results")
    print_status(f"{results} of {_counted(matches, 'match', 'matches')}; {len(left):,} were there twice")


def _write_run(found: Published, output: Path, form: str) -> None:
    kept = imported_run.write(found.games, output, form, print_status)
    if not kept:
        raise click.UsageError(
            "there is no game with its moves in these files; give ..._all_moves.csv or ..._all_moves.json, or write "
            "the results with -o FILE.csv"
        )
    print_status(_counted(kept, "match with its moves", "matches with their moves"))
    if left := sum(1 for _ in imported_run.without_moves(found.games)):
        told = _counted(left, "game has no moves here and is", "games have no moves here and are")
        print_status(f"{told} not in the run; -o FILE.csv has the results")


def _counted(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"

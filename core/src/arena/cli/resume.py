"""``arena resume``."""

from pathlib import Path

import click

from arena.cli.group import Command
from arena.cli.options import catalog_of, say
from arena.cli.playing import carry_on, check_secrets, released
from arena.cli.results import nothing, results
from arena.runner import outcome_of, reopen


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Change a limit (a budget) or the executor."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress, no tables, no report; only what went wrong.")
@click.pass_context
def resume(ctx: click.Context, run: Path, overrides: tuple[str, ...], quiet: bool) -> None:
    """Go on with a run that ended early; nothing is asked or paid for twice.

    Matches that are unfinished or failed are played; recorded answers are used as far as they go. The run's directory
    is the last line on standard output.
    """
    catalog = catalog_of(ctx)
    journal, benchmark = reopen(run, catalog, overrides)
    with released(journal):
        check_secrets(benchmark)
    if not quiet:
        so_far = outcome_of(journal)
        totals = journal.totals()
        say(
            f"{so_far.planned - so_far.finished:,} of {so_far.planned:,} matches are left "
            f"({len(so_far.failed):,} of them failed before); {totals.calls:,} completions are recorded"
        )
    carry_on(ctx, journal, benchmark, shows_progress=not quiet, show=nothing if quiet else results(catalog))

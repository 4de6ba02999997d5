"""The command ``arena resume``: plays the rest of a run that ended early."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
from arena_engine import Journal, RunStatus, is_cut_off
from arena_engine.execution import enlarge_run, is_judged, resume_run
from arena_engine.journal import Header, begun_header, repair_journal, status_of

from arena_cli.application.group import VERBOSE, Command
from arena_cli.application.options import (
    LOG_FILE,
    WEB,
    catalog_of,
    log_option,
    print_status,
    trust_paths_option,
    web_option,
)
from arena_cli.application.run_path import RunPath
from arena_cli.output import result_data
from arena_cli.results.run_results import ResultPrinter, report_of_finished
from arena_cli.running.sent_keys import send_key_option, tell_keys
from arena_cli.running.session import (
    check_before,
    closing_early,
    in_processes,
    play_and_show,
    tell_if_cut_off,
    workers_option,
)

NOTHING_LEFT: Final = "every match has a result; none is left to play"


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.option(
    "--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Change a limit (a budget) or the executor."
)
@click.option(
    "-n", "--repeats", type=click.IntRange(1), metavar="N", help="Play each seating so often: adds matches to the run."
)
@click.option(
    "--repair",
    is_flag=True,
    help="Drop what is damaged, keep a copy of it, and play again the matches that lost something.",
)
@click.option("--no-check", is_flag=True, help="Go on even if a model's key, file or server seems to be missing.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no tables, no report; only what went wrong.")
@send_key_option
@workers_option
@web_option
@log_option
@trust_paths_option
@click.pass_context
def resume(
    ctx: click.Context,
    run: Path,
    overrides: tuple[str, ...],
    repeats: int | None,
    repair: bool,
    no_check: bool,
    quiet: bool,
    workers: str | None,
) -> None:
    """Go on with a run that ended early; nothing is asked or paid for twice.

    Matches that are unfinished or failed are played; recorded answers are used as far as they go. The run's directory
    is the last line on standard output. Of a finished run it says where the report is.

    A damaged run is not resumed. With --repair the matches that damage touches are played again, from those of their
    answers that are sound; what a model or a person said is asked again only where it is lost, or where the match takes
    another course.

    --repeats makes a run larger, finished or not: its benchmark is played on with more repeats. `arena run FILE
    --extend RUN` adds games, agents and metrics too.
    """
    if repair and repeats is not None:
        raise click.UsageError("--repair first, then --repeats: one at a time")
    catalog = catalog_of(ctx)
    wants_another_way = bool(overrides) or workers is not None or any(map(ctx.meta.get, (VERBOSE, LOG_FILE, WEB)))
    is_asked_for_more = repair or repeats is not None or wants_another_way
    report = report_of_finished(run, catalog.disabled)
    if report is not None and not is_asked_for_more:
        if not quiet:
            _tell_finished(run, report)
        result_data(run)
        return
    tell_if_cut_off(run)
    repaired = repair_journal(run) if repair else None
    if repaired:
        matches, rows = len(repaired.matches), repaired.lost
        again = "1 match lost something and is" if matches == 1 else f"{matches:,} matches lost something and are"
        gone = "1 row is" if rows == 1 else f"{rows:,} rows are"
        print_status(f"repaired: {again} played again; {gone} gone; the damaged journal is kept as {repaired.copy}")
    elif repair:
        print_status(f"{run}: nothing is damaged")
    if workers is not None:
        recorded = _header(run).benchmark
        overrides = in_processes(
            workers, overrides, recorded.get("executor") if isinstance(recorded, Mapping) else None
        )
    if repeats is not None:
        if is_cut_off(run):
            resume_run(run, catalog)[0].close()
        journal, benchmark = enlarge_run(run, repeats, catalog, overrides)
    else:
        journal, benchmark = resume_run(run, catalog, overrides, is_repaired=repaired is not None)
    with closing_early(journal):
        so_far = status_of(journal)
        is_over = so_far.finished == so_far.planned and is_judged(benchmark.metrics, journal)
        check_before(benchmark, asks_around=not (no_check or is_over))
    report = (report or "") if is_over else ""  # that of a run that goes on tells of fewer matches
    results = ResultPrinter(benchmark, catalog, is_quiet=quiet or is_over, report=report)
    if is_over and not quiet:
        _tell_finished(run, report)
    elif not quiet:
        print_status(_left(so_far, journal.totals().calls))
        tell_keys(benchmark)
    shows_progress = not (quiet or is_over)
    play_and_show(ctx, journal, benchmark, shows_progress=shows_progress, show=results.show, keep=results.keep)


def _header(run: Path) -> Header:
    header = begun_header(run)
    if header is None:
        with Journal.open(run, check=False) as begun:
            header = begun.header
    return header


def _tell_finished(run: Path, report: str) -> None:
    """Say that nothing is left to play, and where the report is: in a file of this name, if there is one."""
    print_status(NOTHING_LEFT)
    print_status(f"report  {run / report}" if report else f"report  `arena report {run}` shows it")


def _left(so_far: RunStatus, calls: int) -> str:
    """What is still to be played, in a sentence."""
    if so_far.finished == so_far.planned:
        return NOTHING_LEFT
    failed = f" ({len(so_far.failed):,} of them failed before)" if so_far.failed else ""
    completions = "1 completion is" if calls == 1 else f"{calls:,} completions are"
    recorded = f"; {completions} recorded" if calls else ""
    return f"{so_far.planned - so_far.finished:,} of {so_far.planned:,} matches are left{failed}{recorded}"

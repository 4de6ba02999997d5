"""The command ``arena report``: prints or writes the results of runs."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import attrs
import click
from arena.catalog import Catalog, Status
from arena.errors import PluginError, did_you_mean
from arena_engine import Journal
from arena_engine.references import SECONDS
from arena_report import Report, ReportFormat, Screen, build, fold_variants, make_metrics

from arena_cli.application.group import FAILED, Command
from arena_cli.application.options import catalog_of, trust_options
from arena_cli.application.run_path import RunPath
from arena_cli.output import result, result_data, result_json, terminal_of
from arena_cli.output.signs import visible
from arena_cli.results.run_results import print_failures, report_format, waiting, write
from arena_cli.results.terminal import TerminalReport, report_lines

TERMINAL: Final = "playarena-cli:terminal"
"""The default format, with its distribution, so that no other plugin can take its place."""

BRIEF_S: Final = 1.0
"""Processor time that somebody who looks at a screen waits for random matches which nobody has played yet."""


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=RunPath(), metavar="RUN…")
@click.option("--format", "form", metavar="FORMAT", help="terminal, markdown, latex, html …")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there; the ending tells.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Measure this instead; may be repeated.")
@click.option(
    "--forfeits",
    type=click.Choice(["with", "without", "both"]),
    default="both",
    show_default=True,
    help="Whether matches that a forfeit decided count.",
)
@click.option("--full", is_flag=True, help="In the terminal: every table, the runs, plugins and models too.")
@click.option("--by-variant", is_flag=True, help="A row for each variant of a game, where there are many of them too.")
@click.option("--matches", type=click.IntRange(0), metavar="N", help="In HTML: tell the N most surprising matches.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object: verdict, tables and figures.")
@trust_options
@click.pass_context
def report(
    ctx: click.Context,
    runs: tuple[Path, ...],
    form: str | None,
    output: Path | None,
    metrics: tuple[str, ...],
    forfeits: Any,
    full: bool,
    by_variant: bool,
    matches: int | None,
    is_json: bool,
) -> None:
    """Show the results of one or several runs.

    Several runs are reported together. Without --format it is text for the terminal, or what the ending of --output
    says (.md, .tex, .html). The terminal shows who is better and what each metric says most of all; everything is shown
    with --full. Metrics can be added long after a run: they read the journal.
    """
    if is_json and (form is not None or output is not None or full):
        raise click.UsageError("--json prints everything as one object; leave --format, --output and --full out")
    catalog = catalog_of(ctx)
    form = _known(form or _by_ending(output, catalog), catalog)
    shown = _telling(report_format(form, catalog), form, matches)
    chosen = make_metrics(metrics, catalog) if metrics else None
    with ExitStack() as stack:
        journals = [stack.enter_context(Journal.open(run)) for run in runs]
        boards = shown.shows_boards and (output is not None or not _has_text(shown))
        is_brief = output is None and isinstance(shown, TerminalReport) and not (full or is_json)
        seconds = BRIEF_S if is_brief else SECONDS
        made = build(
            journals,
            chosen,
            catalog,
            wanted=shown.metrics,
            forfeits=forfeits,
            boards=boards,
            seconds=seconds,
            waiting=waiting(),
        )
        place = journals[0].directory
    if shown.folds_variants and not (by_variant or is_json):
        made = fold_variants(made)
    if is_json:
        from arena_cli.results.report_json import report_json

        result_json({"runs": [str(run) for run in runs], **report_json(made)})
    else:
        _put(made, shown, output, place / f"report.{form.split(':')[-1]}", is_brief=not full)
    print_failures(made)
    ctx.exit(FAILED if made.failures else 0)


def _telling(shown: ReportFormat, form: str, matches: int | None) -> ReportFormat:
    """The format with the number of matches that it tells, if that was given."""
    if matches is None:
        return shown
    if not attrs.has(type(shown)) or "matches" not in attrs.fields_dict(type(shown)):
        raise click.UsageError(f"--matches goes with --format html, which tells matches; {form} tells none")
    return attrs.evolve(shown, matches=matches)


def _by_ending(output: Path | None, catalog: Catalog) -> str:
    """The format that claims the file's extension, else the one named like the extension."""
    if output is None or not output.suffix:
        return TERMINAL
    for entry in catalog.entries("report"):
        if entry.status is Status.OK and entry.plugin and output.suffix in entry.plugin.endings:
            return f"{entry.dist}:{entry.name}"
    return output.suffix.removeprefix(".")


def _known(form: str, catalog: Catalog) -> str:
    if not any(entry.name == form.split(":")[-1] for entry in catalog.entries("report")):
        raise PluginError(f"no report called {form!r}{did_you_mean(form, sorted(catalog.names('report')))}")
    return form


def _put(made: Report, shown: ReportFormat, output: Path | None, place: Path, *, is_brief: bool) -> None:
    if output is None and _has_text(shown):
        terminal = terminal_of(sys.stdout)
        if isinstance(shown, TerminalReport):
            result(report_lines(made, terminal, is_brief=is_brief))
        else:
            screen = Screen(width=terminal.width, has_styles=terminal.has_colour, is_brief=is_brief)
            result_data(visible(shown.text(made, screen) or ""))
        return
    path = output or place
    write(made, shown, path)
    if not _has_text(shown):
        result_data(path)


def _has_text(shown: ReportFormat) -> bool:
    """Whether a format can be printed, so that it writes no file unless it is told where."""
    return type(shown).text is not ReportFormat.text

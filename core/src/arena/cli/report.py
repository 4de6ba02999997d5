"""``arena report``."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from arena.catalog import Catalog
from arena.cli.group import Command
from arena.cli.options import catalog_of
from arena.cli.results import console, text, write
from arena.config import structure
from arena.errors import PluginError
from arena.export import write as write_file
from arena.journal import Journal
from arena.metric import Metric
from arena.plain import suggestion
from arena.report import Report, build
from arena.report.terminal import render

_TEXTS: Final = ("terminal", "markdown", "latex")
_ENDINGS: Final = {".md": "markdown", ".tex": "latex", ".txt": "terminal"}


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "form", metavar="FORMAT", help="terminal, markdown, latex, html, or any report plugin.")
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
@click.pass_context
def report(
    ctx: click.Context,
    runs: tuple[Path, ...],
    form: str | None,
    output: Path | None,
    metrics: tuple[str, ...],
    forfeits: Any,
    full: bool,
) -> None:
    """Show the results of one or several runs.

    Several runs are reported together. Without --format it is text for the terminal, or what the ending of --output
    says (.md, .tex, .html). The terminal shows what a reader needs first, and the rest with --full. Metrics can be
    added long after a run: they read the journal.
    """
    catalog = catalog_of(ctx)
    form = _known(form or _by_ending(output), catalog)
    chosen = _metrics(metrics, catalog) if metrics else None
    with ExitStack() as stack:
        journals = [stack.enter_context(Journal.open(run)) for run in runs]
        made = build(journals, chosen, catalog, forfeits=forfeits)
        place = journals[0].directory
    _put(made, form, output, place, catalog, is_brief=not full)


def _by_ending(output: Path | None) -> str:
    if output is None:
        return "terminal"
    return _ENDINGS.get(output.suffix, output.suffix.removeprefix(".") or "terminal")


def _known(form: str, catalog: Catalog) -> str:
    known = sorted({*_TEXTS, *catalog.names("report")})
    if form not in _TEXTS and not any(entry.name == form.split(":")[-1] for entry in catalog.entries("report")):
        raise PluginError(f"no report called {form!r}{suggestion(form, known)}")
    return form


def _metrics(names: tuple[str, ...], catalog: Catalog) -> dict[str, Metric]:
    hint: Any = Mapping[str, Metric]
    return dict(structure({name: name for name in names}, hint, catalog))


def _put(made: Report, form: str, output: Path | None, place: Path, catalog: Catalog, *, is_brief: bool) -> None:
    if form == "terminal" and output is None:
        render(made, console(is_result=True), is_brief=is_brief)
    elif form in _TEXTS:
        content = text(made, form)
        if output is None:
            click.echo(content)
        else:
            write_file(output, [content.encode()])
    else:
        path = output or place / f"report.{form}"
        write(made, form, path, catalog)
        click.echo(path)

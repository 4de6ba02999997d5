"""The command ``arena suites``: lists installed benchmarks."""

import sys

import attrs
import click
from arena_engine import suites as installed
from arena_engine.benchmark import PREFIX

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of
from arena_cli.output import OutputColumn, names_that_fit, paragraph, result, result_json, status, table, terminal_of
from arena_cli.output.table_layout import GAP

_COLUMNS = (
    OutputColumn(title="suite"),
    OutputColumn(title="version", keep=1),
    OutputColumn(title="from", keep=2),
    OutputColumn(title="what it plays", wraps=True),
)

_WIDE = 100
"""From so many columns on there is room for versions and distributions."""


@click.command(cls=Command)
@click.option("--full", is_flag=True, help="The whole of what each one plays, with versions where there is room.")
@click.option("--json", "is_json", is_flag=True, help="One object with all of them.")
@click.pass_context
def suites(ctx: click.Context, full: bool, is_json: bool) -> None:
    """List the benchmarks that installed distributions bring along.

    Play one with `arena run suite:NAME`, with your own agents by `--agents FILE`.
    """
    found = list(installed(catalog_of(ctx)))
    terminal = terminal_of(sys.stdout)
    if is_json:
        result_json({"suites": [attrs.asdict(suite) for suite in found]})
        return
    if not found:
        status("no installed distribution brings a suite; arena list-plugins --full names some that do")
        return
    room = terminal.width - max(terminal.columns(suite.name) for suite in found) - len(GAP)
    if full and terminal.width >= _WIDE:
        columns, rows = _COLUMNS, [(suite.name, suite.version, suite.dist, suite.summary) for suite in found]
    else:
        columns = (_COLUMNS[0], _COLUMNS[-1])
        texts = [suite.summary if full else names_that_fit(suite.summary.split(), room, terminal) for suite in found]
        rows = [(suite.name, text) for suite, text in zip(found, texts, strict=True)]
    result(table(columns, rows, terminal, indent=0, more=""))
    more = "" if full else " · all of each line: --full"
    result(paragraph(f"play one: arena run {PREFIX}{found[0].name} --agents FILE{more}", terminal))

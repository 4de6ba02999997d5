"""The command ``arena suites``: lists installed benchmarks."""

import sys

import attrs
import click
from arena_engine.benchmark.suites import PREFIX, suites as installed

from arena_cli.application import Command
from arena_cli.options import catalog_of
from arena_cli.output import OutputColumn, paragraph, result, result_json, status, table, terminal_of

_COLUMNS = (
    OutputColumn(title="suite"),
    OutputColumn(title="version", keep=1),
    OutputColumn(title="from", keep=2),
    OutputColumn(title="what it plays", wraps=True),
)


@click.command(cls=Command)
@click.option("--json", "is_json", is_flag=True, help="One object with all of them.")
@click.pass_context
def suites(ctx: click.Context, is_json: bool) -> None:
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
    rows = [(suite.name, suite.version, suite.dist, suite.summary) for suite in found]
    columns = _COLUMNS if terminal.width >= 100 else (_COLUMNS[0], _COLUMNS[3])
    shown = rows if len(columns) == len(_COLUMNS) else [(row[0], row[3]) for row in rows]
    result(table(columns, shown, terminal, indent=0, more=""))
    result(paragraph(f"play one: arena run {PREFIX}{found[0].name} --agents FILE", terminal))

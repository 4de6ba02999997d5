"""The command ``arena suites``: lists installed benchmarks."""

import click
from arena_engine.benchmark.suites import suites as installed

from arena_cli.application import Command
from arena_cli.options import catalog_of, print_status
from arena_cli.shown import echo


@click.command(cls=Command)
@click.pass_context
def suites(ctx: click.Context) -> None:
    """List the benchmarks that installed distributions bring along.

    Play one with `arena run suite:NAME`, with your own agents by `--agents FILE`.
    """
    found = list(installed(catalog_of(ctx)))
    width = max((len(suite.name) for suite in found), default=0)
    for suite in found:
        echo(f"{suite.name.ljust(width)}  {suite.version}  {suite.dist}  {suite.summary}".rstrip())
    if not found:
        print_status("no installed distribution brings a suite")

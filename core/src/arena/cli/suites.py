"""``arena suites``."""

import click

from arena.cli.group import Command
from arena.cli.options import catalog_of, say
from arena.suites import suites as installed


@click.command(cls=Command)
@click.pass_context
def suites(ctx: click.Context) -> None:
    """List the benchmarks that installed distributions bring along.

    Play one with `arena run suite:NAME`, with your own agents by `--agents FILE`.
    """
    found = list(installed(catalog_of(ctx)))
    width = max((len(suite.name) for suite in found), default=0)
    for suite in found:
        click.echo(f"{suite.name.ljust(width)}  {suite.version}  {suite.dist}  {suite.summary}".rstrip())
    if not found:
        say("no installed distribution brings a suite")

"""What several commands take and say."""

import click

from arena.catalog import Catalog
from arena.cli.group import DISABLED


def catalog_of(ctx: click.Context) -> Catalog:
    """The installed plugins, without those that were disabled on the command line."""
    return Catalog(disabled=ctx.meta.get(DISABLED, ()))


def say(text: str = "") -> None:
    """Write a line to standard error: everything but the results that were asked for."""
    click.echo(text, err=True)

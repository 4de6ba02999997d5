"""Functions that several commands share: the catalog, and lines on standard error."""

import click
from arena.catalog import Catalog

from arena_cli.application import installed_plugins


def catalog_of(ctx: click.Context) -> Catalog:
    """The installed plugins, except those disabled on the command line."""
    return installed_plugins(ctx)


def print_status(text: str = "") -> None:
    """Write a line to standard error, which takes everything except requested results."""
    click.echo(text, err=True)

"""Functions that several commands share: the catalog, consent to run code, and lines on standard error."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from arena.catalog import Catalog

from arena_cli.application import installed_plugins

T = TypeVar("T")


def catalog_of(ctx: click.Context) -> Catalog:
    """The installed plugins, except those disabled on the command line."""
    return installed_plugins(ctx)


def trust_options(command: T) -> T:
    """Add ``--trust-code`` and ``--trust-pickle`` to a command that builds what a file or a run names."""
    for kind, what in (("pickle", "Read the pickles"), ("code", "Run the code")):
        consent: Callable[[Any], Any] = click.option(
            f"--trust-{kind}", is_flag=True, expose_value=False, callback=_consent, help=f"{what} that the data names."
        )
        command = consent(command)
    return command


def _consent(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        # Imported here because most commands build nothing.
        from arena_engine.benchmark.trust import trusting

        ctx.with_resource(trusting(**{str(parameter.name).removeprefix("trust_"): True}))


def print_status(text: str = "") -> None:
    """Write a line to standard error, which takes everything except requested results."""
    click.echo(text, err=True)

"""Functions that several commands share: the catalog, consent to run code, and lines on standard error."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from arena.catalog import Catalog

from arena_cli.application.group import installed_plugins
from arena_cli.output.streams import status

T = TypeVar("T")

LOG_FILE: Final = "arena.log-file"
"""The file of ``--log-json``, among what a command's context holds."""

WEB: Final = "arena.web"
"""Whether the run is shown in a browser meanwhile, among what a command's context holds."""


def catalog_of(ctx: click.Context) -> Catalog:
    """The installed plugins, except those disabled on the command line."""
    return installed_plugins(ctx)


def trust_options(command: T) -> T:
    """Add ``--trust-code``, ``--trust-pickle`` and ``--trust-paths`` to a command that builds what a file names."""
    for kind, what in (
        ("pickle", "Read the pickles that the data names."),
        ("code", "Run the code that the data names."),
    ):
        command = _trust_option(kind, what)(command)
    return trust_paths_option(command)


def trust_paths_option(command: T) -> T:
    """Add ``--trust-paths`` to a command that plays what a file or a run names."""
    what = "Let files outside of the data's own folder be written, or sent to models."
    return _trust_option("paths", what)(command)


def _trust_option(kind: str, what: str) -> Callable[[Any], Any]:
    return click.option(f"--trust-{kind}", is_flag=True, expose_value=False, callback=_consent, help=what)


def log_option(command: T) -> T:
    """Add ``--log-json`` to a command that plays; the file is opened before anything else is written."""
    option: Callable[[Any], Any] = click.option(
        "--log-json",
        type=click.Path(path_type=Path),
        metavar="FILE",
        expose_value=False,
        callback=_log_to,
        help="Add each event of the run to FILE, as a line of JSON.",
    )
    return option(command)


def web_option(command: T) -> T:
    """Add ``--web`` to a command that plays."""
    option: Callable[[Any], Any] = click.option(
        "--web",
        is_flag=True,
        expose_value=False,
        callback=_show_pages,
        help="Show the run in a browser and print the links to its open seats.",
    )
    return option(command)


def _show_pages(ctx: click.Context, _parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not ctx.resilient_parsing:
        catalog_of(ctx).get("command", "view")  # says how to install it
        ctx.meta[WEB] = True


def _log_to(ctx: click.Context, _parameter: click.Parameter, path: Path | None) -> None:
    if path is not None and not ctx.resilient_parsing:
        from arena_cli.process.event_file import event_file

        ctx.meta[LOG_FILE] = ctx.with_resource(event_file(path, print_status))


def _consent(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        # Imported here because most commands build nothing.
        from arena_engine.benchmark import trusting

        ctx.with_resource(trusting(**{str(parameter.name).removeprefix("trust_"): True}))


def print_status(text: str = "") -> None:
    """Write a line to standard error, which takes everything except results; the same as ``output.status``."""
    status(text)

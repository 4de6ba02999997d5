"""The command ``arena list-plugins``: lists installed plugins with their status."""

from collections.abc import Iterable, Sequence
from typing import Any

import click
from arena.catalog import InstalledPlugin, Status
from arena.plugin import KINDS, kind_of

from arena_cli.application import FAILED, VERBOSE, Command
from arena_cli.options import catalog_of
from arena_cli.shown import echo, echo_json, shown

_COLUMNS = ("kind", "name", "dist", "version", "status", "summary")
_COLOURS = {Status.OK: "green", Status.DISABLED: "bright_black", Status.UNAVAILABLE: "yellow"}


class _Kind(click.Choice[str]):
    """A kind of plugin; also accepts the words that older versions used."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(kind_of(value), param, ctx)


@click.command(cls=Command)
@click.option("--kind", type=_Kind(KINDS), help="Only plugins of this kind.")
@click.option("--json", "is_json", is_flag=True, help="An array of objects instead of a table.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any plugin is neither ok nor disabled.")
@click.pass_context
def list_plugins(ctx: click.Context, kind: str | None, is_json: bool, strict: bool) -> None:
    """List every installed plugin and whether it can be used.

    A plugin is ok, disabled, in conflict (two distributions claim its name), unavailable (something it needs is not
    installed), incompatible (written for another version of arena) or broken; what is wrong and what to do stands
    below it. With --verbose: tracebacks, and how long each descriptor took to import.
    """
    entries = list(catalog_of(ctx).entries(kind))
    if is_json:
        echo_json([entry.to_json() for entry in entries])
    else:
        _show(entries, is_verbose=bool(ctx.meta.get(VERBOSE)))
    if strict and any(entry.status not in (Status.OK, Status.DISABLED) for entry in entries):
        ctx.exit(FAILED)


def _show(entries: Sequence[InstalledPlugin], *, is_verbose: bool) -> None:
    widths = [max([len(c), *(len(str(getattr(e, c))) for e in entries)]) for c in _COLUMNS[:-1]]
    echo(_line(_COLUMNS, widths), bold=True)
    for entry in entries:
        cells = [shown(getattr(entry, column)) for column in _COLUMNS]
        cells[4] = click.style(cells[4].ljust(widths[4]), fg=_COLOURS.get(entry.status, "red"))
        click.echo(_line(cells, widths))
        if entry.reason:
            echo(f"    {entry.reason}; {entry.remedy}")
        if is_verbose:
            echo(f"    descriptor imported in {entry.load_s * 1000:.1f} ms")
            if entry.traceback:
                echo("    " + entry.traceback.rstrip().replace("\n", "\n    "))


def _line(cells: Iterable[str], widths: Sequence[int]) -> str:
    *most, last = cells
    return "  ".join([*(c.ljust(w) for c, w in zip(most, widths, strict=True)), last]).rstrip()

"""The command ``arena doctor``: looks whether everything here is as Arena needs it, and says what to do if not."""

import sys

import attrs
import click

from arena_cli.application import FAILED, Command
from arena_cli.examination import PROBLEM, examined
from arena_cli.options import catalog_of
from arena_cli.output import OutputColumn, result, result_json, table, terminal_of

_COLUMNS = (OutputColumn(title=""), OutputColumn(title="what"), OutputColumn(title="how it is", wraps=True))


@click.command(cls=Command)
@click.option("--json", "is_json", is_flag=True, help="One object with every line.")
@click.pass_context
def doctor(ctx: click.Context, is_json: bool) -> None:
    """Look whether everything here is as Arena needs it, and say what to do if not.

    Looked at are Python, the versions of Arena's distributions, plugins, the models that come with backends, folders
    that must be written to, the terminal, and which keys are set (their names only). Nothing is sent anywhere. A line
    is ok, a note on something that may be missed, or a problem; with a problem the exit code is 1.
    """
    found = [*examined(catalog_of(ctx))]
    is_well = not any(each.status == PROBLEM for each in found)
    if is_json:
        result_json({"passed": is_well, "lines": [attrs.asdict(each) for each in found]})
    else:
        rows = [(e.status, e.what, f"{e.said}; {e.remedy}" if e.remedy else e.said) for e in found]
        result(table(_COLUMNS, rows, terminal_of(sys.stdout), indent=0, more=""))
    if not is_well:
        ctx.exit(FAILED)

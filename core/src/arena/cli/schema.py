"""``arena schema``."""

import json

import click

from arena.cli.group import Command
from arena.cli.options import catalog_of
from arena.schema import json_schema


@click.command(cls=Command)
@click.pass_context
def schema(ctx: click.Context) -> None:
    """Print the JSON schema of benchmark files, for editors.

    It knows the plugins that are installed here. Many editors take it from a first line like

        # yaml-language-server: $schema=arena.schema.json
    """
    click.echo(json.dumps(json_schema(catalog_of(ctx)), indent=1, ensure_ascii=False))

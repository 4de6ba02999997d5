"""The command ``arena schema``: prints the JSON schema of benchmark files."""

import click
from arena_engine import json_schema

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of
from arena_cli.output.streams import echo_json


@click.command(cls=Command)
@click.pass_context
def schema(ctx: click.Context) -> None:
    """Print the JSON schema of benchmark files, for editors.

    It knows the plugins that are installed here. Many editors take it from a first line like

        # yaml-language-server: $schema=arena_engine.benchmark.json_schema.json
    """
    echo_json(json_schema(catalog_of(ctx)))

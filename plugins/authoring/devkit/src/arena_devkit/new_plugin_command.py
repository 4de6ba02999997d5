"""The command ``arena new-plugin``, which writes a distribution from templates."""

from pathlib import Path

import click
from arena_cli import Command, catalog_of, print_status
from arena_cli.output import result_data

from arena_devkit.template import Blueprint


@click.command(cls=Command, name="new-plugin")
@click.argument("kind")
@click.argument("name")
@click.option(
    "--output", type=click.Path(path_type=Path), default=".", metavar="FOLDER", help="Where to; the folder you are in."
)
@click.option("--author", default="", metavar="'NAME <MAIL>'", help="Who writes it.")
@click.option("--licence", default="Apache-2.0", metavar="SPDX", help="Apache-2.0 (unless given), BSD-3-Clause or MIT.")
@click.option("--hidden", "is_hidden", is_flag=True, help="A game with hidden cards, which it draws anew for searches.")
@click.pass_context
def new_plugin(
    ctx: click.Context, kind: str, name: str, output: Path, author: str, licence: str, is_hidden: bool
) -> None:
    """Write a complete distribution for a plugin of your own.

    KIND is game, agent, backend, metric, executor, observer or suite. NAME is what benchmarks will call the plugin,
    such as my-game. What is written is small, works as it is and has all that a plugin needs: entry point,
    descriptor, class, tests with the check that Arena ships for its kind, README, licence, and a workflow for GitHub.
    """
    blueprint = Blueprint(kind=kind, name=name, author=author, licence=licence, is_hidden=is_hidden)
    blueprint.check(catalog_of(ctx))
    root = blueprint.write(output)
    result_data(root)
    print_status("It works as it is. In that folder:")
    for command in ("pip install -e '.[test]'", "arena list-plugins", "pytest", f"arena check {kind}:{name}"):
        print_status(f"    {command}")

"""The command ``arena diplomacy``; each of its subcommands is imported when it is called."""

from importlib import import_module
from typing import Final

import click

_SUBCOMMANDS: Final = {
    "adjudicate": "arena_game_diplomacy.commands.line_commands:adjudicate_lines",
    "map": "arena_game_diplomacy.commands.map_command:map_of",
    "orders": "arena_game_diplomacy.commands.line_commands:list_orders",
}
"""The module and the name of each subcommand."""


class _Subcommands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _SUBCOMMANDS:
            return None
        module, _, name = _SUBCOMMANDS[cmd_name].partition(":")
        return getattr(import_module(module), name)


@click.group(name="diplomacy", cls=_Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
def diplomacy() -> None:
    """Adjudicate orders of Diplomacy, list the legal orders of positions, and draw them."""

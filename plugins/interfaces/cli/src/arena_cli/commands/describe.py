"""The command ``arena describe``: shows a plugin's documentation and parameters."""

import sys
from collections.abc import Sequence

import click
from arena.catalog import Catalog, InstalledPlugin
from arena.errors import PluginError, did_you_mean
from arena.plugin import KINDS
from arena.record import JSON

from arena_cli.application.first_party import missing
from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of
from arena_cli.commands.list_plugins import overview
from arena_cli.output import paragraph, result, result_json, terminal_of
from arena_cli.output.mistakes import unknown_name
from arena_cli.pages.game_page import GamePage
from arena_cli.pages.plugin_page import PluginPage

FIRST = ("game", "agent", "backend", "metric", "suite", "solver")
"""The kinds that are described first if several have the same name."""


@click.command(cls=Command)
@click.argument("words", nargs=-1, metavar="[KIND] NAME")
@click.option("--rules", "has_rules", is_flag=True, help="All rules of a game.")
@click.option("--full", is_flag=True, help="Everything: rules, board, documentation, all parameters.")
@click.option("--json", "is_json", is_flag=True, help="One object with all of it.")
@click.pass_context
def describe(ctx: click.Context, words: tuple[str, ...], has_rules: bool, full: bool, is_json: bool) -> None:
    """Show what a plugin is and which parameters it takes.

    For a game also who can play it, what kind of game it is, how it begins, and its rules. If several kinds have a
    plugin of that name, the game (or the agent, …) is described and the last line names the others; put KIND in front
    to choose. Without a name: what there is to describe.
    """
    if len(words) > 2:
        raise click.UsageError("expected KIND NAME, or NAME alone")
    catalog, terminal = catalog_of(ctx), terminal_of(sys.stdout)
    if not words:
        if is_json:
            raise click.UsageError("--json needs the NAME of a plugin; all of them: arena list-plugins --json")
        result(overview([*catalog.entries()], terminal))
        return
    entry, others = found_by(words, catalog)
    page = PluginPage.of(entry)
    game = GamePage.of(page, catalog) if entry.kind == "game" else None
    if is_json:
        result_json({**(game or page).to_json(), "also": [*others]})
        return
    result(game.lines(terminal, is_full=full, has_rules=has_rules) if game else page.lines(terminal, is_full=full))
    if others:
        also = " and ".join(f"arena describe {kind} {entry.name}" for kind in others)
        result(["", *paragraph(f"also called so: {also}", terminal)])


def described(entry: InstalledPlugin, catalog: Catalog) -> dict[str, JSON]:
    """What there is to say of a plugin, as plain data; of a game also who can play it, its facts and its rules."""
    page = PluginPage.of(entry)
    return (GamePage.of(page, catalog) if entry.kind == "game" else page).to_json()


def found_by(words: Sequence[str], catalog: Catalog) -> tuple[InstalledPlugin, tuple[str, ...]]:
    """The plugin that is meant by its kind and name, or by its name; and the other kinds that have the name."""
    if len(words) == 2:
        kind, name = words
        if kind not in KINDS:
            raise PluginError(f"no kind of plugin called {kind!r}{did_you_mean(kind, KINDS)}")
        return catalog.get(kind, name), ()
    (name,) = words
    kinds = [kind for kind in dict.fromkeys((*FIRST, *KINDS)) if catalog.has(kind, name)]
    if not kinds:
        known = dict.fromkeys(n for kind in KINDS for n in catalog.names(kind))
        unknown = f"no plugin called {name!r}{unknown_name(name, known)}; arena list-plugins lists them"
        raise PluginError(missing("", name) or unknown)
    return catalog.get(kinds[0], name), tuple(kinds[1:])

"""The commands ``arena diplomacy adjudicate`` and ``orders``: one object of JSON a line, in and out."""

import json
from pathlib import Path

import click
from arena.errors import ConfigError, did_you_mean
from arena_cli import Command
from arena_cli.output import result_data

from arena_game_diplomacy.adjudication import adjudicate
from arena_game_diplomacy.json_lines import INPUT, read_objects, read_orders, read_position
from arena_game_diplomacy.legal import legal_orders


@click.command("adjudicate", cls=Command)
@click.argument("file", required=False, default=Path("-"), type=INPUT)
def adjudicate_lines(file: Path) -> None:
    """Say what comes of the orders of each position in FILE, or in what is piped in.

    Each line is an object of JSON: a position with "orders", lists of texts by power. Each gives a line with what
    became of every order and the position of the next phase. The exit code is 2 if a position cannot be read.
    """
    for place, given in read_objects(file):
        position = read_position(place, given)
        result_data(json.dumps(adjudicate(position, read_orders(place, given)).to_json()))


@click.command("orders", cls=Command)
@click.argument("file", required=False, default=Path("-"), type=INPUT)
@click.argument("power", required=False)
def list_orders(file: Path, power: str | None) -> None:
    """List every legal order of each position in FILE, or in what is piped in; of POWER alone if it is named.

    Each line is an object of JSON, a position. Each gives a line with the phase and the legal orders of every unit,
    by power. The exit code is 2 if a position cannot be read.
    """
    for place, given in read_objects(file):
        position = read_position(place, given)
        legal = legal_orders(position)
        if power is not None:
            if power.upper() not in legal:
                raise ConfigError(f"no power called {power!r}{did_you_mean(power.upper(), legal)}")
            legal = {power.upper(): legal[power.upper()]}
        told = {owner: {unit: list(texts) for unit, texts in units.items()} for owner, units in legal.items() if units}
        result_data(json.dumps({"phase": position.phase, "orders": told}))

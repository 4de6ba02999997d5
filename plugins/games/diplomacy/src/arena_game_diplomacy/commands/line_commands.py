"""The commands ``arena diplomacy adjudicate`` and ``orders``: one object of JSON a line, in and out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from arena.errors import ConfigError, did_you_mean
from arena_cli import Command
from arena_cli.output import result_data

from arena_game_diplomacy.rules.adjudication import adjudicate
from arena_game_diplomacy.rules.board import POWERS
from arena_game_diplomacy.rules.legal import legal_orders
from arena_game_diplomacy.rules.position import Position

INPUT = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
"""What the argument of a command is that reads a file or standard input."""


def read_objects(file: Path) -> Iterator[tuple[str, Any]]:
    """Every line of a file that is not empty, with its place (``"line 3"``); ``-`` is standard input."""
    try:
        with click.open_file(str(file), "rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield f"line {number}", _object(f"line {number}", line)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None


def _object(place: str, line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: expected an object of JSON: {error}") from None


def read_position(place: str, given: Any) -> Position:
    """The position in an object; ``ConfigError`` names its place."""
    try:
        return Position.from_json(given)
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None


def read_orders(place: str, given: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    """The orders in an object, none if it has none; what is no text becomes one, which the rules cannot read."""
    orders = given.get("orders", {})
    if not isinstance(orders, dict):
        raise ConfigError(f"{place}: orders: expected an object of lists by power")
    found: dict[str, Sequence[str]] = {}
    for name, texts in orders.items():
        power = name.strip().upper() if name.strip().upper() in POWERS else name
        if power in found:
            raise ConfigError(f"{place}: orders.{power}: given twice")
        if not isinstance(texts, list):
            raise ConfigError(f"{place}: orders.{power}: expected a list of orders")
        found[power] = [_order(text) for text in texts]
    return found


def _order(given: object) -> str:
    """An order as a text, which is refused as any other where it is none; lists and objects may be endless."""
    if isinstance(given, str):
        return given
    return "[...]" if isinstance(given, list) else "{...}" if isinstance(given, dict) else json.dumps(given)


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

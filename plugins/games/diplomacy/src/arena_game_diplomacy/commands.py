"""The command ``arena diplomacy``, which adjudicates orders and lists legal ones."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from arena.errors import ConfigError, did_you_mean
from arena_cli import Command

from arena_game_diplomacy.adjudication import adjudicate
from arena_game_diplomacy.legal import legal_orders
from arena_game_diplomacy.position import Position

_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


@click.group(name="diplomacy", context_settings={"help_option_names": ["-h", "--help"]})
def diplomacy() -> None:
    """Adjudicate orders of Diplomacy and list the legal orders of positions."""


@diplomacy.command("adjudicate", cls=Command)
@click.argument("file", required=False, default=Path("-"), type=_FILE)
def adjudicate_lines(file: Path) -> None:
    """Say what comes of the orders of each position in FILE, or in what is piped in.

    Each line is an object of JSON: a position with "orders", lists of texts by power. Each gives a line with what
    became of every order and the position of the next phase. The exit code is 2 if a position cannot be read.
    """
    for place, given in _objects(file):
        position = _position(place, given)
        click.echo(json.dumps(adjudicate(position, _orders(place, given)).to_json()))


@diplomacy.command(cls=Command)
@click.argument("file", required=False, default=Path("-"), type=_FILE)
@click.argument("power", required=False)
def orders(file: Path, power: str | None) -> None:
    """List every legal order of each position in FILE, or in what is piped in; of POWER alone if it is named.

    Each line is an object of JSON, a position. Each gives a line with the phase and the legal orders of every unit,
    by power. The exit code is 2 if a position cannot be read.
    """
    for place, given in _objects(file):
        position = _position(place, given)
        legal = legal_orders(position)
        if power is not None:
            if power.upper() not in legal:
                raise ConfigError(f"no power called {power!r}{did_you_mean(power.upper(), legal)}")
            legal = {power.upper(): legal[power.upper()]}
        told = {owner: {unit: list(texts) for unit, texts in units.items()} for owner, units in legal.items() if units}
        click.echo(json.dumps({"phase": position.phase, "orders": told}))


def _objects(file: Path) -> Iterator[tuple[str, Any]]:
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


def _position(place: str, given: Any) -> Position:
    try:
        return Position.from_json(given)
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None


def _orders(place: str, given: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    orders = given.get("orders", {})
    if not isinstance(orders, dict):
        raise ConfigError(f"{place}: orders: expected an object of lists by power")
    for power, texts in orders.items():
        if not isinstance(texts, list):
            raise ConfigError(f"{place}: orders.{power}: expected a list of orders")
    return {
        power: [text if isinstance(text, str) else json.dumps(text) for text in texts]
        for power, texts in orders.items()
    }

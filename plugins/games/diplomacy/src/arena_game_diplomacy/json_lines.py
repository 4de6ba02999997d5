"""Reads positions and orders from lines of JSON, for commands."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from arena.errors import ConfigError

from arena_game_diplomacy.board import POWERS
from arena_game_diplomacy.position import Position

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

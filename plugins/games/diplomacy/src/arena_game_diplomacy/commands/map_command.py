"""The command ``arena diplomacy map``, which draws positions."""

from collections.abc import Sequence
from pathlib import Path

import click
from arena.errors import ConfigError
from arena_cli import Command
from arena_cli.output import result_data

from arena_game_diplomacy.commands.line_commands import INPUT, read_objects, read_orders, read_position
from arena_game_diplomacy.pictures.drawing import draw, draw_png
from arena_game_diplomacy.rules.adjudication import adjudicate

_SUFFIXES = (".svg", ".png")


@click.command("map", cls=Command)
@click.argument("file", required=False, default=Path("-"), type=INPUT)
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Ends in .svg or .png."
)
def map_of(file: Path, output: Path) -> None:
    """Draw each position in FILE, or in what is piped in, and its orders as arrows.

    Each line is an object of JSON: a position, whose "orders" are adjudicated, so that the arrows show what comes of
    them. One position goes to --output, several to files numbered from 1: map-1.svg, map-2.svg. Nothing is written if
    any position cannot be read; the exit code is 2 then.
    """
    if output.suffix.lower() not in _SUFFIXES:
        raise ConfigError(f"--output {output}: expected a file that ends in {' or '.join(_SUFFIXES)}")
    given = [(read_position(place, each), read_orders(place, each)) for place, each in read_objects(file)]
    for path, (position, orders) in zip(_paths(output, len(given)), given, strict=True):
        shown = adjudicate(position, orders) if any(orders.values()) else ()
        is_png = path.suffix.lower() == ".png"
        data = draw_png(position, shown) if is_png else draw(position, shown).encode()
        try:
            path.write_bytes(data)
        except OSError as error:
            raise ConfigError(f"--output {path}: cannot be written ({error.strerror}); choose another") from None
        result_data(path)


def _paths(output: Path, count: int) -> Sequence[Path]:
    if count == 1:
        return [output]
    return [output.with_stem(f"{output.stem}-{number}") for number in range(1, count + 1)]

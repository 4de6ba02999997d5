"""``arena play``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from arena.api import with_default_metrics
from arena.benchmark import from_plain
from arena.catalog import Catalog
from arena.cli.book import Book
from arena.cli.group import Command
from arena.cli.options import catalog_of, say
from arena.cli.playing import begin, carry_on
from arena.errors import ConfigError
from arena.journal import Journal
from arena.plain import snake
from arena.quick import from_options
from arena.reader import read_value


@click.command(cls=Command)
@click.argument("game")
@click.option("--against", required=True, metavar="AGENT", help="Who else plays: an agent plugin, or a model.")
@click.option("--as", "person", default="human", show_default=True, metavar="AGENT", help="The agent that asks you.")
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Which player you are, from 1.")
@click.option("--players", type=click.IntRange(1), help="How many play, where the game allows several numbers.")
@click.option("-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")
@click.option("--base-url", metavar="URL", help="The server of the model you play against.")
@click.option("--seed", type=int, default=0, help="All luck comes from it.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the match is written.")
@click.pass_context
def play(
    ctx: click.Context,
    game: str,
    against: str,
    person: str,
    seat: int,
    players: int | None,
    params: tuple[str, ...],
    base_url: str | None,
    seed: int,
    output: Path | None,
) -> None:
    """Play against an agent, at the terminal.

    One match, journaled like any run: resume it with `arena resume`, look at it with `arena replay`. In a game of more
    than two players the agent holds all other seats.
    """
    catalog = catalog_of(ctx)
    if not catalog.has("agent", person):
        catalog.get("agent", person)
    plain = from_options([game], [person, against], base_url=base_url, seed=seed, catalog=catalog)
    mine, theirs = plain["agents"]
    (name,) = plain["games"]
    plain["games"] = {name: {"use": game, **_parameters(params), **({"players": players} if players else {})}}
    del plain["metrics"]
    seats = _players(plain, catalog)
    if seat > seats:
        raise ConfigError(f"--seat {seat}: {game!r} has {seats} players here; choose 1 to {seats}")
    seating = [mine if p == seat - 1 else theirs for p in range(seats)]
    plain["schedule"] = {"use": "fixed", "seatings": [seating]}
    plain["limits"] = {"concurrency": 1}
    benchmark = with_default_metrics(from_plain(plain, catalog), catalog)

    def say_farewell(journal: Journal) -> None:
        record = next(journal.records(), None)
        if record is not None:
            say(Book(journal, benchmark, record, "text", is_full=False).pages()[-1])

    carry_on(ctx, begin(benchmark, output), benchmark, shows_progress=False, show=say_farewell)


def _players(plain: dict[str, Any], catalog: Catalog) -> int:
    """How many play, which only the game itself knows."""
    alone = from_plain({**plain, "schedule": "self-play"}, catalog)
    return next(iter(alone.games.values())).players


def _parameters(params: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for param in params:
        name, equals, value = param.partition("=")
        if not equals or not name:
            raise ConfigError(f"--param {param}: expected NAME=VALUE, such as rows=5")
        found[snake(name)] = read_value(value, f"--param {name}")
    return found

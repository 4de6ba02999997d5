"""The command ``arena play``: lets a person play a match at the terminal."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from arena.errors import ConfigError
from arena_engine.benchmark.benchmark import build_benchmark, make_games
from arena_engine.benchmark.composition import compose
from arena_engine.benchmark.documents import inline_document
from arena_engine.benchmark.from_options import from_options
from arena_engine.benchmark.merging import snake
from arena_engine.benchmark.yaml_reader import read_value
from arena_engine.journal.journal import Journal

from arena_cli.application import Command
from arena_cli.options import catalog_of, log_option, print_status, trust_options
from arena_cli.session import begin, play_and_show
from arena_cli.transcript import MatchTranscript


@click.command(cls=Command)
@click.argument("game")
@click.option("--against", required=True, metavar="AGENT", help="Who else plays: an agent plugin, or a model.")
@click.option("--as", "person", default="human", show_default=True, metavar="AGENT", help="The agent that asks you.")
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Which player you are, from 1.")
@click.option("--players", type=click.IntRange(1), help="How many play, where the game allows several numbers.")
@click.option("-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")
@click.option("--base-url", metavar="URL", help="The server of the model you play against.")
@click.option("--seed", type=int, default=0, help="Seeds all randomness.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the match is written.")
@log_option
@trust_options
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
    # Only the game knows how many players it has, and the lineup depends on that.
    made = make_games(plain["games"], catalog)
    seats = made.entries[name].players
    if seat > seats:
        raise ConfigError(f"--seat {seat}: {game!r} has {seats} players here; choose 1 to {seats}")
    seating = [mine if p == seat - 1 else theirs for p in range(seats)]
    plain["schedule"] = {"use": "fixed", "seatings": [seating]}
    plain["limits"] = {"concurrency": 1}
    composed = compose(inline_document(plain), catalog, fills_in_metrics=True)
    benchmark = build_benchmark(composed, catalog, made=made)

    def say_farewell(journal: Journal) -> bool:
        record = next(journal.records(), None)
        if record is not None:
            print_status(
                MatchTranscript(journal, benchmark.games[record.game].game, record, "text", is_full=False).pages()[-1]
            )
        return True

    play_and_show(ctx, begin(benchmark, output), benchmark, shows_progress=False, show=say_farewell)


def _parameters(params: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for param in params:
        name, equals, value = param.partition("=")
        if not equals or not name:
            raise ConfigError(f"--param {param}: expected NAME=VALUE, such as rows=5")
        found[snake(name)] = read_value(value, f"--param {name}")
    return found

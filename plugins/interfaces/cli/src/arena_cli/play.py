"""The command ``arena play``: lets a person play a match at the terminal."""

import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import click
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.plugin import WITHOUT_RULES
from arena_engine.benchmark.benchmark import Benchmark, MadeGames, build_benchmark, make_games
from arena_engine.benchmark.composition import compose
from arena_engine.benchmark.documents import inline_document
from arena_engine.benchmark.from_options import from_options
from arena_engine.benchmark.plain_data import snake
from arena_engine.benchmark.yaml_data import read_value
from arena_engine.journal.journal import Journal

from arena_cli.application import Command
from arena_cli.games_to_play import games_to_play
from arena_cli.opponents import ANYTHING, strongest
from arena_cli.options import WEB, catalog_of, log_option, trust_options, web_option
from arena_cli.output import result, status, terminal_of
from arena_cli.play_ending import PersonMatch
from arena_cli.session import begin, play_and_show

TERMINAL_PERSON: Final = "human"
"""The agent that asks a person at the terminal."""

OPEN_SEAT: Final = "open-seat"
"""The agent that asks a person in a browser."""


@click.command(cls=Command)
@click.argument("game", required=False)
@click.option(
    "--against", metavar="AGENT", help="Who else plays: an agent plugin, or a model. [default: the strongest]"
)
@click.option(
    "--as", "person", default=TERMINAL_PERSON, show_default=True, metavar="AGENT", help="The agent that asks you."
)
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Which player you are, from 1.")
@click.option("--players", type=click.IntRange(1), help="How many play, where the game allows several numbers.")
@click.option("--form", default="", metavar="NAME", help="The form in which you see positions: text, or one more.")
@click.option("-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")
@click.option("--base-url", metavar="URL", help="The server of the model you play against.")
@click.option("--seed", type=int, default=0, help="Seeds all randomness.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the match is written.")
@web_option
@log_option
@trust_options
@click.pass_context
def play(
    ctx: click.Context,
    game: str | None,
    against: str | None,
    person: str,
    seat: int,
    players: int | None,
    form: str,
    params: tuple[str, ...],
    base_url: str | None,
    seed: int,
    output: Path | None,
) -> None:
    """Play against an agent, at the terminal or, with --web, in a browser.

    Without GAME: which games there are. One match, journaled like any run: resume it with `arena resume`, look at it
    with `arena replay`. In a game of more than two players the agent holds all other seats.
    """
    catalog = catalog_of(ctx)
    if ctx.meta.get(WEB) and person == TERMINAL_PERSON:
        person = OPEN_SEAT
    if game is None:
        result(games_to_play(catalog, terminal_of(sys.stdout)))
        return
    if not catalog.has("agent", person):
        catalog.get("agent", person)
    table = {"use": game, **_parameters(params), **({"players": players} if players else {})}
    name = game.rpartition(":")[2]
    # Whoever sits down to one match is shown the rules, or that there are none.
    made = make_games({name: {**table, WITHOUT_RULES: True}}, catalog)
    table |= {} if made.entries[name].game.has_rules else {WITHOUT_RULES: True}
    # Only the game knows how many players it has, and the lineup depends on that.
    seats = made.entries[name].players
    if seat > seats:
        raise ConfigError(f"--seat {seat}: {game!r} has {seats} players here; choose 1 to {seats}")
    pairing = Pairing(
        game=game, table=table, person=person, form=form, seat=seat, seats=seats, base_url=base_url, seed=seed
    )
    if seats == 1:
        benchmark = pairing.benchmark(None, catalog, made)
    elif against is not None:
        benchmark = pairing.benchmark(against, catalog, made)
    else:
        agent, benchmark = strongest(catalog, lambda agent: pairing.benchmark(agent, catalog, made))
        why = "since no stronger agent is installed for" if agent == ANYTHING else "the strongest installed agent for"
        status(f"against {agent}, {why} {game}; choose another with --against")

    def say_farewell(journal: Journal) -> bool:
        record = next(journal.records(), None)
        if record is not None:
            match = PersonMatch(game=benchmark.games[record.game].game, record=record, person=seat - 1)
            for line in match.said(terminal_of(sys.stderr), _again(game, against, seat, seats, ctx)):
                status(line)
        return True

    play_and_show(ctx, begin(benchmark, output), benchmark, shows_progress=False, show=say_farewell)


@attrs.frozen(kw_only=True)
class Pairing:
    """A match of a person: the game with its parameters, who asks the person, and which of the seats it has."""

    game: str
    table: Mapping[str, Any]
    person: str
    form: str
    seat: int
    seats: int
    base_url: str | None
    seed: int

    def benchmark(self, against: str | None, catalog: Catalog, made: MadeGames) -> Benchmark:
        """The benchmark of this one match against an agent; ``ConfigError`` if it cannot play the game."""
        agents = [self.person] if against is None else [self.person, against]
        try:
            plain = from_options([self.game], agents, base_url=self.base_url, seed=self.seed, catalog=catalog)
        except ConfigError as error:
            asked = f"--agent {against}:"
            raise ConfigError([each.replace(asked, f"--against {against}:") for each in error.problems]) from None
        mine, *others = plain["agents"]
        if self.form:
            plain["agents"][mine] = {"use": self.person, "form": self.form}
        (name,) = plain["games"]
        plain["games"] = {name: dict(self.table)}
        del plain["metrics"]
        seating = [mine if p == self.seat - 1 else others[0] for p in range(self.seats)]
        plain["schedule"] = {"use": "fixed", "seatings": [seating]}
        plain["limits"] = {"concurrency": 1}
        plain["reveal_agents"] = True  # the person has named them
        composed = compose(inline_document(plain), catalog, fills_in_metrics=True)
        return build_benchmark(composed, catalog, made=made)


def _again(game: str, against: str | None, seat: int, seats: int, ctx: click.Context) -> str:
    """The command that plays the same game again, from the next seat."""
    words = ["arena", "play", game]
    for option in ("--against", "--players", "--form", "--base-url"):
        value = ctx.params[option.removeprefix("--").replace("-", "_")]
        words += [option, str(value)] if value else []
    words += ["--as", ctx.params["person"]] if ctx.params["person"] != TERMINAL_PERSON else []
    words += ["--web"] if ctx.meta.get(WEB) else []
    for param in ctx.params["params"]:
        words += ["-p", param]
    after = seat % seats + 1
    words += ["--seat", str(after)] if after != 1 else []
    return shlex.join(words)


def _parameters(params: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for param in params:
        name, equals, value = param.partition("=")
        if not equals or not name:
            raise ConfigError(f"--param {param}: expected NAME=VALUE, such as rows=5")
        found[snake(name)] = read_value(value, f"--param {name}")
    return found

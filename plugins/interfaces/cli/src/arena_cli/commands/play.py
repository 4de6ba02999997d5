"""The command ``arena play``: lets a person play a match at the terminal, or says what there is to play."""

import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs
import click
from arena.catalog import Catalog, Status
from arena.errors import ArenaError, ConfigError
from arena.game import Game
from arena.plugin import WITHOUT_RULES
from arena.record import GameEvent, MatchRecord, Player
from arena.turns import Turn, positions, turns
from arena_engine import Benchmark, Journal, build_benchmark, player_names, reason_words, record_words
from arena_engine.benchmark import MadeGames, compose, from_options, inline_document, make_games, read_value, snake
from arena_scene import for_people

from arena_cli.application.group import Command
from arena_cli.application.options import WEB, catalog_of, log_option, trust_options, web_option
from arena_cli.output import Terminal, amount, paragraph, result, shorten, status, terminal_of
from arena_cli.pages.opponents import ANYTHING, strongest
from arena_cli.running.between_turns import OwnMoves, drawn_position, move_squares
from arena_cli.running.sent_keys import agree_to_typed, send_key_option, tell_keys
from arena_cli.running.session import begin, play_and_show


def games_to_play(catalog: Catalog, terminal: Terminal) -> list[str]:
    """The installed games by their numbers of players, and the lines with which a match begins."""
    by_players: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    others: list[str] = []
    for entry in catalog.entries("game"):
        if entry.status is not Status.OK:
            continue
        counts = _player_counts(entry.load, entry.plugin.preset if entry.plugin else {})
        (by_players[counts] if counts else others).append(entry.name)
    several = [counts for counts in by_players if counts != (1,)]
    shown = [(said_players(counts), by_players[counts]) for counts in sorted(several)]
    shown += [("1", by_players[(1,)])] if (1,) in by_players else []
    shown += [("with -p", others)] if others else []
    width = max(7, *(len(players) for players, _ in shown)) if shown else 7
    names = [name for _, named in shown for name in named]
    game = next((name for name in ("tic-tac-toe", *names) if name in names), "GAME")
    examples = {
        f"arena play {game}": "against the strongest agent that fits",
        f"arena play {game} --against random": "against an agent or a model",
        f"arena play {game} --seat 2": "as the second player",
        f"arena describe {game}": "what it is (-p NAME=VALUE: parameters)",
    }
    longest = max(map(len, examples))
    return [
        f"{'players':{width}}  games",
        *(line for players, named in shown for line in _row(players, named, width, terminal)),
        "",
        *(f"{line:{longest}}  {what}" for line, what in examples.items()),
    ]


def said_players(counts: Sequence[int]) -> str:
    """Numbers of players in words: ``2``, ``2–5``, ``2, 4``."""
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}\N{EN DASH}{counts[-1]}"
    return ", ".join(map(str, counts))


def _row(players: str, names: Sequence[str], width: int, terminal: Terminal) -> Iterator[str]:
    lines = paragraph(", ".join(names), terminal, indent=width + 2)
    for at, line in enumerate(lines):
        yield f"{players:{width}}  {line.strip()}" if at == 0 else line


def _player_counts(load: Callable[[], Any], preset: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of players of a game with its own parameters; none if it cannot do without others."""
    with suppress(ArenaError, TypeError, ValueError):
        made: Any = load()(**preset)
        if isinstance(made, Game):
            return tuple(made.player_counts())
    return ()


@attrs.frozen(kw_only=True)
class PersonMatch:
    """A finished match of a person: its game, its record, and the number of the person's player."""

    game: Game
    record: MatchRecord
    person: int

    def said(self, terminal: Terminal, again: str) -> list[str]:
        """The last position, what happened in the last step, the result, the match in one line, how to play again."""
        return [
            *self._last(terminal),
            "",
            *paragraph(self.result(), terminal),
            *([f"match   {shorten(moves, terminal.width - 8, terminal)}"] if (moves := self.moves()) else []),
            f"again   {again}",
        ]

    def _last(self, terminal: Terminal) -> Iterator[str]:
        for position in positions(self.game, self.record):
            if position.step < self.record.steps:
                continue
            yield from drawn_position(self.game, position.state, None, terminal)
            for event in position.events:
                told = for_people(self.game.describe_event(GameEvent(event.kind, event.data, event.to), None))
                yield from paragraph(told, terminal)

    def result(self) -> str:
        """Who won, or what everybody earned, in one sentence from the person's side."""
        record, me = self.record, self.person
        many = len(turns(record))
        length = f"in {many} turn{'s' if many != 1 else ''}"
        if record.returns is None and record.at_fault:
            who = "You" if me in record.at_fault else ", ".join(record.agents[p] for p in record.at_fault)
            return f"{who} lost, {length}; nobody won."
        if record.returns is None:
            reason = f": {record.failure.reason}" if record.failure is not None else ""
            words = record_words(record)
            return f"{words[0].upper()}{words[1:]}{reason}."
        names = [*player_names(record.agents, record.seats)]
        names[me] = "you"
        told = reason_words(names, record, why=self._why())
        reason = f": {told}" if told else ""
        mine, facts = record.returns[me], self.game.facts(len(record.agents))
        others = [agent for player, agent in enumerate(record.agents) if player != me]
        if facts.counts_wins and others:
            best = max(value for player, value in enumerate(record.returns) if player != me)
            what = "won" if mine > best else "lost" if mine < best else "drew"
            return f"You {what} as {record.seats[me]} against {', '.join(dict.fromkeys(others))}, {length}{reason}."
        if not others or facts.returns == "cooperative":
            who = "Together you" if others else "You"
            return f"{who} earned {amount(mine, facts.return_unit)}, {length}{reason}."
        earned = [
            f"{agent} ({record.seats[player]}) {value:g}"
            for player, (agent, value) in enumerate(zip(record.agents, record.returns, strict=True))
            if player != me
        ]
        own = amount(mine, facts.return_unit)
        return f"You ({record.seats[me]}) earned {own}, {', '.join(earned)}; {length}{reason}."

    def _why(self) -> str:
        """The game's own reason for the end of the match."""
        for position in positions(self.game, self.record):
            if position.step == self.record.steps and not position.state.to_act():
                return self.game.describe_end(position.state.observe(None))
        return ""

    def moves(self) -> str:
        """The match in one line: the moves by their squares where a board has them, else by their labels.

        The words that all labels begin with are left out.
        """
        labels = [_label(turn) for turn in turns(self.record)]
        if not labels or not all(labels):
            return ""
        if (squares := move_squares(self.game, self.record)) and len(squares) == len(labels):
            return " ".join(squares)
        common = _common_words(labels)
        names = [" ".join(label.split()[common:]) for label in labels]
        return (", " if any(" " in name for name in names) else " ").join(names)


def _label(turn: Turn) -> str:
    data: Any = turn.played.data if turn.played is not None else {}
    return str(data.get("label", ""))


def _common_words(labels: Sequence[str]) -> int:
    """How many words all labels begin with; at least one word of each is left."""
    words = [label.split() for label in labels]
    most = min(map(len, words)) - 1
    return next((at for at in range(most) if len({each[at] for each in words}) > 1), most)


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
@click.option(
    "--seat", default="1", show_default=True, metavar="SEAT", help="Who you are: a seat's name, or its number from 1."
)
@click.option("--players", type=click.IntRange(1), help="How many play. [default: as many as usual in this game]")
@click.option("--form", default="", metavar="NAME", help="The form in which you see positions: text, or one more.")
@click.option("-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")
@click.option("--base-url", metavar="URL", help="The server of the model you play against.")
@click.option("--seed", type=int, default=0, help="Seeds all randomness.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the match is written.")
@send_key_option
@web_option
@log_option
@trust_options
@click.pass_context
def play(
    ctx: click.Context,
    game: str | None,
    against: str | None,
    person: str,
    seat: str,
    players: int | None,
    form: str,
    params: tuple[str, ...],
    base_url: str | None,
    seed: int,
    output: Path | None,
) -> None:
    """Play against an agent, at the terminal or, with --web, in a browser.

    Without GAME: which games there are. One match, journaled like any run: resume it with `arena resume`, look at it
    with `arena replay`. The agent holds all other seats, of as many players as the game usually has.
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
    entry = made.entries[name]
    seats = entry.game.seats(entry.players)
    place = _place(seat, game, seats)
    pairing = Pairing(
        game=game, table=table, person=person, form=form, place=place, seats=len(seats), base_url=base_url, seed=seed
    )
    if len(seats) == 1:
        benchmark = pairing.benchmark(None, catalog, made)
    elif against is not None:
        benchmark = pairing.benchmark(against, catalog, made)
    else:
        agent, benchmark = strongest(catalog, lambda agent: pairing.benchmark(agent, catalog, made))
        why = "since no stronger agent is installed for" if agent == ANYTHING else "the strongest installed agent for"
        status(f"against {agent}, {why} {game}; choose another with --against")
        against = agent
    if len(seats) > 1:
        for line in paragraph(_seated(entry.game, seats, place, against), terminal_of(sys.stderr)):
            status(line)

    def say_farewell(journal: Journal) -> bool:
        record = next(journal.records(), None)
        if record is not None:
            match = PersonMatch(game=benchmark.games[record.game].game, record=record, person=place)
            for line in match.said(terminal_of(sys.stderr), _again(game, place, len(seats), ctx)):
                status(line)
        return True

    agree_to_typed(ctx, benchmark, base_url)
    tell_keys(benchmark)
    screen = sys.stderr
    is_drawn = person == TERMINAL_PERSON and screen.isatty() and sys.stdin.isatty()
    watcher = OwnMoves(entry.game, Player(place), screen) if is_drawn else None
    play_and_show(
        ctx,
        begin(benchmark, output),
        benchmark,
        shows_progress=False,
        show=say_farewell,
        shows_seat_alone=True,
        watcher=watcher,
    )


def _place(seat: str, game: str, seats: Sequence[str]) -> int:
    """The player, from 0, of a seat that is named as people see it: by its name, or by its number from 1."""
    named = [place for place, name in enumerate(seats) if name.casefold() == seat.strip().casefold()]
    if named:
        return named[0]
    if seat.isascii() and seat.isdigit() and 1 <= int(seat) <= len(seats):
        return int(seat) - 1
    there = ", ".join(f"{number} ({name})" for number, name in enumerate(seats, 1))
    raise ConfigError(f"--seat {seat}: no such seat in {game!r}; choose {there}")


def _seated(game: Game, seats: Sequence[str], place: int, against: str | None) -> str:
    """Who sits where, and how many could play, in one sentence."""
    counts = sorted(game.player_counts())
    *first, last = (name for at, name in enumerate(seats) if at != place)
    others = f"{', '.join(first)} and {last}" if first else last
    number = f"; --players takes {said_players(counts)}" if len(counts) > 1 else ""
    return f"{len(seats)} players: you are {seats[place]}, and {against} plays {others}{number}"


@attrs.frozen(kw_only=True)
class Pairing:
    """A match of a person: the game with its parameters, who asks the person, and its place among the seats, from 0."""

    game: str
    table: Mapping[str, Any]
    person: str
    form: str
    place: int
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
        seating = [mine if p == self.place else others[0] for p in range(self.seats)]
        plain["schedule"] = {"use": "fixed", "seatings": [seating]}
        plain["limits"] = {"concurrency": 1}
        plain["reveal_agents"] = True  # the person has named them
        composed = compose(inline_document(plain), catalog, fills_in_metrics=True)
        return build_benchmark(composed, catalog, made=made)


def _again(game: str, place: int, seats: int, ctx: click.Context) -> str:
    """The command that plays the same game again, from the next seat."""
    words = ["arena", "play", game]
    for option in ("--against", "--players", "--form", "--base-url"):
        value = ctx.params[option.removeprefix("--").replace("-", "_")]
        words += [option, str(value)] if value else []
    words += ["--as", ctx.params["person"]] if ctx.params["person"] != TERMINAL_PERSON else []
    words += ["--web"] if ctx.meta.get(WEB) else []
    for param in ctx.params["params"]:
        words += ["-p", param]
    after = (place + 1) % seats + 1
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

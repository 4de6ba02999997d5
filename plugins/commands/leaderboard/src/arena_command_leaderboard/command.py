"""The command ``arena leaderboard``: ranks agents over runs and submissions."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

import attrs
import click
from arena.catalog import Catalog
from arena.errors import ArenaError, did_you_mean
from arena_cli import Command, RunPath, catalog_of, print_status, trust_options
from arena_cli.output import result, result_data, result_json, terminal_of
from arena_engine import Configuration
from arena_report import write_file

from arena_command_leaderboard.board import Board, board_of
from arena_command_leaderboard.entrants import Entrant
from arena_command_leaderboard.identified_matches import NO_RESULT, AllPlayed, Collector
from arena_command_leaderboard.page import page
from arena_command_leaderboard.result_lines import BY, LineFormat, is_run, write_lines
from arena_command_leaderboard.screen import board_lines, game_lines, pair_views, play_lines

FORMATS: Final = ("terminal", "json", "html", "csv", "submission", "lines")
_AS_LINES: Final = frozenset(("csv", "submission", "lines"))
_ENDINGS: Final = {".csv": "csv", ".json": "json", ".html": "html"}
_BY: Final = ("game", "pair")


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=RunPath(), metavar="RUN|FILE…")
@click.option(
    "--by",
    metavar="WORD",
    help="game: a ranking for each game; pair: every two agents. For lines: some of game, form, agent, opponent, "
    f"pairing, with commas ({BY} unless given).",
)
@click.option("--merge", "merged", multiple=True, metavar="KEY", help="Agents that differ in this alone are one row.")
@click.option("--game", "games", multiple=True, metavar="NAME", help="Only this game; may be repeated.")
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="Only matches of this agent; may be repeated.")
@click.option("--form", "forms", multiple=True, metavar="NAME", help="For lines: only this form of prompt.")
@click.option("--format", "form_", type=click.Choice(FORMATS), help="Unless given, what the ending of --output says.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there.")
@click.option("--by-play", is_flag=True, help="The order without matches that agents' own invalid answers ended.")
@click.option("--full", is_flag=True, help="All rows and pairs, and every match that is there twice.")
@click.option("--json", "is_json", is_flag=True, help="One object with rows, the verdict, runs and duplicates.")
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True)
@trust_options
@click.pass_context
def leaderboard(
    ctx: click.Context,
    sources: tuple[Path, ...],
    by: str | None,
    merged: tuple[str, ...],
    games: tuple[str, ...],
    agents: tuple[str, ...],
    forms: tuple[str, ...],
    form_: str | None,
    output: Path | None,
    by_play: bool,
    full: bool,
    is_json: bool,
    level: float,
) -> None:
    """Rank agents over runs and submissions: one row for each configuration.

    Agents of one name that are configured differently are rows of their own, told apart by what differs; the same
    configuration under two names is one row. Strengths are over all games, each of which weighs the same. What is there
    twice counts once.

    Takes runs, and CSV or JSON files of submissions. csv and lines are the lines of LLM-Game-Benchmark's leaderboard
    (lines go into a file of csv, json or html as well), submission is one row for each two agents in their seats, game
    and form, ready to be merged again.
    """
    form = form_ or ("json" if is_json else _ENDINGS.get(output.suffix if output else "", "terminal"))
    if form in _AS_LINES:
        if merged or full:
            raise click.UsageError(f"--{'merge' if merged else 'full'} does not go with --format {form}")
        write_lines(
            sources,
            cast("LineFormat", form),
            by=by or BY,
            games=games,
            forms=forms,
            agents=agents,
            output=output,
            level=level,
            is_json=is_json,
        )
        return
    if by_play and (by is not None or form != "terminal"):
        raise click.UsageError("--by-play goes with neither --by nor --format; --json has by_play in each row")
    _check(by, forms, form, output)
    found = _chosen(_read(sources, catalog_of(ctx), merged), games, agents)
    board = board_of(found, level)
    if not board.standings.parts:
        raise ArenaError(_nothing_to_rank(board, sources))
    if output is not None:
        plain = {"format": 1, **board.to_json()}
        text = page(board) if form == "html" else json.dumps(plain, indent=1, ensure_ascii=False) + "\n"
        write_file(output, [text.encode()])
        result_data(output)
    elif form == "json":
        result_json(board.to_json())
    elif form == "html":
        result_data(page(board), is_line=False)
    else:
        result(_lines(board, "play" if by_play else by, is_full=full))


def _check(by: str | None, forms: Sequence[str], form: str, output: Path | None) -> None:
    if forms:
        raise click.UsageError("--form goes with --format lines, csv or submission")
    if by is not None and by not in _BY:
        raise click.UsageError(f"--by: expected game or pair, got {by!r}; other words go with --format lines or csv")
    if form == "terminal" and output is not None:
        raise click.UsageError("--output: expected a file that ends in .html, .json or .csv; or say --format")


def _read(sources: Sequence[Path], catalog: Catalog, merged: Sequence[str]) -> AllPlayed:
    collector = Collector(catalog, merged)
    for source in sources:
        if is_run(source):
            collector.read_run(source)
    collector.read_submissions([source for source in sources if not is_run(source)], print_status)
    found = collector.all_played()
    if found.matches and found.unknown_keys:
        known = sorted({key for agent in found.agents.values() for key in _keys(agent.configuration)})
        key = found.unknown_keys[0]
        raise click.UsageError(f"--merge: no agent has a parameter {key!r}{did_you_mean(key, known)}")
    return found


def _keys(configuration: Configuration) -> Iterator[str]:
    yield from configuration.parameters
    yield from configuration.defaults


def _chosen(found: AllPlayed, games: Sequence[str], agents: Sequence[str]) -> AllPlayed:
    """Only matches of some games and some agents, by any of their names."""
    wanted_games, wanted_agents = _meant("game", games, found.games), _meant("agent", agents, found.agents)
    matches = [m for m in found.matches if m.game in wanted_games and not wanted_agents.isdisjoint(m.agents)]
    return attrs.evolve(found, matches=matches)


def _meant(what: str, words: Sequence[str], entrants: Mapping[str, Entrant]) -> set[str]:
    """The digests that words mean; all of them without a word."""
    for word in words:
        if not any(each.is_called(word) for each in entrants.values()):
            labels = sorted(each.label for each in entrants.values())
            raise click.UsageError(f"--{what}: no {what} called {word!r} was played{did_you_mean(word, labels)}")
    return {digest for digest, each in entrants.items() if not words or any(each.is_called(word) for word in words)}


def _nothing_to_rank(board: Board, sources: Sequence[Path]) -> str:
    if board.left_out.keys() <= {NO_RESULT}:
        which = str(sources[0]) if len(sources) == 1 else f"these {len(sources):,} runs"
        return f"{which}: no match has a result, so there is nobody to rank; arena resume plays a run on"
    told = "; ".join(f"{count:,} {'match' if count == 1 else 'matches'} {why}" for why, count in board.left_out.items())
    return f"there is nobody to rank: {told}"


def _lines(board: Board, by: str | None, *, is_full: bool) -> list[str]:
    terminal = terminal_of(sys.stdout)
    if by == "game":
        return game_lines(board, terminal)
    if by == "pair":
        return pair_views(board, terminal)
    if by == "play":
        return play_lines(board, terminal)
    return board_lines(board, terminal, is_full=is_full)

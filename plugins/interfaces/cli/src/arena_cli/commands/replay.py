"""The command ``arena replay``: steps through a recorded match, or asks other agents about its positions."""

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.record import MatchHistory, canonical_json
from arena_engine import Journal, ask, open_parts, open_to_ask, recorded_games, split_names
from arena_engine.execution import branch, turn_of

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of, log_option, print_status, trust_options
from arena_cli.application.run_path import RunPath
from arena_cli.output import CleanText, result
from arena_cli.output.streams import echo
from arena_cli.pages.transcript import SET_IN, MatchTranscript, format_try, listed, page_through, select_history
from arena_cli.results.run_results import ResultPrinter
from arena_cli.running.sent_keys import send_key_option
from arena_cli.running.session import begin, play_and_show


@click.command(cls=Command)
@click.argument("run", type=RunPath())
@click.option("-m", "--match", "wanted", metavar="ID|NUMBER", help="Which match; without it they are listed.")
@click.option("-t", "--turn", type=int, metavar="N", help="Only this turn, or the one for --ask and --branch.")
@click.option("--form", default="text", show_default=True, help="How positions are shown: a form of the game.")
@click.option("--full", is_flag=True, help="Show every prompt in full, not only what a player had not been told yet.")
@click.option("--ask", "asked", metavar="AGENT", help="What would this agent have played in that turn? Not recorded.")
@click.option("--branch", "branched", metavar="AGENT[,AGENT…]", help="Play on from that turn, as a new run.")
@click.option("--dry-run", is_flag=True, help="Say what --ask or --branch may cost, and do neither.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where --branch writes that run, or a --form of pictures its files.",
)
@send_key_option
@log_option
@trust_options
@click.pass_context
def replay(
    ctx: click.Context,
    run: Path,
    wanted: str | None,
    turn: int | None,
    form: str,
    full: bool,
    asked: str | None,
    branched: str | None,
    dry_run: bool,
    output: Path | None,
) -> None:
    """Step through a match: boards, prompts, replies, refusals.

    At a terminal: Enter or n goes on, p goes back, q ends. Elsewhere everything is printed. Positions come from playing
    the recorded actions again; where the game does something else now, that is said. A --form of pictures is written
    to --output, one file for each step.

    --ask and --branch take an agent of the run by its name, an agent plugin, or a model, and a --turn. An agent that is
    asked sees what the player saw and none of its thoughts; a model is asked for real, and paid for. --branch starts a
    run of one match with the same deals and the same moves up to that turn: one agent takes the seat of whose turn it
    is, several are named for all players in order. With --dry-run it is said what they may cost, and no model is asked.
    """
    if (asked or branched) and turn is None:
        raise click.UsageError("--ask and --branch need a --turn")
    if asked and branched:
        raise click.UsageError("--ask or --branch, one at a time")
    if dry_run and not (asked or branched):
        raise click.UsageError("--dry-run says what --ask or --branch may cost; give one of them")
    catalog = catalog_of(ctx)
    with Journal.open(run) as journal:
        record = select_history(journal, wanted)
        if record is None:
            echo(listed(journal))
            return
        if dry_run:
            assert turn is not None
            _tell_cost(journal, record, turn, asked, branched, catalog)
            return
        if branched:
            assert turn is not None
            with _at("--branch"):
                made, plan = branch(journal, record, turn, split_names(branched), catalog)
        else:
            if asked:
                assert turn is not None
                _ask(journal, record, turn, asked, catalog)
                return
            _show(_transcript(journal, record, catalog, form=form, is_full=full, pictures=output), turn)
            return
    play_and_show(ctx, begin(made, output, (plan,)), made, show=ResultPrinter(made, catalog).show)


@contextmanager
def _at(option: str) -> Generator[None]:
    """Prefix errors with the option that named the agent, since agents are given as in ``arena run --agent``."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(problem.replace("--agent ", f"{option} ", 1) for problem in str(error).splitlines()) from None


def _transcript(
    journal: Journal, record: MatchHistory, catalog: Catalog, *, form: str, is_full: bool, pictures: Path | None
) -> MatchTranscript:
    """The pages of a match; where its game is not here, without boards, which is said."""
    parts = open_parts(journal, catalog)
    if record.game not in parts.absent:
        return MatchTranscript(journal, parts.game(record.game), record, form, is_full=is_full, pictures=pictures)
    what = f"boards need {parts.absent[record.game]}"
    if pictures is not None:
        raise ConfigError(f"--output {pictures}: {what}")
    print_status(what)
    known = recorded_games(journal).get(record.game)
    return MatchTranscript(journal, None, record, form, is_full=is_full, words=known.words if known else None)


def _show(book: MatchTranscript, turn: int | None) -> None:
    pages = book.pages()
    if turn is not None:
        if not 1 <= turn < len(pages):
            raise ConfigError(f"--turn {turn}: the match has turns 1 to {len(pages) - 1}")
        result(CleanText(pages[turn - 1]), hanging=SET_IN)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        page_through(pages)
    else:
        result(CleanText("\n\n".join(pages)), hanging=SET_IN)


def _tell_cost(
    journal: Journal, record: MatchHistory, turn: int, asked: str | None, branched: str | None, catalog: Catalog
) -> None:
    from arena_cli.forecast.playing_on import asking_words, playing_on_words

    if branched:
        with _at("--branch"):
            told = playing_on_words(journal, record, turn, split_names(branched), catalog)
    else:
        assert asked is not None
        with _at("--ask"):
            told = asking_words(open_to_ask(journal, asked, catalog), record, turn, asked)
    for sentence in told:
        echo(sentence)


def _ask(journal: Journal, record: MatchHistory, number: int, name: str, catalog: Catalog) -> None:
    with _at("--ask"):
        benchmark = open_to_ask(journal, name, catalog)
    agent = benchmark.agents[name].agent
    if agent.backends():
        print_status(f"asking {name}: its model is asked for real, nothing is recorded")
    turn, _ = asyncio.run(ask(benchmark, record, number, agent))
    target = turn_of(record, number)
    echo(f"{name} in turn {number} in the place of {record.agents[target.player]}:", bold=True)
    for each in turn.tries:
        result(CleanText("\n".join(format_try(each, set()))), hanging=SET_IN)
    if turn.played is None:
        echo("would have been eliminated by forfeit", fg="red")
    last = target.tries[-1].data
    recorded = last.get("label", canonical_json(last["action"])) if target.played else "nothing: it was eliminated"
    echo(f"recorded: {recorded}")

"""``arena replay``."""

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import attrs
import click

from arena.benchmark import Benchmark, from_plain
from arena.catalog import Catalog
from arena.cli.book import Book, choose, leaf, listed, try_lines
from arena.cli.group import Command
from arena.cli.options import catalog_of, say
from arena.cli.playing import begin, carry_on, check_secrets
from arena.cli.results import results
from arena.entries import AgentEntry
from arena.errors import ConfigError
from arena.journal import Journal
from arena.record import MatchRecord, canonical
from arena.replay import agent_of, ask, branch, plain_of, turn_of


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("-m", "--match", "wanted", metavar="ID|NUMBER", help="Which match; without it they are listed.")
@click.option("-t", "--turn", type=int, metavar="N", help="Only this turn, or the one for --ask and --branch.")
@click.option("--form", default="text", show_default=True, help="How positions are shown: a form of the game.")
@click.option("--full", is_flag=True, help="Show every prompt in full, not only what a player had not been told yet.")
@click.option("--ask", "asked", metavar="AGENT", help="What would this agent have played in that turn? Not recorded.")
@click.option("--branch", "branched", metavar="AGENT[,AGENT…]", help="Play on from that turn, as a new run.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where --branch writes that run.")
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
    output: Path | None,
) -> None:
    """Step through a match: boards, prompts, replies, refusals.

    At a terminal: Enter or n goes on, p goes back, q ends. Elsewhere everything is printed. Positions come from playing
    the recorded actions again; where the game does something else now, that is said.

    --ask and --branch take an agent of the run by its name, an agent plugin, or a model, and a --turn. An agent that is
    asked sees what the player saw and none of its thoughts; a model is asked for real, and paid for. --branch starts a
    run of one match with the same deals and the same moves up to that turn: one agent takes the seat of whose turn it
    is, several are named for all players in order.
    """
    if (asked or branched) and turn is None:
        raise click.UsageError("--ask and --branch need a --turn")
    if asked and branched:
        raise click.UsageError("--ask or --branch, one at a time")
    catalog = catalog_of(ctx)
    with Journal.open(run) as journal:
        record = choose(journal, wanted)
        if record is None:
            click.echo(listed(journal))
            return
        if branched:
            assert turn is not None
            with _at("--branch"):
                made, plan = branch(journal, record, turn, branched.split(","), catalog)
        else:
            benchmark = from_plain(plain_of(journal), catalog)
            if asked:
                assert turn is not None
                _ask(benchmark, record, turn, asked, catalog)
                return
            _show(Book(journal, benchmark, record, form, is_full=full), turn)
            return
    carry_on(ctx, begin(made, output, (plan,)), made, show=results(catalog))


@contextmanager
def _at(option: str) -> Generator[None]:
    """Tell of a mistake where it was made: agents are named here as with ``arena run --agent``."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(problem.replace("--agent ", f"{option} ", 1) for problem in str(error).splitlines()) from None


def _show(book: Book, turn: int | None) -> None:
    pages = book.pages()
    if turn is not None:
        if not 1 <= turn < len(pages):
            raise ConfigError(f"--turn {turn}: the match has turns 1 to {len(pages) - 1}")
        click.echo(pages[turn - 1])
    elif sys.stdin.isatty() and sys.stdout.isatty():
        leaf(pages)
    else:
        click.echo("\n\n".join(pages))


def _ask(benchmark: Benchmark, record: MatchRecord, number: int, name: str, catalog: Catalog) -> None:
    with _at("--ask"):
        agent = agent_of(name, benchmark, catalog)
    if agent.backends():
        say(f"asking {name}: its model is asked for real, nothing is recorded")
        check_secrets(attrs.evolve(benchmark, agents={name: AgentEntry(agent=agent, use=name)}, metrics={}))
    turn, _ = asyncio.run(ask(benchmark, record, number, agent))
    target = turn_of(record, number)
    click.echo(click.style(f"{name} in turn {number} in the place of {record.agents[target.player]}:", bold=True))
    for each in turn.tries:
        click.echo("\n".join(try_lines(each, set())))
    if turn.played is None:
        click.echo(click.style("would have been put out of the match", fg="red"))
    last = target.tries[-1].data
    recorded = last.get("label", canonical(last["action"])) if target.played else "nothing: it was put out"
    click.echo(f"recorded: {recorded}")

"""Show what a benchmark will take."""

import asyncio
from pathlib import Path

import click

from arena.askers import WRITTEN, AskerEstimate
from arena.benchmark import Benchmark
from arena.estimate import PLAYOUTS, SECONDS, Lengths, estimate
from arena.journal import Journal
from arena.probe import CHARACTERS
from arena.record import Ending, Player
from arena.report.forecast import ESTIMATE, amount, counted, money, short, time

SHOWN = 12
"""A suite may have hundreds of games; so many have a line of their own."""


def show_estimate(benchmark: Benchmark, extended: Path | None) -> None:
    """Print it; ``extended`` is the run that the benchmark would be added to."""
    done: set[str] = set()
    recorded: Lengths = {}
    if extended is not None:
        with Journal.open(extended) as journal:
            done = {i for i, ending in journal.endings().items() if ending.is_result or ending is Ending.CANCELLED}
            recorded = lengths(journal)
    found = asyncio.run(estimate(benchmark, done, recorded))
    before = f", {len(done):,} more are finished" if done else ""
    click.echo(
        f"{benchmark.name}: {counted(found.matches, 'match', 'matches')} to play{before}, "
        f"{amount(found.decisions)} decisions"
    )
    for game in found.games[:SHOWN]:
        click.echo(
            f"  {game.game}: {counted(game.matches, 'match', 'matches')} of {amount(game.per_match)} decisions "
            f"({f'from {game.recorded:,} played' if game.recorded else f'from {game.playouts} random'})"
        )
    if more := found.games[SHOWN:]:
        matches = counted(sum(game.matches for game in more), "match", "matches")
        click.echo(f"  {matches} of {counted(len(more), 'more game', 'more games')}")
    for agent in found.agents:
        click.echo(f"  {agent.asker}: {_asker(agent)}")
    for judge in found.judges:
        click.echo(f"  {judge.asker} (judge): {_asker(judge)}")
    if not found.askers:
        click.echo("no model is asked")
    elif (cost := found.cost_usd) is not None:
        click.echo(f"money: {money(cost)}")
    else:
        unpriced = sorted({asker.asker for asker in found.askers if asker.cost_usd is None})
        click.echo(f"money: unknown, the backend of {', '.join(unpriced)} names no price")
    click.echo(f"time: {time(found.seconds)}")
    click.echo(
        f"Lengths are those of up to {PLAYOUTS} random matches of each game, or of matches that were played: mean "
        "(least to most). The most counts every retry."
    )
    if found.askers:
        click.echo(
            f"Prompts were rendered and not sent; a token is taken as {CHARACTERS:g} characters, give or take a third. "
            f"Answers that are sent again, as in a transcript, are taken to have {WRITTEN.likely:g} tokens "
            f"({WRITTEN.low:g} to the most allowed). Written tokens are the most allowed. "
            f"A completion is taken to last {SECONDS[0]:g} to {SECONDS[1]:g} "
            "seconds; `arena check-agents` measures it."
        )


def lengths(journal: Journal) -> Lengths:
    """Turns by player of every match of a run that came to its end by the rules, by game."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for record in journal.records():
        if record.ending is Ending.RULES:
            acted = [event.player for event in record.played()]
            found.setdefault(record.game, []).append(tuple(acted.count(Player(p)) for p in range(len(record.agents))))
    return found


def keep_estimate(journal: Journal, benchmark: Benchmark) -> None:
    """Write down what the whole of a new or extended run is estimated to take, where a model is asked."""
    askers = (*(entry.agent for entry in benchmark.agents.values()), *benchmark.metrics.values())
    if any(asker.backends() for asker in askers):
        found = asyncio.run(estimate(benchmark, recorded=lengths(journal)))
        journal.note(ESTIMATE, found.forecast().to_json())


def _asker(asker: AskerEstimate) -> str:
    written = "no bound" if asker.completion_tokens is None else f"at most {short(asker.completion_tokens)}"
    cost = "price unknown" if asker.cost_usd is None else money(asker.cost_usd)
    tokens = f"{amount(asker.prompt_tokens)} tokens sent, {written} written"
    return f"{amount(asker.calls)} calls, {tokens}, {cost}"

"""Show what a benchmark will take."""

import asyncio
from pathlib import Path

import click

from arena.benchmark import Benchmark
from arena.estimate import CHARACTERS, PLAYOUTS, SECONDS, AgentEstimate, Range, estimate
from arena.journal import Journal
from arena.record import Ending


def show_estimate(benchmark: Benchmark, extended: Path | None) -> None:
    """Print it; ``extended`` is the run that the benchmark would be added to."""
    done: set[str] = set()
    if extended is not None:
        with Journal.open(extended) as journal:
            done = {i for i, ending in journal.endings().items() if ending.is_result or ending is Ending.CANCELLED}
    found = asyncio.run(estimate(benchmark, done))
    before = f", {len(done):,} more are finished" if done else ""
    click.echo(f"{benchmark.name}: {found.matches:,} matches to play{before}, {_range(found.decisions)} decisions")
    for game in found.games:
        click.echo(f"  {game.game}: {game.matches:,} matches of {_range(game.per_match)} decisions")
    for agent in found.agents:
        click.echo(f"  {agent.agent}: {_agent(agent)}")
    if not found.agents:
        click.echo("no model is asked")
    elif (cost := found.cost_usd) is not None:
        click.echo(f"money: {_money(cost)}")
    else:
        unpriced = sorted(a.agent for a in found.agents if a.cost_usd is None)
        click.echo(f"money: unknown, the backend of {', '.join(unpriced)} names no price")
    click.echo(f"time: {_time(found.seconds)}")
    click.echo(
        f"Lengths are those of up to {PLAYOUTS} random matches of each game: mean (least to most). "
        "The most counts every retry."
    )
    if found.agents:
        click.echo(
            f"Prompts were rendered and not sent; a token is taken as {CHARACTERS:g} characters, give or take a third. "
            f"Written tokens are the most allowed. A completion is taken to last {SECONDS[0]:g} to {SECONDS[1]:g} "
            "seconds; `arena check-agents` measures it."
        )


def _agent(agent: AgentEstimate) -> str:
    written = "no bound" if agent.completion_tokens is None else f"at most {_short(agent.completion_tokens)}"
    cost = "price unknown" if agent.cost_usd is None else _money(agent.cost_usd)
    tokens = f"{_range(agent.prompt_tokens)} tokens sent, {written} written"
    return f"{_range(agent.calls)} calls, {tokens}, {cost}"


def _range(of: Range) -> str:
    return f"{_short(of.likely)} ({_short(of.low)} to {_short(of.high)})"


def _short(number: float) -> str:
    for bound, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if number >= bound:
            return f"{number / min(bound, 1e9 if unit == 'G' else 1e6 if unit == 'M' else 1e3):.3g} {unit}"
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.1f}"


def _money(of: Range) -> str:
    return "$0, runs on this machine" if of.high == 0 else f"${of.low:.2f} to ${of.high:.2f}"


def _time(of: Range) -> str:
    return f"{_duration(of.low)} to {_duration(of.high)}" if of.high > of.low else _duration(of.likely)


def _duration(seconds: float) -> str:
    if seconds < 60:
        return "1 minute" if seconds > 30 else "less than a minute"
    return f"{seconds / 60:,.0f} minutes" if seconds < 2 * 3600 else f"{seconds / 3600:,.1f} hours"

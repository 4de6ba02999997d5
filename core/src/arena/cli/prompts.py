"""Show the first messages of each agent in each game; nothing is sent."""

import asyncio

import click

from arena.backend import Message
from arena.benchmark import Benchmark
from arena.estimate import first_request
from arena.probe import Question
from arena.record import canonical
from arena.runner import work_of
from arena.schedule import expand


def show_prompts(benchmark: Benchmark) -> None:
    """Print them, in the order of the benchmark; agents that ask no model are left out.

    Where an agent does not move first, the actions before its own are random.
    """
    plans = expand(benchmark)
    work = work_of(benchmark, plans)
    is_any = False
    for game in benchmark.games:
        for agent, entry in benchmark.agents.items():
            theirs = [plan for plan in plans if plan.game == game and agent in plan.agents]
            if not theirs or not entry.agent.backends():
                continue
            plan = min(theirs, key=lambda plan: plan.agents.index(agent))
            player = plan.agents.index(agent)
            caught = asyncio.run(first_request(work, plan, player))
            if caught is None:
                continue
            is_any = True
            click.echo(click.style(f"=== {game} · {agent} · player {player} of match {plan.id}", bold=True))
            _show(caught)
    if not is_any:
        click.echo("no agent asks a model")


def _show(caught: Question) -> None:
    request = caught.request
    for message in request.messages:
        click.echo(click.style(f"--- {message.role}", fg="cyan"))
        click.echo(words(message))
    if request.schema is not None:
        click.echo(click.style("--- the answer must fit the schema", fg="cyan"))
        click.echo(canonical(request.schema))
    for tool in request.tools:
        click.echo(click.style(f"--- tool {tool.name}", fg="cyan"))
        click.echo(f"{tool.summary}\n{canonical(tool.schema)}")
    click.echo()


def words(message: Message) -> str:
    """A message as text, pictures by what they show."""
    parts = (p if isinstance(p, str) else f"[{p.media_type}: {p.alternative or 'a picture'}]" for p in message.parts)
    return "".join(parts)

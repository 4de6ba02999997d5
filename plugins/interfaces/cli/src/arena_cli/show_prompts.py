"""Prints the first messages of each agent in each game, without sending them."""

import asyncio

from arena.backend import Message
from arena.record import canonical_json
from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.execution.capture import CapturedRequest
from arena_engine.execution.runner import job_for
from arena_engine.forecast.forecast import first_request
from arena_engine.job.planning import plan_matches

from arena_cli.safe_text import echo


def show_prompts(benchmark: Benchmark) -> None:
    """Print the prompts in the order of the benchmark; agents that ask no model are left out.

    If an agent does not move first, random actions are played before its turn.
    """
    plans = plan_matches(benchmark)
    work = job_for(benchmark, plans)
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
            echo(f"=== {game} · {agent} · player {player} of match {plan.id}", bold=True)
            _show(caught)
    if not is_any:
        echo("no agent asks a model")


def _show(caught: CapturedRequest) -> None:
    request = caught.request
    for message in request.messages:
        echo(f"--- {message.role}", fg="cyan")
        echo(words(message))
    if request.schema is not None:
        echo("--- the answer must fit the schema", fg="cyan")
        echo(canonical_json(request.schema))
    for tool in request.tools:
        echo(f"--- tool {tool.name}", fg="cyan")
        echo(f"{tool.summary}\n{canonical_json(tool.schema)}")
    echo()


def words(message: Message) -> str:
    """A message as text; images are replaced by their descriptions."""
    parts = (p if isinstance(p, str) else f"[{p.media_type}: {p.alt or 'a picture'}]" for p in message.parts)
    return "".join(parts)

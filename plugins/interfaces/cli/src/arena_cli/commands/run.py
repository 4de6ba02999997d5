"""The command ``arena run``: plays a benchmark and shows its results, or its first prompts."""

import asyncio
import shlex
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from arena.backend import Message
from arena.catalog import Catalog
from arena.record import canonical_json
from arena_engine import Benchmark, Journal, job_for, load_benchmark, plan_matches
from arena_engine.benchmark import as_begun, from_options
from arena_engine.execution import CapturedRequest, extend_run
from arena_engine.forecast import first_request
from arena_report.content import COMMAND

from arena_cli.application.group import Command
from arena_cli.application.options import catalog_of, log_option, trust_options, web_option
from arena_cli.application.run_path import RunPath
from arena_cli.output.streams import echo
from arena_cli.results.run_results import JsonPrinter, ResultPrinter
from arena_cli.running.sent_keys import agree_to_typed, send_key_option, tell_keys
from arena_cli.running.session import (
    asks_models,
    begin,
    check_before,
    closing_early,
    in_processes,
    play_and_show,
    workers_option,
)


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
            echo(f"=== {game} · {agent} · player {player + 1} of match {plan.id}", bold=True)
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


@click.command(cls=Command)
@click.argument("file", required=False, metavar="[FILE | suite:NAME]")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Replace one value of the file.")
@click.option("--agents", "agents_file", metavar="FILE", help="Play with the agents of this file instead.")
@click.option("--game", "games", multiple=True, metavar="NAME", help="Without a file: a game; else keep only this.")
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="The same for agents: a plugin, or a model.")
@click.option("-n", "--repeats", type=click.IntRange(1), metavar="N", help="How often each seating is played.")
@click.option("--seed", type=int, help="Seeds all randomness.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="What is measured.")
@click.option("--base-url", metavar="URL", help="Without a file: the server of all models.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the run is written.")
@click.option("--extend", "extended", type=RunPath(), metavar="RUN", help="Add to a run, see below.")
@click.option("--dry-run", is_flag=True, help="Play nothing; say how much there is to play and to pay.")
@click.option(
    "--json", "is_json", is_flag=True, help="One JSON object in place of the path or, with --dry-run, of the estimate."
)
@click.option("--show-prompt", is_flag=True, help="Play nothing; show each agent's first messages in each game.")
@click.option("--no-check", is_flag=True, help="Begin even if a model's key, file or server seems to be missing.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no tables, no report; only what went wrong.")
@send_key_option
@workers_option
@web_option
@log_option
@trust_options
@click.pass_context
def run(
    ctx: click.Context,
    file: str | None,
    output: Path | None,
    extended: Path | None,
    dry_run: bool,
    is_json: bool,
    show_prompt: bool,
    no_check: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Play a benchmark, and show the results.

    The run is written to runs/<UTC time>-<name>/ or to --output; its path is the last line on standard output.
    Everything is checked before that directory is made: keys, model files and servers too, without asking a model
    anything. Ctrl-C stops cleanly, a second one at once; `arena resume`
    goes on.

    Without a file, name games and agents: arena run --game NAME --agent NAME --agent PROVIDER/MODEL -n 20

    --extend RUN plays a larger benchmark on top of a finished or stopped run: more repeats, games, agents or metrics.
    What was played is not played again.
    """
    if extended is not None and output is not None:
        raise click.UsageError("--extend adds to the run in its own directory; leave --output out")
    catalog = catalog_of(ctx)
    build = _without_file if file is None else partial(_from_file, file)
    benchmark = build(catalog, **options)
    if options["workers"] is not None:
        overrides = in_processes(options["workers"], options["overrides"], benchmark.plain.get("executor"))
        benchmark = build(catalog, **{**options, "overrides": overrides})
    if extended is not None:
        with Journal.open(extended) as begun:
            benchmark = as_begun(benchmark, begun)
    agree_to_typed(ctx, benchmark, options["base_url"], options["overrides"])
    if show_prompt:
        from arena_cli.commands.run import show_prompts

        show_prompts(benchmark)
    if dry_run:
        from arena_cli.forecast.dry_run import show_estimate

        show_estimate(benchmark, extended, is_json=is_json)
    if dry_run or show_prompt:
        return
    check_before(benchmark, asks_around=not no_check)
    if not quiet:
        tell_keys(benchmark)
    journal = begin(benchmark, output, is_checked=True) if extended is None else extend_run(extended, benchmark)
    with closing_early(journal):
        if asks_models(benchmark):
            from arena_cli.forecast.dry_run import keep_estimate

            keep_estimate(journal, benchmark)
        journal.set_metadata(COMMAND, _command(file, options))
    if is_json:
        printer = JsonPrinter(benchmark, catalog, is_quiet=quiet)
        play_and_show(ctx, journal, benchmark, shows_progress=not quiet, show=printer.show, close=printer.close)
    results = ResultPrinter(benchmark, catalog, is_quiet=quiet)
    play_and_show(ctx, journal, benchmark, shows_progress=not quiet, show=results.show, keep=results.keep)


def _command(file: str | None, options: Mapping[str, Any]) -> str:
    """The command line in short; values that were set may be secret, and stay out of it."""
    words = ["arena", "run", *([file] if file is not None else [])]
    for name, option in (("games", "--game"), ("agents", "--agent"), ("metrics", "--metric")):
        words += [word for value in options[name] for word in (option, str(value))]
    for name, option in (("agents_file", "--agents"), ("repeats", "-n"), ("workers", "--workers")):
        words += [option, str(options[name])] if options[name] is not None else []
    told = shlex.join(words)
    return " ".join([told, *(f"--set {override.partition('=')[0]}=…" for override in options["overrides"])])


def _from_file(file: str, catalog: Catalog, **options: Any) -> Benchmark:
    if options["base_url"] is not None:
        raise click.UsageError("--base-url is for runs without a file; write it into the backend, or use --set")
    overrides: list[str] = []
    if options["seed"] is not None:
        overrides.append(f"seed={options['seed']}")
    if options["repeats"] is not None:
        overrides.append(f"schedule.repeats={options['repeats']}")
    if options["metrics"]:
        overrides.append(f"metrics={canonical_json(options['metrics'])}")
    return load_benchmark(
        file,
        overrides=(*overrides, *options["overrides"]),
        agents_file=options["agents_file"],
        games=options["games"],
        agents=options["agents"],
        catalog=catalog,
    )


def _without_file(catalog: Catalog, **options: Any) -> Benchmark:
    if not options["games"] or not options["agents"]:
        raise click.UsageError("name a benchmark file or suite:NAME, or at least one --game and one --agent")
    if options["agents_file"] is not None:
        raise click.UsageError("--agents FILE replaces the agents of a benchmark file; name that file too")
    plain = from_options(
        options["games"],
        options["agents"],
        repeats=options["repeats"] or 1,
        base_url=options["base_url"],
        metrics=options["metrics"],
        seed=options["seed"] or 0,
        catalog=catalog,
    )
    if not options["metrics"]:
        del plain["metrics"]
    return load_benchmark(plain, overrides=options["overrides"], catalog=catalog)

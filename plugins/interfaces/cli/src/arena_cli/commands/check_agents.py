"""The command ``arena check-agents``: tries what each model of a benchmark can do, for a bounded sum of money."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from arena.backend import Backend
from arena.errors import ArenaError, ConfigError
from arena_engine import Benchmark, backends_of, load_benchmark
from arena_engine.execution import check_secrets
from arena_engine.models import is_batched

from arena_cli.application.group import FAILED, Command
from arena_cli.application.options import catalog_of, trust_options
from arena_cli.output import OutputColumn, join, result, styled, table, terminal_of
from arena_cli.running.model_trials import TrialResults, most_usd, trials, tried
from arena_cli.running.saved_compat import compat_line, with_compat
from arena_cli.running.sent_keys import agree_to_typed, send_key_option, tell_keys

_COLUMNS: Final = (OutputColumn(title="tried"), OutputColumn(title=""), OutputColumn(title="found", wraps=True))


@click.command(cls=Command, name="check-agents")
@click.argument("file", metavar="FILE | suite:NAME")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Replace one value of the file.")
@click.option("--agents", "agents_file", metavar="FILE", help="Check the agents of this file instead.")
@click.option("--at-most", default=0.05, show_default=True, metavar="USD", help="Ask nothing if all could cost more.")
@click.option("--save", is_flag=True, help="Write what is learned of each server into the file, as compat.")
@send_key_option
@trust_options
@click.pass_context
def check_agents(
    ctx: click.Context,
    file: str,
    overrides: tuple[str, ...],
    agents_file: str | None,
    at_most: float,
    save: bool,
) -> None:
    """Try what each model of a benchmark can do, and what a call costs.

    Before a long run: is every model there, is the key right, how fast does it answer? Does it keep a JSON schema, call
    tools, say that an answer was cut off, count tokens? Each different backend is asked for a few short answers, judges
    of metrics included. What that may cost is printed first. A parameter that a server refuses is learned, and --save
    writes it into the file. Exits with 1 if any model does not answer.
    """
    catalog = catalog_of(ctx)
    benchmark = load_benchmark(file, overrides=overrides, agents_file=agents_file, catalog=catalog)
    agree_to_typed(ctx, benchmark, overrides=overrides)
    check_secrets(benchmark)
    tell_keys(benchmark)
    found = list(backends_of(benchmark))
    if not found:
        result("no agent or metric asks a model")
        return
    _tell_cost([backend for _, backend in found], at_most)
    findings = [asyncio.run(_check(path, backend)) for path, backend in found]
    if save:
        for (_, backend), each in zip(found, findings, strict=True):
            if each is not None and each.learned:
                _save(Path(agents_file or file), benchmark, backend, each)
    if not all(findings):
        ctx.exit(FAILED)


def _tell_cost(backends: Sequence[Backend], at_most: float) -> None:
    """Say what all trials may cost; ``ConfigError`` if that is more than somebody wants to spend."""
    most = sum(map(most_usd, backends))
    requests = sum(len(trials(backend)) for backend in backends)
    unknown = sum(backend.price() is None for backend in backends)
    guess = f" ({unknown} without a known price, taken for $5 and $25 a million tokens)" if unknown else ""
    said = f"{requests} short requests, at most ${most:.4f} in all{guess}"
    if most > at_most:
        raise ConfigError(f"{said}, which is more than --at-most {at_most:g}; raise it, or check fewer agents")
    result(said)
    if any(map(is_batched, backends)):
        result("where batch: true is set, this asks directly and pays the full price, twice that of a batch")


async def _check(path: str, backend: Backend) -> TrialResults | None:
    label = f"{path} ({type(backend).__name__})"
    try:
        found = await tried(backend)
    except ArenaError as error:
        result(join(f"{label}: ", styled("failed", fg="red"), f": {error}"))
        return None
    answer = found.answer
    cost = "no price" if answer.cost_usd is None else f"${answer.cost_usd:.6f}"
    result(join(f"{label}: ", styled("ok", fg="green")))
    result(f"    answered {answer.answer!r} in {answer.seconds:.2f} s, connected in {answer.connected_s:.2f} s")
    tokens = f"{answer.prompt_tokens} tokens sent, {answer.completion_tokens} written"
    result(f"    model {answer.model or 'unnamed'}, {tokens}, {cost}")
    result(f"    able to do: {', '.join(answer.able) or 'text only'}")
    rows = [(each.name, "yes" if each.is_fine else "no", each.said) for each in found.found]
    result(table(_COLUMNS, rows, terminal_of(sys.stdout), indent=4))
    if found.learned:
        result(f"    learned: {compat_line(found.learned)}")
    result(f"    all of it cost {'an unknown sum' if found.cost_usd is None else f'${found.cost_usd:.6f}'}")
    return found


def _save(file: Path, benchmark: Benchmark, backend: Backend, found: TrialResults) -> None:
    """Write what was learned to each agent of the file that has this backend, or say what to write."""
    line = compat_line(found.learned)
    for name, entry in benchmark.agents.items():
        for field, own in entry.agent.backends().items():
            if own != backend:
                continue
            path = ("agents", name, field)
            text = file.read_text("utf-8") if file.is_file() else ""
            if changed := with_compat(text, path, found.learned):
                file.write_text(changed, "utf-8")
                result(f"wrote {line} to {'.'.join(path)} of {file}")
            else:
                result(f"{'.'.join(path)} does not stand in {file} as a table; write {line} there")

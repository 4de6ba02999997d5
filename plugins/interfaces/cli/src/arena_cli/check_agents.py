"""The command ``arena check-agents``: sends one short request to each model of a benchmark."""

import asyncio
import time

import click
from arena.backend import Backend, CompletionRequest, Message, Sampling
from arena.errors import ArenaError, BackendError
from arena_engine import load_benchmark
from arena_engine.models.asking import completed, connected
from arena_engine.redaction import Redactor
from arena_engine.running.readiness import backends_of, check_secrets

from arena_cli.application import FAILED, Command
from arena_cli.options import catalog_of, trust_options
from arena_cli.output import join, result, styled

_MESSAGES = (Message.of("user", "Answer with the single word: ready"),)


@click.command(cls=Command, name="check-agents")
@click.argument("file", metavar="FILE | suite:NAME")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Replace one value of the file.")
@click.option("--agents", "agents_file", metavar="FILE", help="Check the agents of this file instead.")
@trust_options
@click.pass_context
def check_agents(ctx: click.Context, file: str, overrides: tuple[str, ...], agents_file: str | None) -> None:
    """Ask each backend of a benchmark for one short completion.

    Before a night is spent: is every model there, is the key right, how fast does it answer? Each different backend is
    asked once, judges of metrics included, and paid for where it costs. Nothing is written. Exits with 1 if any fails.
    """
    catalog = catalog_of(ctx)
    benchmark = load_benchmark(file, overrides=overrides, agents_file=agents_file, catalog=catalog)
    check_secrets(benchmark)
    found = list(backends_of(benchmark))
    if not found:
        result("no agent or metric asks a model")
    results = [asyncio.run(_check(path, backend)) for path, backend in found]
    if not all(results):
        ctx.exit(FAILED)


async def _check(path: str, backend: Backend) -> bool:
    label = f"{path} ({type(backend).__name__})"
    connection = None
    try:
        began = time.monotonic()
        connection = await connected(backend)
        opened = time.monotonic()
        sampling = backend.with_defaults(Sampling(max_tokens=16))
        async with asyncio.timeout(backend.request_timeout_s):
            completion = await completed(backend, connection, CompletionRequest(messages=_MESSAGES, sampling=sampling))
        answered = time.monotonic()
    except TimeoutError:
        return _failed(label, f"no answer within {backend.request_timeout_s:g} s")
    except BackendError as error:
        return _failed(label, str(Redactor.of((backend,)).error(error)))
    except ArenaError as error:
        return _failed(label, str(error))
    finally:
        if connection is not None:
            await connection.close()
    usage = completion.usage
    cost = "no price" if completion.cost_usd is None else f"${completion.cost_usd:.6f}"
    result(join(f"{label}: ", styled("ok", fg="green")))
    times = f"in {answered - opened:.2f} s, connected in {opened - began:.2f} s"
    result(f"    answered {' '.join(completion.text.split())!r} {times}")
    tokens = f"{usage.prompt_tokens} tokens sent, {usage.completion_tokens} written"
    result(f"    model {completion.model or 'unnamed'}, {tokens}, {cost}")
    result(f"    able to do: {', '.join(sorted(backend.supports())) or 'text only'}")
    return True


def _failed(label: str, why: str) -> bool:
    result(join(f"{label}: ", styled("failed", fg="red"), f": {why}"))
    return False

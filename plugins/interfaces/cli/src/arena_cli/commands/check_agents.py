"""The command ``arena check-agents``: sends one short request to each model of a benchmark."""

import asyncio
import time
from typing import Final

import attrs
import click
from arena.backend import Backend, CompletionRequest, Message, Sampling
from arena.errors import ArenaError, BackendError
from arena_engine import backends_of, load_benchmark
from arena_engine.execution import check_secrets
from arena_engine.foundation import Redactor
from arena_engine.models import completed, connected

from arena_cli.application.group import FAILED, Command
from arena_cli.application.options import catalog_of, trust_options
from arena_cli.output import join, result, styled
from arena_cli.running.sent_keys import agree_to_typed, send_key_option, tell_keys

_MESSAGES: Final = (Message.of("user", "Answer with the single word: ready"),)
_TOKENS: Final = 16


@attrs.frozen(kw_only=True)
class ModelAnswer:
    """What a model answered to one short request, and how fast; ``cost_usd`` is ``None`` without a price.

    ``able`` are the capabilities of its backend.
    """

    seconds: float
    connected_s: float
    answer: str
    model: str
    cost_usd: float | None
    prompt_tokens: int
    completion_tokens: int
    able: tuple[str, ...]


async def asked_once(backend: Backend) -> ModelAnswer:
    """The answer to one short request, which is paid for where it costs.

    ``ArenaError`` says why there is none, in the provider's words without the key.
    """
    connection = None
    try:
        began = time.monotonic()
        connection = await connected(backend)
        opened = time.monotonic()
        sampling = backend.with_defaults(Sampling(max_tokens=_TOKENS))
        async with asyncio.timeout(backend.request_timeout_s):
            completion = await completed(backend, connection, CompletionRequest(messages=_MESSAGES, sampling=sampling))
        answered = time.monotonic()
    except TimeoutError:
        raise BackendError(f"no answer within {backend.request_timeout_s:g} s") from None
    except BackendError as error:
        raise Redactor.of((backend,)).error(error) from None
    finally:
        if connection is not None:
            await connection.close()
    return ModelAnswer(
        seconds=answered - opened,
        connected_s=opened - began,
        answer=" ".join(completion.text.split()),
        model=completion.model,
        cost_usd=completion.cost_usd,
        prompt_tokens=completion.usage.prompt_tokens,
        completion_tokens=completion.usage.completion_tokens,
        able=tuple(sorted(backend.supports())),
    )


@click.command(cls=Command, name="check-agents")
@click.argument("file", metavar="FILE | suite:NAME")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Replace one value of the file.")
@click.option("--agents", "agents_file", metavar="FILE", help="Check the agents of this file instead.")
@send_key_option
@trust_options
@click.pass_context
def check_agents(ctx: click.Context, file: str, overrides: tuple[str, ...], agents_file: str | None) -> None:
    """Ask each backend of a benchmark for one short completion.

    Before a night is spent: is every model there, is the key right, how fast does it answer? Each different backend is
    asked once, judges of metrics included, and paid for where it costs. Nothing is written. Exits with 1 if any fails.
    """
    catalog = catalog_of(ctx)
    benchmark = load_benchmark(file, overrides=overrides, agents_file=agents_file, catalog=catalog)
    agree_to_typed(ctx, benchmark, overrides=overrides)
    check_secrets(benchmark)
    tell_keys(benchmark)
    found = list(backends_of(benchmark))
    if not found:
        result("no agent or metric asks a model")
    results = [asyncio.run(_check(path, backend)) for path, backend in found]
    if not all(results):
        ctx.exit(FAILED)


async def _check(path: str, backend: Backend) -> bool:
    label = f"{path} ({type(backend).__name__})"
    try:
        found = await asked_once(backend)
    except ArenaError as error:
        return _failed(label, str(error))
    cost = "no price" if found.cost_usd is None else f"${found.cost_usd:.6f}"
    result(join(f"{label}: ", styled("ok", fg="green")))
    times = f"in {found.seconds:.2f} s, connected in {found.connected_s:.2f} s"
    result(f"    answered {found.answer!r} {times}")
    tokens = f"{found.prompt_tokens} tokens sent, {found.completion_tokens} written"
    result(f"    model {found.model or 'unnamed'}, {tokens}, {cost}")
    result(f"    able to do: {', '.join(found.able) or 'text only'}")
    return True


def _failed(label: str, why: str) -> bool:
    result(join(f"{label}: ", styled("failed", fg="red"), f": {why}"))
    return False

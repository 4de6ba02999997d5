"""Asks a backend for one short completion, and measures it."""

import asyncio
import time
from typing import Final

import attrs
from arena.backend import Backend, CompletionRequest, Message, Sampling
from arena.errors import BackendError
from arena_engine.foundation.redaction import Redactor
from arena_engine.models.asking import completed, connected

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

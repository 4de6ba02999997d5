"""Prove that a backend keeps its contract."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import get_args

import attrs
from arena.backend import (
    IMAGES,
    LOGPROBS,
    SCHEMA,
    SEED,
    TOOLS,
    Backend,
    Completion,
    CompletionRequest,
    Connection,
    Finish,
    Message,
    Sampling,
    Tool,
)
from arena.errors import ArenaError, BackendError, BackendUnavailable, ConfigError, TransientBackendError
from arena.game import Image
from arena.record import JSON
from arena_engine import backend_key
from arena_engine.foundation import json_fault

from arena_testing.foundation.conformance import ConformanceError
from arena_testing.foundation.schemas import IS_INSTALLED, Schemas, not_installed

_REASONS = get_args(Finish)
_TRIES = 3
"""A model that draws its words may end of itself where it would have been cut off, but not again and again."""
_SCHEMA: JSON = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a4944415478da6360000000"
    "020001e527defc0000000049454e44ae426082"
)


@attrs.frozen(kw_only=True)
class BackendReport:
    """What was asked of a backend, and the tokens used; ``untested`` says what could not be checked, and why."""

    backend: str
    capabilities: tuple[str, ...]
    completions: int
    prompt_tokens: int
    completion_tokens: int
    untested: tuple[str, ...] = ()


def check_backend(backend: Backend, *, prompt: str = "Count from one to one hundred, in words.") -> BackendReport:
    """Request about fifteen short completions and check them; with a real model this costs money.

    ``prompt`` should have an answer of more than four tokens. Checked: texts, usage and finish reasons, ``max_tokens``,
    every capability that it claims, images rejected if it does not claim them, concurrent requests, a cancelled
    request, closing and connecting again. ``ConformanceError`` says what was found.

    Not to be called inside a running event loop.
    """
    return asyncio.run(_check(backend, prompt))


async def _check(backend: Backend, prompt: str) -> BackendReport:
    _check_value(backend)
    caller = _Caller(backend, await _connected(backend), prompt)
    try:
        for check in (_check_answer, _check_limit, _check_together, _check_cancelled, _check_images):
            await check(caller)
        for capability, check in _CLAIMS.items():
            if capability in backend.supports():
                await check(caller)
    finally:
        await caller.connection.close()
    caller.connection = await _connected(backend)
    await caller.ask("after it was closed and connected again")
    await caller.connection.close()
    is_unchecked = SCHEMA in backend.supports() and not IS_INSTALLED
    return BackendReport(
        backend=repr(backend),
        capabilities=tuple(sorted(backend.supports())),
        completions=len(caller.answers),
        prompt_tokens=sum(answer.usage.prompt_tokens for answer in caller.answers),
        completion_tokens=sum(answer.usage.completion_tokens for answer in caller.answers),
        untested=(f"schemas: {not_installed()}",) if is_unchecked else (),
    )


@attrs.define(eq=False)
class _Caller:
    backend: Backend
    connection: Connection
    prompt: str
    answers: list[Completion] = attrs.field(factory=list[Completion])

    async def ask(self, when: str, *parts: Image, max_tokens: int = 32, **more: object) -> Completion:
        """Request one completion and check it; ``when`` ends the message of a fault."""
        sampling = {name: more.pop(name) for name in ("seed", "temperature", "logprobs") if name in more}
        asked = Sampling(**{"max_tokens": max_tokens, **sampling})  # type: ignore[arg-type]
        request = CompletionRequest(
            messages=(Message.of("user", self.prompt, *parts),),
            sampling=self.backend.with_defaults(asked),
            **more,  # type: ignore[arg-type]
        )
        answer = await self.connection.complete(request)
        if fault := _fault(answer):
            raise ConformanceError("completion", f"{fault} {when}")
        if answer.usage.completion_tokens > max_tokens:
            what = f"{answer.usage.completion_tokens} tokens were written {when}, with max_tokens at {max_tokens}"
            raise ConformanceError("max_tokens", what)
        self.answers.append(answer)
        return answer


async def _connected(backend: Backend) -> Connection:
    try:
        return await backend.connect()
    except ArenaError:
        raise
    except Exception as error:
        what = f"connect raises {type(error).__name__}: {error}; expected BackendError or ConfigError"
        raise ConformanceError("connect", what) from error


def _check_value(backend: Backend) -> None:
    shown = f"{backend!r} {backend_key(backend)}"
    for secret in backend.secrets():
        try:
            value = secret.reveal()
        except ConfigError:
            continue
        if value and value in shown:
            raise ConformanceError("secrets", f"the value of {secret} can be read in the backend's repr or identity")
    unknown = backend.supports() - {IMAGES, TOOLS, SCHEMA, SEED, LOGPROBS, "batch", "offline"}
    if unknown:
        raise ConformanceError("capabilities", f"{sorted(unknown)[0]!r} is no known capability")


async def _check_answer(caller: _Caller) -> None:
    answer = await caller.ask("to a plain question")
    if answer.text and not (answer.usage.prompt_tokens and answer.usage.completion_tokens):
        raise ConformanceError("usage", f"{answer.usage!r} was counted for an answer of {len(answer.text)} characters")


async def _check_limit(caller: _Caller) -> None:
    answer = caller.answers[0]
    longer = answer.usage.completion_tokens
    for _ in range(_TRIES):
        answer = await caller.ask("when it was cut off", max_tokens=3)
        if not answer.usage.completion_tokens == 3 < longer or answer.finish_reason == "length":
            return
    what = f"the finish reason of an answer that reached max_tokens is {answer.finish_reason!r}, not 'length'"
    raise ConformanceError("max_tokens", what)


async def _check_together(caller: _Caller) -> None:
    await asyncio.gather(*(caller.ask(f"to question {number} of four at once") for number in range(1, 5)))


async def _check_cancelled(caller: _Caller) -> None:
    task = asyncio.ensure_future(caller.ask("to a question that was cancelled"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, BackendError):
        raise ConformanceError("cancel", f"a cancelled request ends in {type(error).__name__}: {error}") from error
    await caller.ask("after a request was cancelled")


async def _check_images(caller: _Caller) -> None:
    dot = Image("image/png", _DOT, "a black dot")
    if IMAGES in caller.backend.supports():
        await caller.ask("to a picture", dot)
        return
    try:
        await caller.ask("to a picture", dot)
    except (TransientBackendError, BackendUnavailable) as error:
        what = f"a picture that cannot be shown ends in {type(error).__name__}: {error}; expected RequestRejected"
        raise ConformanceError("images", what) from error
    except (BackendError, ConfigError):
        return
    except ConformanceError:
        raise
    except Exception as error:
        what = f"a picture that cannot be shown ends in {type(error).__name__}: {error}; expected RequestRejected"
        raise ConformanceError("images", what) from error
    raise ConformanceError("images", "a picture is taken without a word, and the capability 'images' is not claimed")


async def _check_schema(caller: _Caller) -> None:
    answer = await caller.ask("that should fit a schema", schema=_SCHEMA, max_tokens=64)
    try:
        value = json.loads(answer.text)
    except ValueError:
        raise ConformanceError("schema", f"{answer.text!r} is not the JSON that was asked for") from None
    if misfit := Schemas().misfit(_SCHEMA, value):
        raise ConformanceError("schema", f"{answer.text!r} does not fit the schema: {misfit}")


async def _check_seed(caller: _Caller) -> None:
    texts = [(await caller.ask("with a seed", seed=7, temperature=1.0)).text for _ in range(2)]
    if texts[0] != texts[1]:
        raise ConformanceError("seed", f"the same seed gives {texts[0]!r} and {texts[1]!r}")


async def _check_tools(caller: _Caller) -> None:
    tool = Tool("answer", "give the answer", _SCHEMA)
    answer = await caller.ask("with a tool", tools=(tool,), max_tokens=64)
    if unknown := [call.name for call in answer.tool_calls if call.name != tool.name]:
        raise ConformanceError("tools", f"the tool {unknown[0]!r} is called, which was not offered")


async def _check_logprobs(caller: _Caller) -> None:
    answer = await caller.ask("with log probabilities", logprobs=2)
    if answer.logprobs is None:
        raise ConformanceError("logprobs", "log probabilities were asked for and are not there")


_CLAIMS: dict[str, Callable[[_Caller], Awaitable[None]]] = {
    SCHEMA: _check_schema,
    SEED: _check_seed,
    TOOLS: _check_tools,
    LOGPROBS: _check_logprobs,
}


def _fault(answer: object) -> str | None:
    if not isinstance(answer, Completion):
        return f"{answer!r} came, not a Completion,"
    if answer.finish_reason not in _REASONS:
        return f"the finish reason is {answer.finish_reason!r}, not one of {', '.join(_REASONS)},"
    if fault := json_fault(answer.text, "the text") or json_fault(answer.logprobs, "logprobs"):
        return fault
    counted = [count for count in attrs.astuple(answer.usage) if count is not None]
    if any(type(n) is not int or n < 0 for n in counted):
        return f"{answer.usage!r} was counted"
    if answer.cost_usd is not None and not answer.cost_usd >= 0:
        return f"the cost is {answer.cost_usd!r}"
    return None

"""Tries what a model can do with a few short requests, and says beforehand what they may cost."""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, Final, Protocol, runtime_checkable

import attrs
from arena.backend import (
    OFFLINE,
    SCHEMA,
    SEED,
    TOOLS,
    Backend,
    Completion,
    CompletionRequest,
    Connection,
    Message,
    Price,
    Sampling,
    Tool,
)
from arena.errors import ArenaError, BackendError
from arena.record import JSON
from arena_engine.foundation import Redactor
from arena_engine.models import completed, connected, is_batched

ASSUMED: Final = Price(5e-6, 25e-6)
"""What a token is taken to cost where nobody knows it; the dearest models are in LiteLLM's list, and so known."""

_READY: Final = (Message.of("system", "You are tried out."), Message.of("user", "Answer with the single word: ready"))
_FORM: Final[dict[str, JSON]] = {
    "type": "object",
    "properties": {"word": {"enum": ["ready"]}, "count": {"type": "integer", "minimum": 1, "maximum": 1}},
    "required": ["word", "count"],
    "additionalProperties": False,
}
_SHORT: Final = 16
_FORMED: Final = 64
_TOO_LONG_WORDS: Final = 300_000


@runtime_checkable
class LearnsCompat(Protocol):
    """A connection that knows what its server takes only otherwise."""

    def learned(self) -> Mapping[str, JSON]:
        """What the backend's ``compat`` would have to say so that the server refuses nothing again."""
        ...


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


@attrs.frozen(kw_only=True)
class Trial:
    """One request, and what it is to find out; ``ability`` is what the backend must be able to do for it."""

    name: str
    request: CompletionRequest
    ability: str = ""

    def most_usd(self, price: Price) -> float:
        """The most that it costs, with every character taken for half a token."""
        sent = sum(len(message.text) for message in self.request.messages)
        sent += len(json.dumps(_FORM)) if self.ability else 0
        return (sent / 2 + 50) * price.prompt_usd + (self.request.sampling.max_tokens or 0) * price.completion_usd


@attrs.frozen(kw_only=True)
class TrialResult:
    """What one trial has found: whether it went as it should, and a few words about it."""

    name: str
    is_fine: bool
    said: str


@attrs.frozen(kw_only=True)
class TrialResults:
    """The short answer of a model, what the other trials found, what its server taught, and what all of it cost."""

    answer: ModelAnswer
    found: tuple[TrialResult, ...]
    learned: Mapping[str, JSON]
    cost_usd: float | None


def _trial(name: str, text: str, most: int, ability: str = "", **more: Any) -> Trial:
    request = CompletionRequest(messages=(Message.of("user", text),), sampling=Sampling(max_tokens=most), **more)
    return Trial(name=name, request=request, ability=ability)


_SHORT_CALL: Final = Trial(
    name="answers", request=CompletionRequest(messages=_READY, sampling=Sampling(max_tokens=_SHORT))
)
_OTHERS: Final = (
    _trial("JSON schema", 'Answer in JSON with the word "ready" and the count 1.', _FORMED, SCHEMA, schema=_FORM),
    _trial("tool call", "Call the tool with the word ready and the count 1.", _FORMED, TOOLS,
           tools=(Tool("say", "Says a word.", _FORM),)),
    _trial("long answer", "Count from 1 to 200, separated by commas.", _SHORT),
)  # fmt: skip
_TOO_LONG: Final = _trial("long prompt", "word " * _TOO_LONG_WORDS, 1)


def trials(backend: Backend) -> tuple[Trial, ...]:
    """The requests by which a backend is tried; the prompt that is too long only where it is known to cost nothing."""
    asked = _tried(backend)
    price, able = asked.price(), asked.supports()
    fitting = [trial for trial in _OTHERS if not trial.ability or trial.ability in able]
    is_free = price is not None and not price.prompt_usd and not price.completion_usd
    return (_SHORT_CALL, *fitting, *((_TOO_LONG,) if is_free else ()))


def most_usd(backend: Backend) -> float:
    """The most that all trials of a backend cost, alone and in no batch; by ``ASSUMED`` if nobody knows its price."""
    price = _tried(backend).price() or ASSUMED
    return sum(trial.most_usd(price) for trial in trials(backend))


async def asked_once(backend: Backend) -> ModelAnswer:
    """The answer to one short request, which is paid for where it costs.

    ``ArenaError`` says why there is none, in the provider's words without the key.
    """
    backend = _alone(backend)
    connection, seconds = await _opened(backend)
    try:
        return (await _short(backend, connection, seconds))[0]
    finally:
        await connection.close()


async def tried(backend: Backend) -> TrialResults:
    """All that the trials find; errors as in ``asked_once`` if not even the short request is answered."""
    asked = _tried(backend)
    connection, seconds = await _opened(asked)
    try:
        answer, first = await _short(asked, connection, seconds)
        findings, costs = [_usage(first)], [first.cost_usd]
        for trial in trials(backend)[1:]:
            finding, completion = await _found(asked, connection, trial)
            findings.append(_beside(finding, trial, backend))
            if completion is not None and completion.finish_reason != "context-length":
                costs.append(completion.cost_usd)
        nothing: Mapping[str, JSON] = {}
        learned = connection.learned() if isinstance(connection, LearnsCompat) else nothing
    finally:
        await connection.close()
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    answer = attrs.evolve(answer, able=tuple(sorted(backend.supports())))
    return TrialResults(answer=answer, found=tuple(findings), learned=learned, cost_usd=cost)


def _tried(backend: Backend) -> Backend:
    """The backend, said to call tools where its ``can`` may say so, whether it does is to be found out; and at once."""
    backend = _alone(backend)
    able = backend.supports()
    if TOOLS in able or OFFLINE in able or "can" not in {field.name for field in attrs.fields(type(backend))}:
        return backend
    return attrs.evolve(backend, can=(*sorted(able), TOOLS))  # pyright: ignore[reportCallIssue]  # it has the field


def _alone(backend: Backend) -> Backend:
    """The backend as it sends single requests, at their price."""
    if not is_batched(backend):
        return backend
    own = [each for each in attrs.fields(type(backend)) if each.name.startswith("batch_")]
    return attrs.evolve(backend, batch=False, **{each.name: each.default for each in own})  # pyright: ignore[reportCallIssue]


async def _opened(backend: Backend) -> tuple[Connection, float]:
    began = time.monotonic()
    try:
        return await connected(backend), time.monotonic() - began
    except BackendError as error:
        raise Redactor.of((backend,)).error(error) from None


async def _completed(backend: Backend, connection: Connection, trial: Trial) -> Completion:
    asked = attrs.evolve(trial.request.sampling, seed=1 if SEED in backend.supports() else None)
    request = attrs.evolve(trial.request, sampling=backend.with_defaults(asked))
    try:
        async with asyncio.timeout(backend.request_timeout_s):
            return await completed(backend, connection, request)
    except TimeoutError:
        raise BackendError(f"no answer within {backend.request_timeout_s:g} s") from None
    except BackendError as error:
        raise Redactor.of((backend,)).error(error) from None


async def _short(backend: Backend, connection: Connection, seconds: float) -> tuple[ModelAnswer, Completion]:
    began = time.monotonic()
    completion = await _completed(backend, connection, _SHORT_CALL)
    answer = ModelAnswer(
        seconds=time.monotonic() - began,
        connected_s=seconds,
        answer=" ".join(completion.text.split()),
        model=completion.model,
        cost_usd=completion.cost_usd,
        prompt_tokens=completion.usage.prompt_tokens,
        completion_tokens=completion.usage.completion_tokens,
        able=tuple(sorted(backend.supports())),
    )
    return answer, completion


async def _found(backend: Backend, connection: Connection, trial: Trial) -> tuple[TrialResult, Completion | None]:
    try:
        completion = await _completed(backend, connection, trial)
    except ArenaError as error:
        return TrialResult(name=trial.name, is_fine=False, said=str(error)), None
    is_fine, said = _judged(trial, completion)
    return TrialResult(name=trial.name, is_fine=is_fine, said=said), completion


def _judged(trial: Trial, completion: Completion) -> tuple[bool, str]:
    if trial is _TOO_LONG:
        is_told = completion.finish_reason == "context-length"
        return is_told, "is refused as too long" if is_told else "is answered: not so long, or cut off unsaid"
    if trial.ability == TOOLS:
        fits = any(_fits(call.arguments) for call in completion.tool_calls)
        return fits, "is called" if fits else "is not called as asked"
    if trial.ability == SCHEMA:
        fits = _fits(completion.text)
        return fits, "is kept" if fits else f"is not kept: {completion.text[:40]!r}"
    is_told = completion.finish_reason == "length"
    return is_told, "is said to be cut off" if is_told else f"ends with {completion.finish_reason!r}, not with 'length'"


def _fits(text: str) -> bool:
    try:
        return json.loads(text) == {"word": "ready", "count": 1}
    except (ValueError, RecursionError):
        return False


def _usage(completion: Completion) -> TrialResult:
    used = completion.usage
    is_told = used.prompt_tokens > 0 and used.completion_tokens > 0
    said = f"{used.prompt_tokens} tokens sent, {used.completion_tokens} written"
    return TrialResult(name="usage", is_fine=is_told, said=said if is_told else "is not told; Arena estimates it")


def _beside(finding: TrialResult, trial: Trial, backend: Backend) -> TrialResult:
    """The finding, with what to write where the model can do more than its backend is said to."""
    if not finding.is_fine or not trial.ability or trial.ability in backend.supports():
        return finding
    able = ", ".join(sorted({*backend.supports(), trial.ability}))
    return attrs.evolve(finding, said=f"{finding.said}; to use it: can: [{able}]")

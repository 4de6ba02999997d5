"""Answers requests by rules, from lists or with legal values, with latency and faults."""

import asyncio
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

import attrs
from arena.backend import Completion, CompletionRequest, Connection, ToolCall, Usage
from arena.errors import RequestRejected
from arena_engine import request_hash, request_text

from arena_backend_scripted.fault import Fault, error_of, spoil
from arena_backend_scripted.legal import instance
from arena_backend_scripted.rule import Rule

if TYPE_CHECKING:
    from arena_backend_scripted.backend import Scripted

NOTHING_TO_PICK = "No schema and no tools were given, so there is nothing to pick from."
"""The answer if a legal one is wanted but the request has neither a schema nor tools."""

_encode = json.JSONEncoder(ensure_ascii=False).encode
_ANSWERED = "answered"


class ReplyScript(Connection):
    """A script being played. Calls are counted from 1; raises ``OSError`` if the log cannot be opened."""

    def __init__(self, backend: "Scripted", *, rules: Sequence[Rule], answers: Sequence[str]) -> None:
        self._backend = backend
        self._rules = [(re.compile(rule.when, re.DOTALL), rule.say) for rule in rules]
        self._answers = answers
        self._salt = backend.seed.to_bytes(16, "big", signed=True)
        self._draws_faults = any(fault.share for fault in backend.faults)
        self._calls = 0
        self._asked: Counter[bytes] = Counter()
        # A single appending write keeps lines whole when several processes log, and survives a crash of this one.
        append = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        self._log = None if backend.log is None else os.open(backend.log, append, 0o644)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer a request, or fail as one of the script's faults says."""
        backend = self._backend
        self._calls += 1
        number = self._calls
        key = self._key(request)
        fault = self._fault(number, key) if backend.faults else None
        if self._log is not None:
            outcome = fault.kind if fault else _ANSWERED
            os.write(self._log, f"{request_hash(request_text(backend, request))} {outcome}\n".encode())
        if fault and fault.kind == "hang":
            await asyncio.Event().wait()
        if backend.latency_s or backend.jitter_s:
            await asyncio.sleep(backend.latency_s + backend.jitter_s * _unit(key))
        if fault and (error := error_of(fault, backend.api_key)):
            raise error
        completion = self._completion(request, number, key)
        return completion if fault is None else self._counted(request, spoil(fault.kind, completion))

    async def close(self) -> None:
        if self._log is not None:
            os.close(self._log)
            self._log = None

    def _completion(self, request: CompletionRequest, number: int, key: bytes) -> Completion:
        text = self._said(request)
        if text is None and self._answers:
            text = self._answers[(number - 1) % len(self._answers)]
        if text is not None:
            return self._counted(request, _limited(text, request.sampling.max_tokens))
        return self._counted(request, _legal(request, key))

    def _said(self, request: CompletionRequest) -> str | None:
        if not self._rules:
            return None
        last = next((message.text for message in reversed(request.messages) if message.role == "user"), "")
        return next((say for when, say in self._rules if when.search(last)), None)

    def _counted(self, request: CompletionRequest, completion: Completion) -> Completion:
        backend = self._backend
        asked = sum([_words(message.text) for message in request.messages])
        written = len(completion.text.split()) + sum(len(call.arguments.split()) for call in completion.tool_calls)
        return attrs.evolve(
            completion,
            usage=Usage(prompt_tokens=asked, completion_tokens=written, cached_tokens=0, reasoning_tokens=0),
            cost_usd=(asked + written) * backend.price_usd_per_1k_tokens / 1000,
            model=backend.model,
        )

    def _fault(self, number: int, key: bytes) -> Fault | None:
        faults = self._backend.faults
        for fault in faults:
            if number in fault.calls:
                return fault
        if self._draws_faults:
            self._asked[key] += 1
            drawn = _unit(key, b"fault", self._asked[key].to_bytes(4, "big"))
            for fault in faults:
                if fault.share:
                    drawn -= fault.share
                    if drawn < 0:
                        return fault
        return None

    def _key(self, request: CompletionRequest) -> bytes:
        """The key of random draws: the request's content and the seed, but not the time or order of the call."""
        found = blake2b(self._salt, digest_size=16)
        for message in request.messages:
            found.update(message.role.encode())
            for part in message.parts:
                content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part.data
                found.update(len(content).to_bytes(8, "big"))
                found.update(content)
        tools = [(tool.name, tool.schema) for tool in request.tools]
        found.update(_encode([request.schema, tools, request.sampling.seed, request.sampling.temperature]).encode())
        return found.digest()


@lru_cache(maxsize=128)  # most of a prompt is the same in all of a match
def _words(text: str) -> int:
    return len(text.split())


def _limited(text: str, most: int | None) -> Completion:
    """The text, cut after as many words as tokens are allowed."""
    if most is None or len(text) < most or len(text.split()) <= most:
        return Completion(text=text)
    last = next(itertools.islice(re.finditer(r"\S+", text), most - 1, None))
    return Completion(text=text[: last.end()], finish_reason="length")


def _legal(request: CompletionRequest, key: bytes) -> Completion:
    rng = Random(key)
    try:
        if request.schema is not None:
            return Completion(text=_encode(instance(request.schema, rng)))
        if request.tools:
            tool = rng.choice(request.tools)
            call = ToolCall(f"call-{key.hex()[:8]}", tool.name, _encode(instance(tool.schema, rng)))
            return Completion(text="", tool_calls=(call,), finish_reason="tool-calls")
    except ValueError as error:
        raise RequestRejected(f"no legal answer can be drawn: {error}; write rules or answers") from error
    return _limited(NOTHING_TO_PICK, request.sampling.max_tokens)


def _unit(key: bytes, *more: bytes) -> float:
    """A number in [0, 1) that is determined by ``key``."""
    return int.from_bytes(blake2b(key + b"".join(more), digest_size=7).digest(), "big") / 2**56

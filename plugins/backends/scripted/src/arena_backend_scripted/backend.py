"""A backend that answers by rules, from lists or with legal values, with latency and faults."""

import asyncio
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import attrs
from arena.backend import (
    BATCH,
    IMAGES,
    OFFLINE,
    SCHEMA,
    SEED,
    TOOLS,
    Backend,
    Completion,
    CompletionRequest,
    Connection,
    Price,
    Secret,
    ToolCall,
    Usage,
)
from arena.errors import BackendUnavailable, ConfigError, RequestRejected
from arena_engine import request_hash, request_text
from attrs.validators import ge, optional

from arena_backend_scripted.fault import Fault, check_shares, error_of, spoil
from arena_backend_scripted.legal import instance
from arena_backend_scripted.rule import Rule, read_script

NOTHING_TO_PICK = "No schema and no tools were given, so there is nothing to pick from."
"""The answer if a legal one is wanted but the request has neither a schema nor tools."""

_encode = json.JSONEncoder(ensure_ascii=False).encode
_ANSWERED = "answered"


class ReplyScript(Connection):
    """A script being played. Calls are counted from 1; raises ``OSError`` if the log cannot be opened."""

    def __init__(self, backend: "Scripted", *, rules: Sequence[Rule], answers: Sequence[str]) -> None:
        self._backend = backend
        self._rules = rules
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
        return next((rule.say for rule in self._rules if rule.matches(last)), None)

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


def _check_file(_owner: object, _field: object, file: Path) -> None:
    try:
        read_script(file)
    except ConfigError as error:
        raise ValueError(str(error)) from None


def _check_faults(owner: Any, _field: object, faults: tuple[Fault, ...]) -> None:
    check_shares(faults)
    if any(fault.kind == "leak" for fault in faults) and owner.api_key is None:
        raise ValueError("a fault of kind 'leak' needs an api-key to leak")


@attrs.frozen(kw_only=True)
class Scripted(Backend):
    """Answers without a model.

    The first rule whose ``when`` is found in the last message of the user answers. What no rule answers is answered by
    ``answers`` in the order of the calls, again and again; and where there are none, legally: by something drawn from
    the request's schema or tools. Rules and legal answers depend on the request and ``seed`` alone, so a run that was
    interrupted goes on as it would have; ``answers`` depend on the order of the calls, which concurrent matches change.
    Tokens are counted as words.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, SEED, TOOLS, IMAGES, BATCH, OFFLINE})

    answers: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "texts, one for each call, then from the start"}
    )
    rules: tuple[Rule, ...] = attrs.field(
        default=(), metadata={"help": "a list of {when: REGULAR EXPRESSION, say: TEXT}"}
    )
    file: Path | None = attrs.field(
        default=None,
        validator=optional(_check_file),
        metadata={
            "help": "more rules and answers, behind those above: a YAML, JSON or JSON Lines file",
            "file_use": "sent",
        },
    )
    model: str = attrs.field(default="scripted", metadata={"help": "the model's name that is reported"})
    seed: int = attrs.field(default=0, metadata={"help": "changes what legal answers, faults and jitter are drawn"})
    latency_s: float = attrs.field(default=0.0, validator=ge(0), metadata={"help": "seconds until an answer comes"})
    jitter_s: float = attrs.field(
        default=0.0, validator=ge(0), metadata={"help": "up to so many seconds more, by the request"}
    )
    price_usd_per_1k_tokens: float = attrs.field(
        default=0.0, validator=ge(0), metadata={"help": "what a thousand words cost, asked or answered"}
    )
    api_key: Secret | None = attrs.field(
        default=None, metadata={"help": "a secret for faults of kind 'leak' to give away"}
    )
    faults: tuple[Fault, ...] = attrs.field(
        default=(),
        validator=_check_faults,
        metadata={"help": "a list of {kind: KIND, share: 0.1} or {kind: KIND, calls: [3, 7]}, with retry-after-s"},
    )
    log: Path | None = attrs.field(
        default=None,
        metadata={
            "help": "file that gets a line for each call: the request's hash and what came of it",
            "file_use": "written",
        },
    )
    concurrency: int = attrs.field(default=10_000, validator=ge(1), metadata={"help": "requests in flight at once"})

    def supports(self) -> frozenset[str]:
        """All capabilities; schema and tools only if no texts are given, which are returned as they are."""
        is_given = self.answers or self.rules or self.file
        return self.capabilities - {SCHEMA, TOOLS} if is_given else self.capabilities

    def own_keys(self) -> Mapping[str, str]:
        """None: no provider is asked."""
        return {}

    def keys_sent(self) -> Iterable[tuple[str, str]]:
        """None: what a fault of kind 'leak' gives away stays in this process."""
        return ()

    def price(self) -> Price:
        """The price per token, where a token is a word."""
        each_usd = self.price_usd_per_1k_tokens / 1000
        return Price(each_usd, each_usd)

    async def connect(self) -> Connection:
        """Read the file and open the log; raises ``ConfigError`` or ``BackendUnavailable`` if that fails."""
        script = await asyncio.to_thread(read_script, self.file) if self.file else None
        try:
            return ReplyScript(
                self,
                rules=self.rules + (script.rules if script else ()),
                answers=self.answers + (script.answers if script else ()),
            )
        except OSError as error:
            raise BackendUnavailable(
                f"log {str(self.log)!r} cannot be written: {error.strerror}; choose another"
            ) from error

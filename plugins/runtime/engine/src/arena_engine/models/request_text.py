"""Converts requests and completions to JSON texts, which the journal stores and request hashes are computed from."""

import json
import math
from base64 import b64encode
from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, cast

import attrs
from arena.backend import Backend, Completion, CompletionRequest, Message, Part, Sampling, Secret, ToolCall, Usage
from arena.record import JSON, canonical_json, encoder

from arena_engine.foundation.json_values import escaped, escaped_json

OPERATIONAL = frozenset(
    {
        *("concurrency", "adaptive_concurrency", "max_attempts", "request_timeout_s", "max_retry_wait_s"),
        *("requests_per_minute", "tokens_per_minute", "max_answer_mb", "ca_file", "cache_prompt", "stream"),
        *("batch", "batch_collect_s", "batch_poll_s"),
    }
)
"""Fields of a backend that change how requests are sent, but not how they are answered."""

_SAMPLING = tuple(field.name for field in attrs.fields(Sampling))
_NOT_ASKED: Final[tuple[object, ...]] = (None, (), {})

_TEXT: Final = frozenset({str})
_encode = encoder()

LONGEST_KEPT: Final = 20_000
"""Longer texts, and pictures, are written and hashed anew in each request rather than kept."""

_identities: dict[int, tuple[Backend, str]] = {}  # by id: a backend's parameters need not be hashable


def backend_key(backend: Backend) -> str:
    """A key that is equal for backends that give the same answers: their class and fields as canonical JSON.

    Concurrency, rate limits and retry settings do not matter; secrets appear by name only.
    """
    if known := _identities.get(id(backend)):
        return known[1]
    fields = attrs.asdict(backend, value_serializer=_plain)
    kept = {name: value for name, value in fields.items() if name not in OPERATIONAL}
    text = canonical_json({"class": type(backend).__name__, **json.loads(json.dumps(kept, default=str))})
    _identities[id(backend)] = backend, text
    return text


def request_text(backend: Backend, request: CompletionRequest) -> str:
    """A request as JSON: backend, messages, sampling, schema, tools and parts. Its sampling is complete."""
    return "".join(_beginning_and_rest(backend, request))


def hashed_request_text(backend: Backend, request: CompletionRequest) -> tuple[str, str]:
    """A request as ``request_text`` returns it, and its ``request_hash``."""
    beginning, rest = _beginning_and_rest(backend, request)
    hashed = _hashed(beginning).copy() if len(beginning) <= LONGEST_KEPT else _begun_hash(beginning)
    hashed.update(rest.encode())
    return beginning + rest, hashed.hexdigest()


def _beginning_and_rest(backend: Backend, request: CompletionRequest) -> tuple[str, str]:
    """The text of a request: what stands at the beginning of all requests of a match, and what follows it."""
    earlier, last, sampling = request.messages[:-1], request.messages[-1:], request.sampling
    body = {
        "sampling": {name: each for name in _SAMPLING if (each := getattr(sampling, name)) not in _NOT_ASKED},
        "schema": request.schema,
        "tools": [attrs.asdict(tool) for tool in request.tools],
        "parts": dict(request.parts),
    }
    rest = f"{''.join([_encode(_message(each)) for each in last])}],{_encode(body)[1:]}"
    texts = [f"{_earlier_text(message)}," for message in earlier]
    beginning = f'{{"backend":{backend_key(backend)},"messages":[{"".join(texts[:1])}'
    return beginning, "".join(texts[1:]) + rest


def _earlier_text(message: Message) -> str:
    """The text of a message behind which others stand, so that it is sent again and again."""
    if _TEXT.issuperset(map(type, message.parts)) and len(message.text) <= LONGEST_KEPT:
        try:
            return _kept_text(message)
        except TypeError:  # lists instead of tuples have no hash
            pass
    return _encode(_message(message))


@lru_cache(maxsize=512)
def _kept_text(message: Message) -> str:
    return _encode(_message(message))


@lru_cache(maxsize=128)
def _hashed(beginning: str) -> Any:
    return _begun_hash(beginning)


def _begun_hash(beginning: str) -> Any:
    return blake2b(beginning.encode(), digest_size=16)


def request_hash(text: str) -> str:
    """The hash of what ``request_text`` returned, as 32 hexadecimal digits."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


_TEXTS: Final = ("text", "finish_word", "reasoning", "model", "received")
_MAY_LACK: Final = (
    *("finish_word", "reasoning", "cost_usd", "model", "fingerprint", "logprobs", "received", "first_token_s"),
)


def completion_text(completion: Completion) -> str:
    """A completion as JSON, without fields that are empty; ``completion_from_text`` reads it."""
    usage = completion.usage
    value: dict[str, JSON] = {"text": completion.text, "finish_reason": completion.finish_reason}
    value["usage"] = [usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, usage.reasoning_tokens]
    if usage.difference:
        value["difference"] = usage.difference
    for name in _MAY_LACK:
        if (found := getattr(completion, name)) not in (None, ""):
            value[name] = found
    if completion.tool_calls:
        value["tool_calls"] = [[call.id, call.name, call.arguments] for call in completion.tool_calls]
    if completion.sent_as:
        value["sent_as"] = list(completion.sent_as)
    return _encode(value)


def escaped_completion(completion: Completion) -> Completion:
    """The same completion with every text made safe to store; ``arena_engine.unescaped`` gives texts back."""
    if completion.logprobs is None and not completion.tool_calls:
        plain = f"{completion.text}\n{completion.reasoning}\n{completion.model}\n{completion.fingerprint or ''}"
        if not completion.received and not completion.finish_word and escaped(plain) is plain:
            return completion
    texts = {name: escaped(getattr(completion, name)) for name in _TEXTS}
    fingerprint = None if completion.fingerprint is None else escaped(completion.fingerprint)
    calls = tuple(ToolCall(escaped(c.id), escaped(c.name), escaped(c.arguments)) for c in completion.tool_calls)
    logprobs = _finite(escaped_json(completion.logprobs))
    return attrs.evolve(completion, fingerprint=fingerprint, tool_calls=calls, logprobs=logprobs, **texts)


def _finite(value: Any) -> JSON:
    """A JSON value with the name of each number that is not finite in its place: servers say ``-inf`` of a token."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in cast("Mapping[str, Any]", value).items()}
    return [_finite(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value


def completion_from_text(text: str) -> Completion:
    """Create a completion from what ``completion_text`` returned."""
    raw: dict[str, Any] = json.loads(text)
    prompt, written, cached, reasoning = raw.pop("usage")
    usage = Usage(
        prompt_tokens=prompt,
        completion_tokens=written,
        cached_tokens=cached,
        reasoning_tokens=reasoning,
        difference=raw.pop("difference", 0),
    )
    calls = tuple(ToolCall(*call) for call in raw.pop("tool_calls", ()))
    return Completion(usage=usage, tool_calls=calls, sent_as=tuple(raw.pop("sent_as", ())), **raw)


def explain_difference(old: str, new: str) -> str:
    """Say in one sentence what differs between the texts of two requests."""
    before, after = json.loads(old), json.loads(new)
    if before["backend"] != after["backend"]:
        return "the backend's settings differ: " + _differing(before["backend"], after["backend"])
    parts = {
        n for n in before["parts"].keys() | after["parts"].keys() if before["parts"].get(n) != after["parts"].get(n)
    }
    where = f" (prompt parts that changed: {', '.join(sorted(parts))})" if parts else ""
    for name in ("sampling", "schema", "tools"):
        if before[name] != after[name]:
            return f"its {name} differs{where}"
    for i, (was, now) in enumerate(zip(before["messages"], after["messages"], strict=False)):
        if was != now:
            return f"message {i} ({now['role']}) differs from {_first_change(str(was), str(now))}{where}"
    return f"it had {len(before['messages'])} messages and has {len(after['messages'])}{where}"


def _differing(before: dict[str, Any], after: dict[str, Any]) -> str:
    names = _names_of_changes(before, after)
    return "; ".join(f"{name} was {before.get(name)!r}, is {after.get(name)!r}" for name in names)


def _names_of_changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _first_change(was: str, now: str) -> str:
    at = next(iter(SequenceMatcher(None, was[:2000], now[:2000], autojunk=False).get_matching_blocks())).size
    return f"{was[max(0, at - 20) : at + 20]!r} to {now[max(0, at - 20) : at + 20]!r}"


def _message(message: Message) -> dict[str, JSON]:
    value: dict[str, JSON] = {"role": message.role, "parts": [_part(part) for part in message.parts]}
    if message.tool_calls:
        value["tool_calls"] = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    if message.tool_call:
        value["tool_call"] = message.tool_call
    return value


def _part(part: Part) -> JSON:
    if isinstance(part, str):
        return part
    return {"media_type": part.media_type, "base64": b64encode(part.data).decode(), "alternative": part.alt}


def _plain(_owner: Any, _field: Any, value: Any) -> Any:
    return str(value) if isinstance(value, Secret) else value

"""A response of LiteLLM as a completion."""

from collections.abc import Mapping
from typing import Any, Literal

from arena.backend import Completion, ToolCall, Usage
from arena.errors import BackendError
from arena.record import JSON

_Finish = Literal["stop", "length", "tool-calls", "content-filter"]
_FINISHED: Mapping[str, _Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "content-filter",
}


def completion(response: Any, *, wants_logprobs: bool) -> Completion:
    """The first choice of a response, without its cost; ``BackendError`` where there is none."""
    if not getattr(response, "choices", None):
        raise BackendError("the server answered without a choice", is_transient=True)
    choice = response.choices[0]
    message = choice.message
    calls = tuple(
        ToolCall(call.id or str(number), call.function.name or "", call.function.arguments or "")
        for number, call in enumerate(message.tool_calls or ())
    )
    finish_reason = _FINISHED.get(choice.finish_reason or "", "stop")
    return Completion(
        text=message.content or "",
        finish_reason="tool-calls" if calls and finish_reason == "stop" else finish_reason,
        reasoning=getattr(message, "reasoning_content", None) or "",
        tool_calls=calls,
        usage=_usage(getattr(response, "usage", None)),
        model=response.model or "",
        fingerprint=getattr(response, "system_fingerprint", None),
        logprobs=_logprobs(getattr(choice, "logprobs", None)) if wants_logprobs else None,
    )


def _usage(usage: Any) -> Usage:
    sent, written = getattr(usage, "prompt_tokens_details", None), getattr(usage, "completion_tokens_details", None)
    return Usage(
        prompt_tokens=_count(usage, "prompt_tokens") or 0,
        completion_tokens=_count(usage, "completion_tokens") or 0,
        cached_tokens=_count(sent, "cached_tokens"),
        reasoning_tokens=_count(written, "reasoning_tokens"),
    )


def _count(counted: Any, name: str) -> int | None:
    count = getattr(counted, name, None)
    return None if count is None else int(count)


def _logprobs(found: Any) -> JSON:
    content = getattr(found, "content", None)
    return None if content is None else [_token(token) for token in content]


def _token(token: Any) -> dict[str, JSON]:
    likeliest = [{"token": other.token, "logprob": other.logprob} for other in token.top_logprobs or ()]
    return {"token": token.token, "logprob": token.logprob, "top_logprobs": likeliest}

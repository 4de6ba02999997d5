"""Reads completions from what servers answer, of whatever shape: what was paid for is kept."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from arena.backend import Completion
from arena.errors import TransientBackendError
from arena.record import JSON

from arena_openai_protocol.error_bodies import ErrorBody
from arena_openai_protocol.finish_reasons import Finish, ending
from arena_openai_protocol.messages import Said, content_said, listed, said_in
from arena_openai_protocol.usage_counts import UsageTold, usage_told

RECEIVED: Final = 20_000
"""The most characters that are kept of an answer whose shape nobody knows."""

MISSHAPEN: Final = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
"""What reading raises where an answer has another shape."""

_KNOWN: Final = frozenset(
    {"role", "content", "refusal", "tool_calls", "function_call", "annotations", "reasoning", "reasoning_content"}
    | {"reasoning_details", "thinking", "name", "id", "type", "model", "provider_specific_fields"}
)


def chat_completion(
    response: Any,
    *,
    wants_logprobs: bool,
    cost_of: Callable[[UsageTold], float | None] = lambda _: None,
    first_token_s: float | None = None,
    told: UsageTold | None = None,
) -> Completion:
    """The first choice of a response; if nobody knows its shape, a completion that holds it as it came.

    ``told`` is what it used, if that is said elsewhere than in the response.

    ``TransientBackendError`` if the server says that it has cut the answer off itself.
    """

    try:
        choice, told = first_choice(response), told or usage_told(response)
        said, (reason, word) = _said(choice), _finish(choice)
        return Completion(
            text="\n\n".join(filter(None, (said.text, said.refusal))),
            finish_reason="declined" if said.refusal else "tool-calls" if said.calls and reason == "stop" else reason,
            finish_word="" if said.refusal else word,
            reasoning=said.thought,
            tool_calls=said.calls,
            usage=told.usage,
            cost_usd=cost_of(told),
            model=_word(response.get("model")),
            fingerprint=_word(response.get("system_fingerprint")) or None,
            logprobs=_scored(choice) if wants_logprobs else None,
            first_token_s=first_token_s,
        )
    except MISSHAPEN:
        return _unread(response, cost_of)


def _unread(response: Any, cost_of: Callable[[UsageTold], float | None]) -> Completion:
    last = cast("list[Any]", response)[-1] if isinstance(response, list) and response else cast("Any", response)
    about: Mapping[str, Any] = cast("Any", last) if isinstance(last, Mapping) else {}
    told, model = usage_told(about), _word(about.get("model"))
    return Completion(text="", received=_as_it_came(response), usage=told.usage, cost_usd=cost_of(told), model=model)


def first_choice(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """The choice with the lowest index; of protocols without choices, their message as one. ``LookupError``: none."""
    choices = [choice for choice in listed(response.get("choices")) if choice]
    if choices:
        return min(choices, key=lambda choice: choice.get("index") or 0)
    if isinstance(message := response.get("message"), Mapping):  # Ollama's own
        return {"message": message, "finish_reason": response.get("done_reason")}
    if response.get("type") == "message":  # Anthropic's own
        return {"message": {"content": response["content"]}, "finish_reason": response.get("stop_reason")}
    if isinstance(response.get("output"), list):  # OpenAI's responses
        why: Mapping[str, Any] = response.get("incomplete_details") or {}
        return {
            "message": {"content": _items(response["output"])},
            "finish_reason": why.get("reason") or response.get("status"),
        }
    raise LookupError("no choice")


def holds_choice(response: Any) -> bool:
    """Whether a response holds an answer of the model, in a shape that is known."""
    try:
        return _said(first_choice(response)) != Said()
    except MISSHAPEN:
        return False


def refused_text(said: ErrorBody) -> Completion | None:
    """What the model wrote where a server refuses that in place of answering, as an answer whose end nobody knows."""
    if said.written is None:
        return None
    return Completion(text=said.written, finish_reason="unknown", finish_word=said.code)


def _finish(choice: Mapping[str, Any]) -> tuple[Finish, str]:
    """Why the model stopped writing, and the server's word if nobody knows it; as ``chat_completion`` raises."""
    found = ending(choice)
    if found.reason == "cut":
        raise TransientBackendError(f"the server cut the answer off ({found.word!r})")
    return found.reason, found.word if found.reason == "unknown" else ""


def logprobs(found: Mapping[str, Any] | None) -> JSON:
    """One entry for each token written, with the most likely alternatives at its position."""
    content = (found or {}).get("content")
    return None if content is None else [_logprob(token) for token in content]


def _said(choice: Mapping[str, Any]) -> Said:
    """What a choice says; ``LookupError`` if what it holds is nothing of what a message may hold."""
    if "text" in choice and "message" not in choice:
        return content_said(choice["text"])
    message: Mapping[str, Any] | None = choice.get("message") or choice.get("delta")
    if message is None and not choice.get("finish_reason"):
        raise LookupError("no message")
    said = said_in(message or {})
    if said == Said() and message and any(value for name, value in message.items() if name not in _KNOWN):
        raise LookupError("no text")
    return said


def _items(output: list[Any]) -> list[Any]:
    """The parts of all items of OpenAI's responses."""
    return [part for item in output for part in (listed(item["content"]) if item.get("type") == "message" else [item])]


def _scored(choice: Mapping[str, Any]) -> JSON:
    try:
        return logprobs(choice.get("logprobs"))
    except MISSHAPEN:
        return None


def _logprob(token: Mapping[str, Any]) -> dict[str, JSON]:
    likeliest = [{"token": o["token"], "logprob": o["logprob"]} for o in token.get("top_logprobs") or ()]
    return {"token": token["token"], "logprob": token["logprob"], "top_logprobs": likeliest}


def _word(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)[:200]


def _as_it_came(response: Any) -> str:
    try:
        text = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    except (*MISSHAPEN, MemoryError):
        text = "(what cannot be written as JSON)"
    return text if len(text) <= RECEIVED else f"{text[:RECEIVED]} …"

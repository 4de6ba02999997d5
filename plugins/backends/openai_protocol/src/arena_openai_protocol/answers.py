"""Reads completions from what servers answer, of whatever shape: what was paid for is kept."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from arena.backend import Completion, Usage
from arena.errors import TransientBackendError
from arena.record import JSON

from arena_openai_protocol.finish_reasons import Finish, ending
from arena_openai_protocol.messages import Said, content_said, listed, said_in

RECEIVED: Final = 20_000
"""The most characters that are kept of an answer whose shape nobody knows."""

MISSHAPEN: Final = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
"""What reading raises where an answer has another shape."""

_PROMPT: Final = ("prompt_tokens", "input_tokens", "prompt_eval_count")
_WRITTEN: Final = ("completion_tokens", "output_tokens", "eval_count")
_BESIDE: Final = ("cache_read_input_tokens", "cache_creation_input_tokens")
"""Tokens that Anthropic's own ``input_tokens`` leaves out."""
_KNOWN: Final = frozenset(
    {"role", "content", "refusal", "tool_calls", "function_call", "annotations", "reasoning", "reasoning_content"}
    | {"reasoning_details", "thinking", "name", "id", "type", "model", "provider_specific_fields"}
)


def chat_completion(
    response: Any,
    *,
    wants_logprobs: bool,
    cost_of: Callable[[Usage], float | None] = lambda _: None,
    first_token_s: float | None = None,
) -> Completion:
    """The first choice of a response; if nobody knows its shape, a completion that holds it as it came.

    ``TransientBackendError`` if the server says that it has cut the answer off itself.
    """

    try:
        choice, told = first_choice(response), _told_usage(response)
        said, (reason, word) = _said(choice), _finish(choice)
        return Completion(
            text="\n\n".join(filter(None, (said.text, said.refusal))),
            finish_reason="declined" if said.refusal else "tool-calls" if said.calls and reason == "stop" else reason,
            finish_word="" if said.refusal else word,
            reasoning=said.thought,
            tool_calls=said.calls,
            usage=told,
            cost_usd=cost_of(told),
            model=_word(response.get("model")),
            fingerprint=_word(response.get("system_fingerprint")) or None,
            logprobs=_scored(choice) if wants_logprobs else None,
            first_token_s=first_token_s,
        )
    except MISSHAPEN:
        return _unread(response, cost_of)


def _unread(response: Any, cost_of: Callable[[Usage], float | None]) -> Completion:
    last = cast("list[Any]", response)[-1] if isinstance(response, list) and response else cast("Any", response)
    about: Mapping[str, Any] = cast("Any", last) if isinstance(last, Mapping) else {}
    told, model = _told_usage(about), _word(about.get("model"))
    return Completion(text="", received=_as_it_came(response), usage=told, cost_usd=cost_of(told), model=model)


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


def _finish(choice: Mapping[str, Any]) -> tuple[Finish, str]:
    """Why the model stopped writing, and the server's word if nobody knows it; as ``chat_completion`` raises."""
    found = ending(choice)
    if found.reason == "cut":
        raise TransientBackendError(f"the server cut the answer off ({found.word!r})")
    return found.reason, found.word if found.reason == "unknown" else ""


def _told_usage(response: Mapping[str, Any]) -> Usage:
    """The token counts of a response, wherever in it the server tells them."""
    groq: Any = response.get("x_groq")
    choices = [groq, *listed(response.get("choices"))]
    places = [response.get("usage"), *(cast("Any", each).get("usage") for each in choices if isinstance(each, Mapping))]
    return usage(next((place for place in places if place), response))


def usage(counted: Any) -> Usage:
    """The token counts that a server reports, by whichever names; what is no number counts as not reported."""
    if not isinstance(counted, Mapping):
        return Usage()
    told = cast("Mapping[str, Any]", counted)
    sent, written = (_details(told, *names) for names in (_PROMPT[:2], _WRITTEN[:2]))
    prompt = _first(told, _PROMPT) or 0
    if prompt and "prompt_tokens" not in told and "input_tokens_details" not in told:
        prompt += sum(_first(told, (name,)) or 0 for name in _BESIDE)
    cached = _first(sent, ("cached_tokens",))
    if cached is None:
        cached = _first(told, ("cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens"))
    thought = _first(written, ("reasoning_tokens",))
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=_first(told, _WRITTEN) or 0,
        cached_tokens=cached,
        reasoning_tokens=_first(told, ("reasoning_tokens",)) if thought is None else thought,
    )


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


def _details(told: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        if isinstance(found := told.get(f"{name}_details"), Mapping):
            return cast("Mapping[str, Any]", found)
    return {}


def _first(told: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    """The first of these that is a number, or the text of one."""
    for name in names:
        found = told.get(name)
        if isinstance(found, float) and found.is_integer():
            return int(found)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
        if isinstance(found, str) and found.isdecimal() and len(found) < 20:
            return int(found)
    return None


def _word(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)[:200]


def _as_it_came(response: Any) -> str:
    try:
        text = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    except (*MISSHAPEN, MemoryError):
        text = "(what cannot be written as JSON)"
    return text if len(text) <= RECEIVED else f"{text[:RECEIVED]} …"

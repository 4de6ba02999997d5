"""Converts requests and completions to and from the JSON of OpenAI's chat protocol."""

import re
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Literal

from arena.backend import IMAGES, TOOLS, Completion, CompletionRequest, Message, Part, Tool, ToolCall, Usage
from arena.errors import RequestRejected, TransientBackendError
from arena.game import Image
from arena.record import JSON

Finish = Literal["stop", "length", "tool-calls", "content-filter"]

_FINISHED: Mapping[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "content-filter",
}

_THOUGHT: Final = re.compile(r"\s*<think>(?P<thought>.*?)</think>\s*", re.DOTALL)


def check_supported(request: CompletionRequest, able: Collection[str], model: str) -> None:
    """Raise ``RequestRejected`` if a request has tools or pictures that the model is not said to take."""
    if TOOLS not in able and request.tools:
        raise RequestRejected(f"{model} is not known to call tools; list 'tools' in the backend's can if it does")
    if IMAGES in able:
        return
    for message in request.messages:
        if Image in map(type, message.parts):
            raise RequestRejected(f"{model} is not known to see images; list 'images' in the backend's can if it does")


def chat_body(request: CompletionRequest) -> dict[str, Any]:
    """Messages, sampling and tools as JSON; the caller adds the schema, the model and ``extra``."""
    body = {"messages": [_message(message) for message in request.messages], **sampling_body(request)}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.sampling.reasoning_effort is not None:
        body["reasoning_effort"] = request.sampling.reasoning_effort
    if request.sampling.logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": request.sampling.logprobs}
    return body


def sampling_body(request: CompletionRequest) -> dict[str, Any]:
    """The sampling parameters, which are the same for chat and for text completion."""
    sampling = request.sampling
    asked = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "stop": list(sampling.stop) or None,
    }
    return {name: value for name, value in asked.items() if value is not None}


def schema_format(schema: JSON, *, is_strict: bool = True) -> dict[str, Any]:
    """The ``response_format`` that asks for an answer by a schema; without ``is_strict`` it is only a hint."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": is_strict}}


def chat_completion(
    response: Mapping[str, Any],
    *,
    wants_logprobs: bool,
    cost_of: Callable[[Usage], float | None] = lambda _: None,
    first_token_s: float | None = None,
) -> Completion:
    """The first choice of a response; raises ``TransientBackendError`` if there is none.

    Reasoning is read as servers spell it: ``reasoning_content``, ``reasoning``, or a text that begins with
    ``<think>…</think>``. A refusal of OpenAI's models is what they said.
    """
    choice = first_choice(response)
    message: Mapping[str, Any] = choice.get("message") or {}
    text, reasoning = _said(message)
    calls = tuple(_call(number, call) for number, call in enumerate(message.get("tool_calls") or ()))
    reason, used = finish_reason(choice), usage(response.get("usage"))
    return Completion(
        text=text,
        finish_reason="tool-calls" if calls and reason == "stop" else reason,
        reasoning=reasoning,
        tool_calls=calls,
        usage=used,
        cost_usd=cost_of(used),
        model=response.get("model") or "",
        fingerprint=response.get("system_fingerprint"),
        logprobs=logprobs(choice.get("logprobs")) if wants_logprobs else None,
        first_token_s=first_token_s,
    )


def first_choice(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """The first choice of a response as JSON; raises ``TransientBackendError`` if there is none."""
    if choices := response.get("choices"):
        return choices[0]
    raise TransientBackendError("the server answered without a choice")


def finish_reason(choice: Mapping[str, Any]) -> Finish:
    """Why the model stopped writing; unknown reasons count as a normal stop."""
    return _FINISHED.get(choice.get("finish_reason") or "", "stop")


def usage(counted: Mapping[str, Any] | None) -> Usage:
    """The token counts of a response, as far as the server reports them."""
    counted = counted or {}
    sent: Mapping[str, Any] = counted.get("prompt_tokens_details") or {}
    written: Mapping[str, Any] = counted.get("completion_tokens_details") or {}
    return Usage(
        prompt_tokens=int(counted.get("prompt_tokens") or 0),
        completion_tokens=int(counted.get("completion_tokens") or 0),
        cached_tokens=sent.get("cached_tokens", counted.get("prompt_cache_hit_tokens")),
        reasoning_tokens=written.get("reasoning_tokens"),
    )


def logprobs(found: Mapping[str, Any] | None) -> JSON:
    """One entry for each token written, with the most likely alternatives at its position."""
    content = (found or {}).get("content")
    return None if content is None else [_logprob(token) for token in content]


def _said(message: Mapping[str, Any]) -> tuple[str, str]:
    """The text of an answer, and the reasoning before it."""
    text = message.get("content") or message.get("refusal") or ""
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    if reasoning or not isinstance(text, str) or (thought := _THOUGHT.match(text)) is None:
        return text, reasoning
    return text[thought.end() :], thought["thought"].strip()


def _logprob(token: Mapping[str, Any]) -> dict[str, JSON]:
    likeliest = [{"token": o["token"], "logprob": o["logprob"]} for o in token.get("top_logprobs") or ()]
    return {"token": token["token"], "logprob": token["logprob"], "top_logprobs": likeliest}


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call, "content": message.text}
    content: Any = [_part(part) for part in message.parts] if Image in map(type, message.parts) else message.text
    if not message.tool_calls:
        return {"role": message.role, "content": content}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.tool_calls
    ]
    return {"role": message.role, "content": content or None, "tool_calls": calls}


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    encoded = b64encode(part.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{encoded}"}}


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.summary, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _call(number: int, call: Mapping[str, Any]) -> ToolCall:
    function = call["function"]
    return ToolCall(call.get("id") or str(number), function.get("name") or "", function.get("arguments") or "")

"""Two ways to send a request: as a conversation, or as raw text for models without a chat template."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs
from arena.backend import Completion, CompletionRequest
from arena.record import JSON
from arena_openai_protocol import (
    chat_body,
    chat_completion,
    first_choice,
    sampling_body,
    schema_format,
)


@attrs.frozen(kw_only=True)
class Protocol:
    """The URL path of requests, how their body is made, and how the response is read."""

    path: str
    write: Callable[[CompletionRequest], dict[str, Any]]
    read: Callable[..., Completion]

    def body(self, request: CompletionRequest) -> dict[str, Any]:
        """The request as JSON, without the model's name and the backend's extras."""
        body = self.write(request)
        if request.schema is not None:
            body["response_format"] = schema_format(request.schema)
        return body

    def completion(self, response: Mapping[str, Any], *, wants_logprobs: bool) -> Completion:
        """Read the completion from a response."""
        return self.read(response, wants_logprobs=wants_logprobs)


def raw_text(request: CompletionRequest) -> str:
    """The texts of all messages, with a blank line after each; no role is marked, since base models know no marks."""
    return "".join(f"{message.text}\n\n" for message in request.messages if message.text)


def _conversation(request: CompletionRequest) -> dict[str, Any]:
    body = chat_body(request)
    # A tool call is required, as a schema is: a player must act.
    for tool in body.get("tools", ()):
        tool["function"]["strict"] = True
    return {**body, "tool_choice": "required"} if request.tools else body


def _text(request: CompletionRequest) -> dict[str, Any]:
    # Sent even if it is null: without the field vLLM stops after 16 tokens.
    asked = {"prompt": raw_text(request), "max_tokens": None, **sampling_body(request)}
    if request.sampling.logprobs is not None:
        asked["logprobs"] = request.sampling.logprobs
    return asked


def _written(response: Mapping[str, Any], *, wants_logprobs: bool) -> Completion:
    answer = chat_completion(response, wants_logprobs=False)
    if answer.received or not wants_logprobs:
        return answer
    return attrs.evolve(answer, logprobs=_columns(first_choice(response).get("logprobs")))


def _columns(found: Mapping[str, Any] | None) -> JSON:
    """Log probabilities as one entry per token, as in conversations; raw completions return them as columns."""
    if not found:
        return None
    rows: Any = zip(found["tokens"], found["token_logprobs"], found["top_logprobs"] or (), strict=False)
    return [
        {
            "token": token,
            "logprob": logprob,
            "top_logprobs": [{"token": other, "logprob": value} for other, value in (likeliest or {}).items()],
        }
        for token, logprob, likeliest in rows
    ]


CHAT = Protocol(path="v1/chat/completions", write=_conversation, read=chat_completion)
TEXT = Protocol(path="v1/completions", write=_text, read=_written)

"""Writes the body of a request."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from arena.backend import CompletionRequest, revealed
from arena.errors import RequestRejected
from arena.record import JSON
from arena_openai_protocol import NotInGrammar, chat_body, schema_format, schema_grammar, strict_format

from arena_backend_openai_compatible.backend import EXTRA_HEADERS, GRAMMARS, OpenAICompatible, SchemaWay
from arena_backend_openai_compatible.servers import is_openai, known_server


def request_body(backend: OpenAICompatible, request: CompletionRequest) -> dict[str, Any]:
    """A request in OpenAI's protocol, before it is adapted to what the server takes.

    Raises ``RequestRejected`` where a grammar is to be sent and none can say what the schema does.
    """
    is_openais = is_openai(backend.address)
    # A tool call is required, as a schema is: a player must act. Whoever wants another choice writes it into extra.
    choice = {"tool_choice": "required"} if request.tools else {}
    given = {name: value for name, value in request.sampling.extra.items() if name != EXTRA_HEADERS}
    extra = revealed(given) if given else {}
    body = {"model": backend.model, **choice, **extra, **chat_body(request)}
    if is_openais and "max_tokens" in body:  # models that reason refuse the old name, all others take both
        body["max_completion_tokens"] = body.pop("max_tokens")
    if request.schema is not None:
        body |= _forced(request.schema, backend.schema, is_openais=is_openais)
    if backend.stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    if backend.cache_prompt:
        if request.conversation:
            body["prompt_cache_key"] = blake2b(request.conversation.encode(), digest_size=16).hexdigest()
        if _wants_marks(backend):
            body["messages"] = _marked(body["messages"])
    return body


def _forced(schema: JSON, way: SchemaWay, *, is_openais: bool) -> dict[str, Any]:
    if way == "guided-json":
        return {"guided_json": schema}
    if way in GRAMMARS:
        return {GRAMMARS[way]: _grammar(schema, way)}
    if way == "json-object":
        return {"response_format": {"type": "json_object"}}
    return {"response_format": strict_format(schema) if is_openais else schema_format(schema)}


def _grammar(schema: JSON, way: SchemaWay) -> str:
    try:
        return schema_grammar(schema)
    except NotInGrammar as error:
        advice = "write schema: json-object or schema: none"
        raise RequestRejected(f"schema: {way} cannot force this answer ({error}); {advice}") from None


def _wants_marks(backend: OpenAICompatible) -> bool:
    """Whether the provider caches only what is marked: Anthropic's models everywhere, Google's through OpenRouter."""
    known, model = known_server(backend.address), backend.model.lower()
    is_router = known is not None and known.provider == "openrouter"
    return "claude" in model or "anthropic" in model or (is_router and "gemini" in model)


def _marked(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages with a mark at the end of what is the same in every request of a match: the system's messages."""
    static = 0
    while static + 1 < len(messages) and messages[static + 1]["role"] == "system":
        static += 1
    content: Any = messages[static]["content"]
    parts: list[dict[str, Any]] = [{"type": "text", "text": content}] if isinstance(content, str) else [*content]
    texts = [number for number, part in enumerate(parts) if part["type"] == "text"]
    if not texts:
        return messages
    parts[texts[-1]] = {**parts[texts[-1]], "cache_control": {"type": "ephemeral"}}
    marked: Mapping[str, Any] = {**messages[static], "content": parts}
    return [*messages[:static], dict(marked), *messages[static + 1 :]]

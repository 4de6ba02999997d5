"""Translates a request to the parameters of ``litellm.acompletion``."""

from typing import Any

from arena.backend import CompletionRequest, revealed
from arena_openai_protocol import chat_body, schema_format, strict_format


def parameters(request: CompletionRequest, *, forces_schema: bool, is_openai: bool) -> dict[str, Any]:
    """The parameters of a request; ``is_openai`` says that OpenAI's own servers receive it."""
    sent = {**revealed(request.sampling.extra), **chat_body(request)}
    if request.schema is None or not forces_schema:
        return sent
    format_ = strict_format(request.schema) if is_openai else schema_format(request.schema)
    return {**sent, "response_format": format_}

"""A request as the parameters of ``litellm.acompletion``."""

from base64 import b64encode
from typing import Any

from arena.backend import CompletionRequest, Message, Part, Tool
from arena.record import JSON

from arena_backend_litellm.strict import strict


def parameters(request: CompletionRequest, *, forces_schema: bool, is_openai: bool) -> dict[str, Any]:
    """What is sent of a request; ``is_openai`` says that OpenAI's own servers will read it."""
    sampling = request.sampling
    sent: dict[str, Any] = {
        "messages": [_message(message) for message in request.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "reasoning_effort": sampling.reasoning_effort,
        "stop": list(sampling.stop) or None,
        "tools": [_tool(tool) for tool in request.tools] or None,
    }
    if sampling.logprobs is not None:
        sent |= {"logprobs": True, "top_logprobs": sampling.logprobs}
    if request.schema is not None and forces_schema:
        sent["response_format"] = _format(request.schema, is_openai=is_openai)
    return {**sampling.extra, **{name: value for name, value in sent.items() if value is not None}}


def _format(schema: JSON, *, is_openai: bool) -> dict[str, Any]:
    put = strict(schema) if is_openai else schema
    # What strict mode would refuse is at least shown to the model.
    described = {"name": "answer", "schema": schema if put is None else put, "strict": put is not None}
    return {"type": "json_schema", "json_schema": described}


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call, "content": message.text}
    content: Any = [_part(part) for part in message.parts]
    if all(isinstance(part, str) for part in message.parts):
        content = message.text
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
    data = b64encode(part.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{data}"}}


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.summary, "parameters": tool.schema},
    }

"""Writes requests as the JSON of OpenAI's chat protocol."""

from base64 import b64encode
from collections.abc import Collection
from typing import Any

from arena.backend import IMAGES, TOOLS, CompletionRequest, Message, Part, Tool
from arena.errors import RequestRejected
from arena.game import Image
from arena.record import JSON


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

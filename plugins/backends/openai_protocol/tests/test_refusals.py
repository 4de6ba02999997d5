"""What is learned of a refusal, in the words of many servers."""

from typing import Any

import pytest
from arena_openai_protocol import Compat, known_compat, lesson

SCHEMA = {
    "type": "object",
    "properties": {"why": {"type": "string", "maxLength": 9, "pattern": "x"}},
    "required": ["why"],
    "additionalProperties": False,
}
F = {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}}
T = {"tools": [{"type": "function", "function": {"name": "act", "parameters": SCHEMA}}], "tool_choice": "required"}
J = {"response_format": {"type": "json_object"}}


def sent(**more: Any) -> dict[str, Any]:
    """A request with everything that may be refused."""
    messages = [{"role": "system", "content": "Rules."}, {"role": "user", "content": "Act."}]
    plain = {"model": "m", "messages": messages, "max_tokens": 512, "temperature": 0.5, "top_p": 0.9, "seed": 3}
    found = {**plain, "stop": ["x"], "reasoning_effort": "low", **more}
    return found if "max_completion_tokens" not in more else {k: v for k, v in found.items() if k != "max_tokens"}


SAID = [
    (
        400,
        "Unrecognized request argument supplied: max_completion_tokens",
        {"max_completion_tokens": 512},
        "limit_name",
    ),
    (
        400,
        '{"message":"Model grok-3-mini does not support parameter presencePenalty.","code":"invalid-argument"}',
        {"presence_penalty": 0.1},
        "leave_out",
    ),
    (400, '"thinking" ... `temperature` may only be set to 1 when thinking is enabled.', {}, "leave_out"),
    (400, "Thinking may not be enabled when tool_choice forces tool use.", T, "leave_out"),
    (400, "tool_choice 'required' is incompatible with thinking enabled", T, "leave_out"),
    (
        400,
        "The tool_choice parameter does not support being set to required or object in thinking mode",
        T,
        "leave_out",
    ),
    (404, "No endpoints found that support the provided 'tool_choice' value.", T, "leave_out"),
    (400, "Failed to deserialize the JSON body: response_format.type `json_schema` is unavailable now", F, "schema"),
    (400, "'response_format.type' must be 'json_schema' or 'text'", J, "schema"),
    (
        400,
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        J,
        "schema",
    ),
    (405, "deepinfra error: json_object response format is not supported for model: x", J, "schema"),
    (400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", F, "schema"),
    (400, "For 'string' type, property 'maxLength' is not supported", F, "schema_without"),
    (
        400,
        "output_format.schema: For 'string' type, properties maxLength, pattern are not supported",
        F,
        "schema_without",
    ),
    (
        400,
        "Unknown name \"additionalProperties\" at 'generation_config.response_schema': Cannot find field.",
        F,
        "schema_without",
    ),
    (400, "tools.0.function.parameters: keyword 'pattern' is not permitted", T, "schema_without"),
    (400, "Template error: invalid operation: System role not supported (in chat:1)", {}, "system"),
    (
        500,
        "Error rendering prompt template: Conversation roles must alternate user/assistant/user/assistant/...",
        {},
        "system",
    ),
    (422, "Template error: syntax error: Only user and assistant roles are supported! (in <string>:1)", {}, "system"),
    (400, "The input system_instruction is not supported.", {}, "system"),
    (400, "system messages are not permitted for this model", {}, "system"),
    (400, "This model doesn't support system prompts", {}, "system"),
    (400, "Unsupported parameter: 'reasoning_effort' is not supported with this model.", {}, "leave_out"),
    (
        400,
        "'reasoning_effort' does not support 'low' with this model. Supported values are: 'medium'.",
        {},
        "none",
    ),
    (400, "Invalid request: temperature: only 1 is allowed for this model", {}, "leave_out"),
    (400, "stop sequences are not supported by this model", {}, "leave_out"),
    (400, "Unsupported parameter: 'stop' is not supported with this model.", {}, "leave_out"),
    (400, "property 'frequency_penalty' is unsupported", {"frequency_penalty": 1}, "leave_out"),
    (
        422,
        '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs"}]}',
        {"stream_options": {}},
        "leave_out",
    ),
    (400, "reasoning_effort must be one of `none` or `default`", {}, "none"),
    (400, "Parameter 'top_p' is not recognised", {}, "leave_out"),
    (400, "Unrecognised request argument supplied: seed", {}, "leave_out"),
    (400, "response_format.json_schema: 'strict' was unexpected", F, "leave_out"),
    (422, "Unknown field 'strict' in response_format.json_schema", F, "leave_out"),
    (400, "Stream options can only be defined when `stream=True`.", {"stream_options": {}}, "none"),
    (400, "temperature must be in [0, 2], got 5", {}, "none"),
    (400, "max_tokens is too large: 4096. This model supports at most 2048 completion tokens", {}, "none"),
    (400, "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1", {}, "none"),
    (401, "temperature is not supported", {}, "none"),
    (400, "Unexpected end of JSON", {}, "none"),
    (400, "model m not found; unknown model", {}, "none"),
]
"""Status, words, what else was sent, and the key of ``compat`` that is learned."""


@pytest.mark.parametrize(("status", "said", "more", "key"), SAID, ids=[f"{s} {w[:50]}" for s, w, *_ in SAID])
def test_what_a_server_says_is_learned(status, said, more, key):
    """One thing at a time is learned of words about a parameter, and nothing of others."""
    found = lesson(status, said, sent(**more), Compat())

    learned = set() if found is None else {name.replace("-", "_") for name in found.plain()}
    assert learned == (set() if key == "none" else {key})


def test_a_developer_is_a_system_where_nobody_knows_one():
    """A role that was learned is given up again where the server does not know it either."""
    messages = [{"role": "developer", "content": "Rules."}]
    said = "messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`"

    found = lesson(400, said, sent(messages=messages), Compat(system="developer"))

    assert found == Compat(system="system")


@pytest.mark.parametrize(
    ("model", "host", "key"),
    [
        ("o3-mini", "api.openai.com", "limit-name"),
        ("openai/o1-2024-12-17", "openrouter.ai", "limit-name"),
        ("gpt-5", "api.openai.com", "leave-out"),
        ("gemma-3-27b-it", "generativelanguage.googleapis.com", "system"),
        ("deepseek-chat", "api.deepseek.com", "schema"),
        ("gpt-4o", "api.openai.com", None),
        ("o3-mini-of-mine", "127.0.0.1", None),
        ("gemma-3-27b-it", "127.0.0.1", None),
    ],
)
def test_what_is_known_of_a_model(model, host, key):
    """The table holds for whole names, and for some at one host alone."""
    assert (key in known_compat(model, host).plain()) if key else known_compat(model, host) == Compat()

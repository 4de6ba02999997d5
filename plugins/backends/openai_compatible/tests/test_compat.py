"""Requests that a server takes only otherwise: learned from its refusal, told once, recorded as sent."""

import json
import re
import warnings
from collections.abc import Mapping
from typing import Any

import pytest
from arena.backend import Completion, CompletionRequest, Message, Sampling, Tool
from arena.errors import BackendError, InputWarning, RequestRejected
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_openai_protocol import Compat

SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["a", "b"]}, "why": {"type": "string", "maxLength": 9}},
    "required": ["action", "why"],
    "additionalProperties": False,
}
TOOL = Tool("act", "Play.", SCHEMA)
ALL = {"temperature": 0.5, "top_p": 0.9, "seed": 3, "reasoning_effort": "low", "stop": ("four",)}
UNSUPPORTED = "Unsupported parameter: '{0}' is not supported with this model."


def refused(message: str, status: int = 400, **more: Any) -> tuple[int, Any]:
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}


def has(body: Mapping[str, Any], what: str) -> bool:
    """Whether a body has a parameter, a message of a role, a keyword of a schema or a form of answers."""
    form = (body.get("response_format") or {}).get("type")
    return (
        what in body or what == form or what in {m["role"] for m in body["messages"]} or f'"{what}"' in json.dumps(body)
    )


REFUSALS = {
    "max_tokens": (*refused(UNSUPPORTED.format("max_tokens") + " Use 'max_completion_tokens' instead."),),
    "temperature": refused("Unsupported value: 'temperature' does not support 0.5 with this model. Only the default"),
    "temperature, by its name": refused("This value is not taken here", param="temperature", code="unsupported_value"),
    "temperature, Moonshot": refused("invalid temperature: only 1 is allowed for this model"),
    "temperature, Claude": refused("`temperature` is deprecated for this model."),
    "top_p": refused("`temperature` and `top_p` cannot both be specified for this model.", param="top_p"),
    "stop": refused("Argument not supported on this model: stop"),
    "reasoning_effort": refused("Argument not supported on this model: reasoningEffort"),
    "strict": refused("response_format.json_schema: 'strict' was unexpected"),
    "seed": refused("property 'seed' is unsupported"),
    "seed, Gemini": (400, [{"error": {"code": 400, "message": "Invalid JSON payload received. Unknown name \"seed\": "
        "Cannot find field.", "status": "INVALID_ARGUMENT"}}]),
    "seed, Mistral": (422, {"object": "error", "message": {"detail": [
        {"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": 3}]}}),
    "system": (400, {"error": {"message": "System role not supported", "type": "BadRequestError", "code": 400}}),
    "system, Gemma": refused("Developer instruction is not enabled for models/gemma-3-27b-it"),
    "system, o1": refused("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
    "system, Mistral 7B": refused("Conversation roles must alternate user/assistant/user/assistant/...", 500),
    "json_schema": refused("This response_format type is unavailable now"),
    "json_schema, llama-cpp-python": refused(
        "1 validation error: body.response_format.type: Input should be text or json_object, got json_schema", 500),
    "json_schema, Groq": refused("This model does not support response format `json_schema`. See supported models"),
    "maxLength": refused("Invalid schema for response_format 'answer': In context=('properties', 'why'), "
                         "'maxLength' is not permitted."),
    "maxLength, Cerebras": refused("Invalid fields for schema with types ['string']: {'maxLength'}"),
    "tool_choice": refused("Thinking mode does not support this tool_choice"),
    "tool_choice, vLLM": refused("tool_choice \"required\" is not supported", 422),
    "parallel_tool_calls": refused(UNSUPPORTED.format("parallel_tool_calls")),
}  # fmt: skip


async def asked(backend: OpenAICompatible, times: int = 1, **more: Any) -> list[Completion]:
    connection = await backend.connect()
    sampling = backend.with_defaults(Sampling(**ALL))
    messages = (Message.of("system", "Rules."), Message.of("user", "Act."))
    request = CompletionRequest(messages=messages, sampling=sampling, **more)
    try:
        return [await connection.complete(request) for _ in range(times)]
    finally:
        await connection.close()


def usually(server: Any, what: str, status: int, body: Any) -> None:
    """The server refuses each request that has this."""
    answer = server.usually
    server.usually = lambda call: call.send(status, body) if has(call.body, what) else answer(call)


@pytest.mark.parametrize("name", REFUSALS)
async def test_what_a_refusal_says_is_learned_once(server, name):
    """One request is refused; it and all others are sent otherwise, which is told once and recorded with each."""
    what = name.partition(",")[0]
    usually(server, what, *REFUSALS[name])
    more = {"tools": (TOOL,)} if "tool_c" in what else {} if what in ("stop", "seed") else {"schema": SCHEMA}
    extra = {"parallel_tool_calls": False} if what == "parallel_tool_calls" else {}
    server.usually = without_json_object(server.usually)
    backend = OpenAICompatible(model="m", base_url=server.address, can=("schema", "tools", "seed"), extra=extra)

    with pytest.warns(InputWarning) as told:
        first, second, third = await asked(backend, 3, **more)

    assert [has(call.body, what) for call in server.calls] == [True, False, False, False]
    assert len(told) == 1
    assert str(told[0].message).startswith(f"m: sent {first.sent_as[0]}")
    assert first.sent_as == second.sent_as == third.sent_as != ()
    assert len(first.sent_as) == 1
    limits = {name: value for name, value in server.last.items() if name in ("max_tokens", "max_completion_tokens")}
    assert [*limits.values()] == [512]


def without_json_object(answer: Any) -> Any:
    """A server that answers any form of answer; the fake one knows only schemas."""

    def answers(call: Any) -> None:
        form = call.body.get("response_format") or {}
        return call.says('{"action": "a", "why": ""}') if form.get("type") == "json_object" else answer(call)

    return answers


async def test_the_system_text_stands_before_the_users(server):
    """Nothing of it is lost where there is no role for it."""
    usually(server, "system", *REFUSALS["system"])

    with pytest.warns(InputWarning, match=r"to set it by hand: compat: \{system: user\}"):
        await asked(OpenAICompatible(model="m", base_url=server.address))

    assert server.last["messages"] == [{"role": "user", "content": "Rules.\n\nAct."}]


async def test_an_answer_ends_where_stop_would_have_ended_it(server):
    """A word that the server was not told cuts the answer off all the same."""
    server.usually = lambda call: call.says("three four five")

    (found,) = await asked(OpenAICompatible(model="m", base_url=server.address, compat=Compat(leave_out=("stop",))))

    assert "stop" not in server.last
    assert (found.text, found.sent_as) == ("three ", ("no stop",))


async def test_what_is_set_by_hand_or_known_is_sent_so_at_once(server):
    """Nothing is refused; what is set by hand is recorded and not told, what is known of a model is told."""
    backend = OpenAICompatible(model="m", base_url=server.address, compat=Compat(leave_out=("temperature",)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (by_hand,) = await asked(backend)
    with pytest.warns(InputWarning, match="o3-mini: sent max_completion_tokens instead of max_tokens, no temperature"):
        (known,) = await asked(OpenAICompatible(model="o3-mini", base_url=server.address))

    assert by_hand.sent_as == ("no temperature",)
    assert known.sent_as == ("max_completion_tokens instead of max_tokens", "no temperature", "no top_p")
    assert len(server.calls) == 2


@pytest.mark.parametrize(
    "said",
    ["temperature must be between 0 and 2", "Input should be less than or equal to 2: temperature", "no such luck"],
)
async def test_a_mistake_of_the_benchmark_stays_one(server, said):
    """A value out of its range is no reason to leave the parameter out."""
    usually(server, "temperature", *refused(said))

    with pytest.raises(RequestRejected, match=re.escape(said[:20])):
        await asked(OpenAICompatible(model="m", base_url=server.address))

    assert len(server.calls) == 1


async def test_a_server_that_refuses_all_is_left_after_a_few_tries(server):
    """No refusal is tried in circles, and nothing is told that did not help."""
    server.usually = lambda call: call.fail(400, "max_tokens and max_completion_tokens are not supported")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(BackendError, match="are not supported"):
            await asked(OpenAICompatible(model="m", base_url=server.address))

    assert len(server.calls) <= 3


async def test_a_form_that_was_chosen_is_kept(server):
    """Where the benchmark names how answers are forced, a refusal is an error with what to write."""
    usually(server, "json_schema", *REFUSALS["json_schema"])

    with pytest.raises(RequestRejected, match="write schema: json-object or schema: none"):
        await asked(OpenAICompatible(model="m", base_url=server.address, schema="json-schema"), schema=SCHEMA)

    assert len(server.calls) == 1

"""Answers in every shape, through LiteLLM."""

import json

import attrs
import pytest
from arena.backend import Completion, CompletionRequest, Message, Usage
from arena.errors import BackendError, BackendOverloaded, QuotaExhausted, TransientBackendError
from arena_backend_litellm.backend import LiteLLM
from arena_testing.fixtures.answer_shapes import KNOWN, UNKNOWN

pytestmark = pytest.mark.slow  # LiteLLM is imported, which takes seconds

REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))


async def asked(provider, body: bytes, model: str = "openai/m", status: int = 200) -> Completion:
    """The answer to one request, whose body is this."""
    provider.usually = lambda call: call.send(status, body)
    connection = await LiteLLM(model=model, base_url=provider.address).connect()
    try:
        return await connection.complete(REQUEST)
    finally:
        await connection.close()


@pytest.mark.parametrize("shape", KNOWN.values(), ids=KNOWN.keys())
async def test_what_was_paid_for_is_an_answer(provider, shape):
    """LiteLLM throws many of them away for their shape; they are read from what the server sent."""
    answer = await asked(provider, shape.body)

    read = (answer.text, answer.reasoning, answer.tool_calls, answer.finish_reason, answer.usage.completion_tokens)
    meant = shape.completion
    assert read == (meant.text, meant.reasoning, meant.tool_calls, meant.finish_reason, 10)
    assert len(provider.calls) == 1


@pytest.mark.parametrize("shape", UNKNOWN.values(), ids=UNKNOWN.keys())
async def test_an_answer_of_another_shape_has_no_text(provider, shape):
    """It is asked for once, and kept as it came."""
    answer = await asked(provider, shape.body)

    assert (answer.text, answer.tool_calls) == ("", ())
    assert json.loads(shape.body) == (answer.received if answer.received == "ready" else json.loads(answer.received))
    assert len(provider.calls) == 1


def anthropic(reason: str) -> bytes:
    """An answer in Anthropic's protocol."""
    used = {"input_tokens": 60, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 10, "output_tokens": 10}
    content = [{"type": "text", "text": "{}"}]
    about = {"id": "1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": None}
    return json.dumps({**about, "content": content, "stop_reason": reason, "usage": used}).encode()


@pytest.mark.parametrize(
    ("word", "reason", "kept"),
    [
        ("end_turn", "stop", ""),
        ("max_tokens", "length", ""),
        ("refusal", "declined", ""),
        ("pause_turn", "unknown", "pause_turn"),
        ("a_word_of_tomorrow", "unknown", "a_word_of_tomorrow"),
    ],
)
async def test_the_providers_own_word_for_the_end_is_read(provider, word, reason, kept):
    """LiteLLM takes a word that it does not know for a normal end. The cache is counted as the provider charges it."""
    answer = await asked(provider, anthropic(word), "anthropic/claude-sonnet-4-5")

    assert (answer.finish_reason, answer.finish_word) == (reason, kept)
    assert answer.usage == Usage(prompt_tokens=100, completion_tokens=10, cached_tokens=30)
    assert answer.cost_usd == pytest.approx((60 * 3 + 30 * 0.3 + 10 * 3.75 + 10 * 15) / 1e6)


@pytest.mark.parametrize("word", ["error", "abort", "insufficient_system_resource"])
async def test_an_answer_that_the_provider_broke_off_is_none(provider, word):
    """It is asked for again."""
    body = {"id": "1", "choices": [{"index": 0, "message": {"content": "{}"}, "finish_reason": word}]}

    with pytest.raises(TransientBackendError, match="cut the answer off"):
        await asked(provider, json.dumps(body).encode())


async def test_an_error_beside_the_choices_is_no_answer(provider):
    """LiteLLM leaves it out."""
    choice = {"index": 0, "message": {"content": "{}"}, "finish_reason": "stop"}
    body = {"id": "1", "choices": [choice], "error": {"code": 502, "message": "provider lost"}}

    with pytest.raises(TransientBackendError, match="provider lost"):
        await asked(provider, json.dumps(body).encode())


@pytest.mark.parametrize(
    ("code", "kind"), [(1008, QuotaExhausted), (1002, BackendOverloaded), (1000, TransientBackendError)]
)
async def test_an_error_of_minimax_in_a_success_is_one(provider, code, kind):
    """LiteLLM finds no choices and says nothing of the code."""
    body = {"id": "1", "choices": None, "base_resp": {"status_code": code, "status_msg": "no"}}

    with pytest.raises(BackendError) as raised:
        await asked(provider, json.dumps(body).encode())

    assert type(raised.value) is kind


async def test_a_prompt_that_minimax_finds_too_long_is_an_answer(provider):
    """By its code, with a status of success."""
    body = {"id": "1", "choices": None, "base_resp": {"status_code": 1039, "status_msg": "token limit"}}

    answer = await asked(provider, json.dumps(body).encode())

    assert answer == Completion(text="", finish_reason="context-length")


async def test_a_model_that_writes_no_json_has_answered(provider):
    """Groq refuses with 400 what the model has written."""
    error = {"message": "Failed to generate JSON", "code": "json_validate_failed", "failed_generation": "{"}

    answer = await asked(provider, json.dumps({"error": error}).encode(), status=400)

    assert answer == Completion(text="{", finish_reason="unknown", finish_word="json_validate_failed")


async def test_a_schema_that_is_forced_by_a_tool_is_an_answer(provider):
    """At Groq LiteLLM makes a tool of a schema that the model cannot be forced into; nobody has asked for the tool."""
    call = {"id": "c", "type": "function", "function": {"name": "json_tool_call", "arguments": '{"action": "check"}'}}
    choice = {"index": 0, "message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}
    provider.usually = lambda call: call.send(200, json.dumps({"id": "1", "choices": [choice]}).encode())
    connection = await LiteLLM(model="openai/m", base_url=provider.address, can=("schema",)).connect()

    answer = await connection.complete(attrs.evolve(REQUEST, schema={"type": "object"}))
    await connection.close()

    assert (answer.text, answer.tool_calls, answer.finish_reason) == ('{"action": "check"}', (), "stop")


@pytest.mark.parametrize("status", [202, 246])
async def test_an_answer_with_any_status_of_success_is_read(provider, status):
    """Gateways have their own; one that has just accepted the request does not answer it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}
    answer = await asked(provider, json.dumps({"id": "1", "choices": [choice]}).encode(), status=status)

    assert answer.text == "ready"
    with pytest.raises(TransientBackendError):
        await asked(provider, json.dumps({"id": "1", "status": "queued"}).encode(), status=status)


async def test_reasoning_beside_the_completion_is_counted_and_paid(provider):
    """As xAI tells it; what it says of the cost comes before every list."""
    used = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 1010, "cost_in_usd_ticks": 368_000_000}
    used["completion_tokens_details"] = {"reasoning_tokens": 900}
    choice = {"index": 0, "message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
    body = json.dumps({"id": "1", "model": "grok-4", "choices": [choice], "usage": used}).encode()

    answer = await asked(provider, body, "xai/grok-4")

    assert answer.usage == Usage(prompt_tokens=100, completion_tokens=910, reasoning_tokens=900)
    assert answer.cost_usd == pytest.approx(0.0368)

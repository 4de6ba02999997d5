"""Answers in every shape, through LiteLLM."""

import json

import pytest
from arena.backend import Completion, CompletionRequest, Message
from arena_backend_litellm.backend import LiteLLM
from arena_testing.fixtures.answer_shapes import KNOWN, UNKNOWN

pytestmark = pytest.mark.slow  # LiteLLM is imported, which takes seconds

REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))


async def asked(provider, body: bytes) -> Completion:
    """The answer to one request, whose body is this."""
    provider.usually = lambda call: call.send(200, body)
    connection = await LiteLLM(model="openai/m", base_url=provider.address).connect()
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

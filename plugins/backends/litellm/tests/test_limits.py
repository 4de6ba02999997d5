"""Limits and prompts that are too long, as they come through LiteLLM, which rewords what servers say."""

import json

import pytest
from arena.backend import Completion
from arena.errors import BackendOverloaded, QuotaExhausted, RequestRejected, TransientBackendError
from arena_backend_litellm.backend import LiteLLM

from .test_failures import REQUEST, error_of

QUOTA = "You exceeded your current quota, please check your plan and billing details."


def googles(named: str, seconds: float | None) -> list:
    """A limit of Google's interface."""
    details: list = [{"violations": [{"quotaId": f"GenerateRequests{named}PerProjectPerModel-FreeTier"}]}]
    said = QUOTA
    if seconds is not None:
        said += f" Please retry in {seconds}s."
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{seconds}s"})
    return [{"error": {"code": 429, "message": said, "status": "RESOURCE_EXHAUSTED", "details": details}}]


LIMITS = {
    "Google, a minute": (429, googles("PerMinute", 2.4), BackendOverloaded, 2.4),
    "Google, a day": (429, googles("PerDay", 2.4), QuotaExhausted, None),
    "OpenAI, no credit": (429, {"error": {"message": QUOTA, "code": "insufficient_quota"}}, QuotaExhausted, None),
    "Anthropic, no credit": (
        400,
        {"error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."}},
        QuotaExhausted,
        None,
    ),
    "OpenRouter, a day": (
        429,
        {
            "error": {
                "code": 429,
                "message": "Rate limit exceeded: free-models-per-day",
                "metadata": {"headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800000"}},
            }
        },
        QuotaExhausted,
        None,
    ),
    "OpenRouter, a prompt": (
        403,
        {
            "error": {
                "code": 403,
                "message": "The model requires moderation. Your input was flagged.",
                "metadata": {"reasons": ["violence"], "flagged_input": "attack"},
            }
        },
        RequestRejected,
        None,
    ),
    "Groq, flex": (
        498,
        {"error": {"message": "Flex tier capacity exceeded", "code": "capacity_exceeded"}},
        BackendOverloaded,
        None,
    ),
    "something behind": (424, {"error": {"message": "Failed dependency"}}, TransientBackendError, None),
    "Anthropic, busy": (
        529,
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        BackendOverloaded,
        None,
    ),
    "a model on its way": (
        503,
        {"error": "Model m is currently loading", "estimated_time": 20.5},
        TransientBackendError,
        20.5,
    ),
}


@pytest.mark.parametrize(("status", "body", "kind", "wait_s"), LIMITS.values(), ids=LIMITS)
@pytest.mark.slow
async def test_a_limit_is_what_the_server_says_it_is(provider, status, body, kind, wait_s):
    """The class and the wait are those that the body says, whatever LiteLLM makes of it; it is asked once."""
    provider.usually = lambda call: call.send(status, body)

    error = await error_of(LiteLLM(model="openai/gpt-4o", base_url=provider.address))

    assert type(error) is kind
    assert getattr(error, "retry_after_s", None) == wait_s
    assert len(provider.calls) == 1
    assert "\n" not in str(error)


TOO_LONG = {
    "Anthropic": (400, {"error": {"message": "prompt is too long: 5012 tokens > 4096 maximum"}}),
    "Gemini": (
        400,
        {"error": {"message": "The input token count (5012) exceeds the maximum number of tokens (4096)."}},
    ),
    "xAI": (
        400,
        {"code": "Invalid argument", "error": "This model's maximum prompt length is 4096 but the request has 5012"},
    ),
    "Together": (400, {"error": {"message": "The input (5012 tokens) is longer than the model's context length."}}),
    "TGI": (422, {"error": "Input validation error: `inputs` must have less than 4096 tokens. Given: 5012"}),
    "llama.cpp": (400, {"error": {"message": "no", "type": "exceed_context_size_error"}}),
    "Groq": (
        413,
        {"error": {"message": "Request too large for model `m` on tokens per minute: Limit 9, Requested 12"}},
    ),
    "Zhipu": (400, {"error": {"code": "1261", "message": "Prompt exceeds max length"}}),
    "llama-cpp-python": (500, {"error": {"message": "Requested tokens (5012) exceed context window of 4096"}}),
    "quoted by OpenRouter": (
        400,
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {"raw": json.dumps({"error": {"message": "prompt is too long: 5012 tokens > 4096"}})},
            }
        },
    ),
}


@pytest.mark.parametrize(("status", "body"), TOO_LONG.values(), ids=TOO_LONG)
@pytest.mark.slow
async def test_a_prompt_that_is_too_long_is_an_answer_in_all_words(provider, status, body):
    """It is handed over as the model's answer, asked once, and wrote nothing."""
    provider.usually = lambda call: call.send(status, body)
    connection = await LiteLLM(model="openai/gpt-4o", base_url=provider.address).connect()

    answer = await connection.complete(REQUEST)
    await connection.close()

    assert answer == Completion(text="", finish_reason="context-length")
    assert len(provider.calls) == 1


@pytest.mark.slow
async def test_an_answer_that_is_asked_to_be_too_long_is_no_prompt(provider):
    """It is a parameter to correct, and no fault of the player."""
    said = "max_tokens is too large: 9000. This model supports at most 4096 completion tokens."
    provider.usually = lambda call: call.fail(400, said)
    connection = await LiteLLM(model="openai/gpt-4o", base_url=provider.address).connect()

    with pytest.raises(RequestRejected, match="max_tokens is too large"):
        await connection.complete(REQUEST)
    await connection.close()

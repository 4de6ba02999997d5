"""What is read of an answer."""

import json

import attrs
import pytest
from arena.backend import Completion, CompletionRequest, Message, Sampling, ToolCall, Usage
from arena.testing import check_backend
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_openai_protocol import Prices
from arena_testing.fixtures.answer_shapes import KNOWN, UNKNOWN

SHAPES = KNOWN | UNKNOWN
REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))
COUNTED = {
    "prompt_tokens": 1000,
    "completion_tokens": 10,
    "prompt_tokens_details": {"cached_tokens": 400},
    "completion_tokens_details": {"reasoning_tokens": 6},
}
PRICES = Prices(input=10, output=20, cached=1)


async def asked(server, request=REQUEST, **settings) -> Completion:
    """The answer to one request."""
    backend = OpenAICompatible(**{"model": "m", "base_url": server.address, **settings})
    connection = await backend.connect()
    try:
        return await connection.complete(request)
    finally:
        await connection.close()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
async def test_what_was_paid_for_is_an_answer(server, shape, stream):
    """Whatever it looks like it is handed over at the first try, with its usage, and paid for as it says."""
    server.usually = lambda call: call.send(200, shape.body)

    answer = await asked(server, stream=stream, prices=PRICES)

    cost = PRICES.cost_usd(answer.usage) if answer.usage.prompt_tokens else None
    assert answer == attrs.evolve(shape.completion, cost_usd=cost)
    assert len(server.calls) == 1


async def test_an_event_of_another_shape_is_kept_as_it_came(server):
    """What could be read of the stream is beside it, and nothing of it is an answer."""
    said = {"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": None}], "model": "m"}
    odd = {"choices": [{"delta": {"content": 5}}], "usage": COUNTED}
    pieces = [b"data: %b\n\n" % json.dumps(each).encode() for each in (said, odd)]
    server.usually = lambda call: call.stream(*pieces, b"data: [DONE]\n\n")

    answer = await asked(server, stream=True)

    assert (answer.text, answer.usage.prompt_tokens) == ("", 1000)
    assert json.dumps(odd) in answer.received


async def test_an_answer_is_read_whole(server):
    """Text, several tool calls, usage with what was cached and thought, the model that answered, probabilities."""
    calls = [{"id": f"c{n}", "type": "function", "function": {"name": "act", "arguments": f"[{n}]"}} for n in (1, 2)]
    top = {"token": "a", "logprob": -0.1, "bytes": [97]}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, "reasoning_content": "Hm.", "tool_calls": calls},
        "finish_reason": "tool_calls",
        "logprobs": {"content": [{**top, "top_logprobs": [top]}]},
    }
    whole = {"id": "1", "model": "m-2026", "system_fingerprint": "fp", "choices": [choice], "usage": COUNTED}
    server.usually = lambda call: call.send(200, whole)

    answer = await asked(
        server, CompletionRequest(messages=REQUEST.messages, sampling=Sampling(logprobs=1)), prices=PRICES
    )

    kept = {"token": "a", "logprob": -0.1}
    assert answer == Completion(
        text="",
        finish_reason="tool-calls",
        reasoning="Hm.",
        tool_calls=(ToolCall("c1", "act", "[1]"), ToolCall("c2", "act", "[2]")),
        usage=Usage(prompt_tokens=1000, completion_tokens=10, cached_tokens=400, reasoning_tokens=6),
        cost_usd=pytest.approx((600 * 10 + 400 * 1 + 10 * 20) / 1e6),
        model="m-2026",
        fingerprint="fp",
        logprobs=[{**kept, "top_logprobs": [kept]}],
    )


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "a", "reasoning_content": "Hm."}, "a", "Hm."),
        ({"content": "a", "reasoning": "Hm."}, "a", "Hm."),
        ({"content": "<think>\nHm.\n</think>\n\na"}, "a", "Hm."),
        ({"content": "<think>cut off"}, "<think>cut off", ""),
        ({"content": "a <think>Hm.</think>"}, "a <think>Hm.</think>", ""),
        ({"content": None, "refusal": "I will not."}, "I will not.", ""),
        ({"content": "half \ud83d"}, "half \ud83d", ""),
    ],
    ids=["reasoning_content", "reasoning", "think", "unfinished", "later", "refusal", "half a character"],
)
async def test_reasoning_is_told_from_the_answer(server, message, text, reasoning):
    """Three spellings mean the same; what is unfinished or stands elsewhere stays in the text."""
    server.usually = lambda call: call.says(**{"text": message["content"], **message, "content": message["content"]})

    answer = await asked(server)

    assert (answer.text, answer.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    ("settings", "told", "cost"),
    [
        ({}, None, None),
        ({}, 0.25, 0.25),
        ({"prices": PRICES}, 0.25, pytest.approx((600 * 10 + 400 + 200) / 1e6)),
        ({"prices": Prices(input=0, output=0)}, None, 0.0),
    ],
)
async def test_a_cost_is_the_files_or_the_servers(server, settings, told, cost):
    """Prices of the benchmark come first, then what the server says; without either it is unknown, and not zero."""
    server.usually = lambda call: call.says(usage=COUNTED if told is None else {**COUNTED, "cost": told})

    assert (await asked(server, **settings)).cost_usd == cost


@pytest.mark.slow
def test_a_listed_model_has_its_price_at_its_provider_alone():
    """LiteLLM's list says what OpenAI's models cost and can; on a server of one's own nobody knows."""
    listed, own = OpenAICompatible(model="gpt-4o"), OpenAICompatible(model="gpt-4o", base_url="http://127.0.0.1:9/v1")

    assert listed.price() is not None
    assert listed.supports() >= {"schema", "tools", "images", "seed", "logprobs"}
    assert own.price() is None
    assert OpenAICompatible(model="gpt-4o", base_url="https://api.openai.com/v1").price() == listed.price()


@pytest.mark.parametrize("text", ["Schach ♞ \ud83d", "\x00\u2028", str(2**70)], ids=["half", "controls", "digits"])
async def test_any_text_and_number_can_be_sent(server, text):
    """What the fast writer refuses is written otherwise, and arrives."""
    request = CompletionRequest(
        messages=(Message.of("user", text),), sampling=Sampling(extra={"seed_of_mine": 2**70, "x": 0.5})
    )

    await asked(server, request)

    assert server.last["messages"][0]["content"] == text
    assert server.last["seed_of_mine"] == 2**70


async def test_probabilities_that_are_no_json_are_read(server):
    """Servers say -Infinity of a token."""
    choice = {"index": 0, "message": {"content": "a"}, "finish_reason": "stop", "logprobs": {"content": []}}
    choice["logprobs"]["content"] = [{"token": "a", "logprob": float("-inf"), "top_logprobs": []}]
    body = json.dumps({"choices": [choice], "model": "m"}).encode()
    assert b"-Infinity" in body
    server.usually = lambda call: call.send(200, body)

    answer = await asked(server, CompletionRequest(messages=REQUEST.messages, sampling=Sampling(logprobs=1)))

    assert answer.logprobs == [{"token": "a", "logprob": float("-inf"), "top_logprobs": []}]


def test_the_contract_is_kept(server):
    """The shipped check finds nothing wrong."""
    backend = OpenAICompatible(
        model="m", base_url=server.address, can=("schema", "tools", "seed", "logprobs", "batch"), prices=PRICES
    )

    report = check_backend(backend)

    assert report.capabilities == ("batch", "logprobs", "schema", "seed", "tools")

"""A real model behind a real server of this protocol: llama.cpp's own."""

import asyncio
import json
from collections.abc import Iterator
from urllib.request import Request, urlopen

import attrs
import pytest
import xllamacpp
from arena.backend import CompletionRequest, Message, Sampling, Secret, Tool
from arena.errors import BackendError, RequestRejected
from arena.testing import check_backend
from arena_backend_llamacpp.weights import EMBEDDED, locate
from arena_backend_openai_compatible.backend import OpenAICompatible
from jsonschema import Draft202012Validator

KEY = "sk-canary-of-llama-5b2e"
CLOSED = {"additionalProperties": False}
AMOUNT = {"type": "integer", "minimum": 1, "maximum": 12}
SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["e2-e4", "d2-d4", "♞f6"]}},
    "required": ["action"],
    "additionalProperties": False,
}
OFFER = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 300},
        "action": {
            "anyOf": [
                {"type": "object", "properties": {"done": {"const": True}}, "required": ["done"], **CLOSED},
                {
                    "type": "object",
                    "properties": {
                        "partner": {"enum": ["Ann", "Bo ♞", None]},
                        "give": {"type": "object", "properties": {"tin": AMOUNT, "oak": AMOUNT}, **CLOSED},
                        "want": {"type": "array", "items": {"enum": ["tin", "oak"]}, "minItems": 1, "maxItems": 3},
                        "sure": {"type": "number", "minimum": 0, "maximum": 1},
                    },
                    "required": ["partner", "give", "want", "sure"],
                    **CLOSED,
                },
            ]
        },
        "note": {"$ref": "#/$defs/note"},
    },
    "required": ["reasoning", "action"],
    "$defs": {"note": {"type": "string", "minLength": 1, "maxLength": 20}},
    **CLOSED,
}

TEMPLATE = """
{%- if tools %}
    {{- '<|im_start|>system\\nCall one of these functions: ' + (tools | tojson) + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + (message.content or '') }}
    {%- for call in message.tool_calls or [] %}
        {{- 'Call{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""
"""The model's own template, and how a tool is called: the model was trained without tools."""
CALLED = {"logit_bias": [["Call", 100]]}
"""Makes the model begin a call: llama.cpp forces the form of a required call, and lets any text stand before it."""

pytestmark = pytest.mark.slow  # a model is loaded


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server on the loopback that wants a key."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(locate(EMBEDDED))
    parameters.n_parallel = 2
    parameters.n_ctx = 2 * 1024
    parameters.cpuparams.n_threads = 1
    parameters.verbosity = -1
    parameters.api_keys = [KEY]
    parameters.chat_template = TEMPLATE
    parameters.endpoint_slots = True
    server = xllamacpp.Server(parameters)
    yield server.listening_address
    del server


@pytest.fixture
def backend(address, monkeypatch) -> OpenAICompatible:
    """The model behind the server."""
    monkeypatch.setenv("LLAMA_KEY", KEY)
    return OpenAICompatible(
        model="smollm2",
        base_url=address,
        api_key=Secret("LLAMA_KEY"),
        can=("schema", "seed", "logprobs", "tools"),
        concurrency=2,
        max_tokens=64,
    )


async def asked(backend: OpenAICompatible, text: str = "Choose a move in chess.", **more):
    """The answer to one request."""
    sampling = backend.with_defaults(Sampling(seed=3))
    connection = await backend.connect()
    try:
        return await connection.complete(
            CompletionRequest(messages=(Message.of("user", text),), sampling=sampling, **more)
        )
    finally:
        await connection.close()


@pytest.mark.campaign
def test_the_contract_is_kept(backend):
    """The shipped check finds nothing wrong with a model that is really asked."""
    report = check_backend(backend, prompt="Count to ten.")

    assert report.capabilities == ("logprobs", "schema", "seed", "tools")
    assert report.prompt_tokens > 0


async def test_an_answer_is_forced_by_the_schema(backend):
    """A model of 135 million parameters answers legally."""
    completion = await asked(backend, schema=SCHEMA)

    assert json.loads(completion.text)["action"] in ("e2-e4", "d2-d4", "♞f6")
    assert completion.finish_reason == "stop"
    assert completion.usage.prompt_tokens > 5


@pytest.mark.campaign
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_an_answer_is_forced_by_a_grammar(backend, stream):
    """A schema of every kind that games ask for is kept, up to its last bracket, however the words are drawn."""
    backend = attrs.evolve(backend, schema="grammar", stream=stream, temperature=1.5, max_tokens=1500)

    completion = await asked(backend, "Offer a trade, with a reason.", schema=OFFER)

    answer = json.loads(completion.text)
    Draft202012Validator(OFFER).validate(answer)
    assert list(answer)[:2] == ["reasoning", "action"]
    assert completion.finish_reason == "stop"


async def test_a_grammar_that_the_server_cannot_read_is_one_sentence(backend):
    """A real server says so, and nothing is answered."""
    broken = attrs.evolve(backend, extra={"grammar": "root ::= ("})

    with pytest.raises(RequestRejected, match=r"refuses the request \(.*grammar.*\); correct the backend's parameters"):
        await asked(broken)


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("schema", [None, SCHEMA], ids=["text", "schema"])
async def test_a_streamed_answer_is_the_same(backend, schema):
    """With the same seed the server writes the same, streamed or not; only then the first token has a time."""
    backend = attrs.evolve(backend, max_tokens=32)
    streaming = attrs.evolve(backend, stream=True)

    plain, streamed = [await asked(each, schema=schema) for each in (backend, streaming)]

    # What the server found in its cache depends on what it was asked before.
    alone = {"usage": attrs.evolve(plain.usage, cached_tokens=streamed.usage.cached_tokens)}
    assert streamed == attrs.evolve(plain, **alone)
    assert plain.first_token_s is None
    assert streamed.first_token_s > 0


@pytest.mark.campaign
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_tool_is_called(backend, stream):
    """The server writes native calls, several of them until it may write no more, and streams them in pieces."""
    tool = Tool("move", "make a move", SCHEMA)

    completion = await asked(attrs.evolve(backend, stream=stream, extra=CALLED, max_tokens=48), tools=(tool,))

    first, *others = completion.tool_calls
    assert json.loads(first.arguments)["action"] in ("e2-e4", "d2-d4", "♞f6")
    assert {call.name for call in completion.tool_calls} == {"move"}
    assert len({call.id for call in completion.tool_calls}) == 1 + len(others) > 1
    assert completion.text == ""


async def test_a_cancelled_request_stops_the_model(backend, address):
    """The server works on it no longer, though it had many tokens to write."""
    most = 900

    def written() -> int | None:
        asked = Request(f"{address}/slots", headers={"Authorization": f"Bearer {KEY}"})
        with urlopen(asked) as answer:
            found = [slot["next_token"][0]["n_decoded"] for slot in json.load(answer) if slot["is_processing"]]
        return found[0] if found else None

    endless = attrs.evolve(backend, stream=True, extra={"ignore_eos": True}, max_tokens=most)
    task = asyncio.create_task(asked(endless))
    while not await asyncio.to_thread(written):
        pass

    task.cancel()

    last = 0
    while (found := await asyncio.to_thread(written)) is not None:
        last = found
    assert task.cancelled()
    assert last < most // 2


async def test_a_prompt_that_is_too_long_is_named_as_such(backend):
    """The server's own words for it are understood."""
    answer = await asked(backend, "one two three " * 1000)

    assert (answer.text, answer.finish_reason) == ("", "context-length")


async def test_a_wrong_key_is_refused(backend, monkeypatch):
    """A real server refuses it, and the sentence names the variable to correct."""
    monkeypatch.setenv("LLAMA_KEY", "sk-wrong-1234567890")

    with pytest.raises(BackendError, match=r"refuses the key .*correct \$\{LLAMA_KEY\}") as raised:
        await asked(backend)

    assert "sk-wrong" not in str(raised.value)

"""A real model behind a real server with OpenAI's protocol: llama.cpp's own."""

import json
from collections.abc import Iterator

import pytest
import xllamacpp
from arena.backend import CompletionRequest, Message, Sampling, Secret
from arena.errors import BackendError
from arena.testing import check_backend
from arena_backend_litellm.backend import LiteLLM
from arena_backend_llamacpp.weights import EMBEDDED, locate

KEY = "sk-canary-of-llama-7c1e"


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
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def backend(address, monkeypatch) -> LiteLLM:
    """The model behind the server."""
    monkeypatch.setenv("LLAMA_KEY", KEY)
    return LiteLLM(
        model="openai/smollm2",
        base_url=address,
        api_key=Secret("LLAMA_KEY"),
        can=("schema", "seed", "logprobs"),
        concurrency=2,
        max_tokens=24,
    )


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore:coroutine .*acompletion")  # LiteLLM's, of the request that is cancelled at once
def test_a_real_server_keeps_the_contract_too(backend):
    """The shipped check finds nothing wrong with a model that is really asked over HTTP."""
    report = check_backend(backend, prompt="Count to ten.")

    assert report.capabilities == ("logprobs", "schema", "seed")
    assert report.prompt_tokens > 0


@pytest.mark.slow
async def test_an_answer_is_forced_by_the_schema(backend):
    """A model of 135 million parameters answers legally."""
    schema = {
        "type": "object",
        "properties": {"action": {"enum": ["e2-e4", "d2-d4", "♞f6"]}},
        "required": ["action"],
        "additionalProperties": False,
    }
    request = CompletionRequest(
        messages=(Message.of("user", "Choose a move in chess."),),
        sampling=backend.with_defaults(Sampling(seed=3)),
        schema=schema,
    )
    connection = await backend.connect()

    completion = await connection.complete(request)
    await connection.close()

    assert json.loads(completion.text)["action"] in ("e2-e4", "d2-d4", "♞f6")
    assert completion.finish_reason == "stop"
    assert completion.usage.prompt_tokens > 5


@pytest.mark.slow
async def test_a_prompt_that_is_too_long_is_named_as_such(backend):
    """The server's own words for it are understood."""
    request = CompletionRequest(messages=(Message.of("user", "one two three " * 1000),))
    connection = await backend.connect()

    answer = await connection.complete(request)
    await connection.close()

    assert (answer.text, answer.finish_reason) == ("", "context-length")


@pytest.mark.slow
async def test_a_wrong_key_is_refused(backend, monkeypatch):
    """A real server refuses it, and the sentence names the variable to correct."""
    monkeypatch.setenv("LLAMA_KEY", "sk-wrong-1234567890")
    connection = await backend.connect()

    with pytest.raises(BackendError, match=r"refuses the key .*correct \$\{LLAMA_KEY\}") as raised:
        await connection.complete(CompletionRequest(messages=(Message.of("user", "Hello."),)))
    await connection.close()

    assert "sk-wrong" not in str(raised.value)

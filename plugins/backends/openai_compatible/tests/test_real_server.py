"""A real model behind a real server of this protocol: llama.cpp's own."""

import json
from collections.abc import Iterator

import pytest
import xllamacpp
from arena.backend import CompletionRequest, Message, Sampling, Secret
from arena.errors import BackendError
from arena.testing import check_backend
from arena_backend_llamacpp.weights import EMBEDDED, locate
from arena_backend_openai_compatible.backend import OpenAICompatible

KEY = "sk-canary-of-llama-5b2e"
SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["e2-e4", "d2-d4", "♞f6"]}},
    "required": ["action"],
    "additionalProperties": False,
}

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
        can=("schema", "seed", "logprobs"),
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


def test_the_contract_is_kept(backend):
    """The shipped check finds nothing wrong with a model that is really asked."""
    report = check_backend(backend, prompt="Count to ten.")

    assert report.capabilities == ("logprobs", "schema", "seed")
    assert report.prompt_tokens > 0


async def test_an_answer_is_forced_by_the_schema(backend):
    """A model of 135 million parameters answers legally."""
    completion = await asked(backend, schema=SCHEMA)

    assert json.loads(completion.text)["action"] in ("e2-e4", "d2-d4", "♞f6")
    assert completion.finish_reason == "stop"
    assert completion.usage.prompt_tokens > 5


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

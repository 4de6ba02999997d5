import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from arena.backend import Completion, CompletionRequest, Connection, Message, Price, Sampling, Tool, ToolCall, Usage
from arena.catalog import Catalog
from arena.errors import BackendError, BackendUnavailable, ConfigError
from arena.game import Image
from arena.testing import check_backend
from arena_backend_litellm import LITELLM
from arena_backend_litellm.backend import LiteLLM, Prices
from arena_backend_litellm.connection import connect
from arena_engine.benchmark.option_values import from_options
from arena_engine.benchmark.structure import structure

ANSWER = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 600},
        "action": {"enum": ["a1", "b2"]},
    },
    "required": ["reasoning", "action"],
    "additionalProperties": False,
}
DOT = Image("image/png", b"\x89PNG dot", "a dot")


@pytest.fixture
def backend(provider) -> Callable[..., LiteLLM]:
    """Makes backends that ask the provider of the test."""

    def make(model: str = "openai/gpt-4o", **fields: Any) -> LiteLLM:
        return LiteLLM(model=model, base_url=provider.address, **fields)

    return make


@asynccontextmanager
async def connected(backend: LiteLLM) -> AsyncIterator[Connection]:
    connection = await backend.connect()
    try:
        yield connection
    finally:
        await connection.close()


async def ask(
    backend: LiteLLM, *messages: Message, schema: Any = None, tools: tuple[Tool, ...] = (), **sampling: Any
) -> Completion:
    """One completion, asked as the core does."""
    request = CompletionRequest(
        messages=messages or (Message.of("user", "Count."),),
        sampling=backend.with_defaults(Sampling(**sampling)),
        schema=schema,
        tools=tools,
    )
    async with connected(backend) as connection:
        return await connection.complete(request)


@pytest.mark.filterwarnings("ignore:coroutine .*acompletion")  # LiteLLM's, of the request that is cancelled at once
@pytest.mark.slow
def test_it_keeps_the_contract_of_backends(backend, provider):
    """The shipped check finds nothing wrong with a model that can do everything."""
    report = check_backend(backend(concurrency=4))

    assert set(report.capabilities) == {"schema", "tools", "images", "seed", "logprobs"}
    assert report.completions >= 12
    assert report.untested == ()


@pytest.mark.slow
def test_the_descriptor_says_what_the_class_says():
    """Capabilities can be read without importing the class, and its example works."""
    assert Catalog().get("backend", "litellm").load() is LiteLLM
    assert LITELLM.capabilities == LiteLLM.capabilities
    LiteLLM(**LITELLM.example)


@pytest.mark.parametrize(
    "model", ["openai/gpt-4o", "hosted_vllm/Qwen/Qwen3-4B", "ollama/llama3:8b", "bedrock/anthropic.claude-v1:0"]
)
def test_a_model_named_on_the_command_line_is_asked_through_litellm(model):
    """PROVIDER/MODEL after ``litellm:`` means this backend, whatever else is installed; the address reaches it."""
    plain = from_options(["tic-tac-toe"], [f"litellm:{model}", "random"], base_url="http://127.0.0.1:1/v1")

    (agent,) = (entry for entry in plain["agents"].values() if isinstance(entry, dict))
    assert agent["backend"] == {"use": "litellm", "model": model, "base_url": "http://127.0.0.1:1/v1"}


def test_files_of_models_are_left_to_others():
    """The path of a GGUF file is no model of a provider."""
    plain = from_options(["tic-tac-toe"], ["models/small.gguf"])

    (agent,) = plain["agents"].values()
    assert agent["backend"]["use"] == "llamacpp"


@pytest.mark.slow
def test_a_run_is_checked_without_importing_litellm():
    """Abilities, price and parameters are known before LiteLLM is imported, and its list of models stays on disk."""
    code = """
import sys
from arena_backend_litellm.backend import LiteLLM
backend = LiteLLM(model="openai/gpt-4o")
print(sorted(backend.supports()), backend.price())
assert not {"litellm", "openai", "httpx", "aiohttp"} & sys.modules.keys()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "'schema'" in done.stdout
    assert "prompt_usd" in done.stdout


@pytest.mark.campaign
def test_connecting_makes_no_noise_and_reaches_nobody(tmp_path):
    """With the network cut off, LiteLLM is imported and says nothing, whatever its log level."""
    code = """
import asyncio, socket
def refuse(*_): raise AssertionError("somebody wants the network")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from arena_backend_litellm.backend import LiteLLM
async def main():
    await (await LiteLLM(model="openai/gpt-4o").connect()).close()
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
async def test_what_is_asked_is_what_is_sent(backend, provider):
    """Messages, sampling and extras arrive as they were given; what nobody set is not sent."""
    messages = (Message.of("system", "Be brief."), Message.of("user", "Count, ", "please."))

    await ask(backend(temperature=0.25, top_p=0.5, max_tokens=7, extra={"top_k": 3}), *messages, stop=("ten",), seed=11)

    sent = dict(provider.last)
    assert sent.pop("messages") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Count, please."},
    ]
    assert sent == {
        "model": "gpt-4o", "temperature": 0.25, "top_p": 0.5, "max_tokens": 7, "stop": ["ten"], "seed": 11, "top_k": 3
    }  # fmt: skip


@pytest.mark.slow
async def test_everything_an_answer_says_is_kept(backend, provider):
    """Text, reasoning, tokens, cost, model and fingerprint are what the provider sent."""
    message = {"role": "assistant", "content": "b2", "reasoning_content": "the centre is free"}
    used = {
        "prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200,
        "prompt_tokens_details": {"cached_tokens": 600}, "completion_tokens_details": {"reasoning_tokens": 150},
    }  # fmt: skip
    whole = {
        "id": "1", "object": "chat.completion", "created": 1, "model": "gpt-4o-2024-08-06",
        "system_fingerprint": "fp_1", "usage": used,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }  # fmt: skip
    provider.plan.append(lambda call: call.send(200, whole))

    completion = await ask(backend())

    # gpt-4o: 2.50 dollars for a million tokens, 1.25 for cached ones, 10 for those written.
    assert completion.cost_usd == pytest.approx((400 * 2.5 + 600 * 1.25 + 200 * 10) / 1e6)
    assert attrs.evolve(completion, cost_usd=None) == Completion(
        text="b2",
        reasoning="the centre is free",
        usage=Usage(prompt_tokens=1000, completion_tokens=200, cached_tokens=600, reasoning_tokens=150),
        model="gpt-4o-2024-08-06",
        fingerprint="fp_1",
    )


@pytest.mark.slow
async def test_prices_of_the_benchmark_come_first(backend, provider):
    """A price that is written down is charged, cached tokens at their own."""
    priced = backend("openai/unheard-of", prices=Prices(input=4.0, output=8.0, cached=1.0))

    completion = await ask(priced)

    assert priced.price() == Price(4e-6, 8e-6)
    assert completion.cost_usd == pytest.approx((100 * 4 + completion.usage.completion_tokens * 8) / 1e6)
    assert Prices(input=4.0, output=8.0, cached=1.0).cost_usd(
        Usage(prompt_tokens=100, cached_tokens=75, completion_tokens=10)
    ) == pytest.approx((25 * 4 + 75 * 1 + 10 * 8) / 1e6)


@pytest.mark.slow
async def test_an_unknown_price_is_no_price(backend):
    """The cost of a model that nobody has a price for is unknown, not nothing."""
    unheard_of = backend("openai/unheard-of")

    assert unheard_of.price() is None
    assert (await ask(unheard_of)).cost_usd is None


@pytest.mark.slow
async def test_an_answer_without_a_count_has_no_cost(backend, provider):
    """Where a server counts no tokens, the cost is unknown, not nothing."""
    choice = {"index": 0, "message": {"role": "assistant", "content": "b2"}, "finish_reason": "stop"}
    provider.plan.append(lambda call: call.send(200, {"id": "1", "model": "gpt-4o", "choices": [choice]}))

    completion = await ask(backend())

    assert (completion.text, completion.cost_usd) == ("b2", None)


@pytest.mark.slow
async def test_a_schema_is_sent_whole_to_servers_of_ones_own(backend, provider):
    """The answer is forced by the schema as the agent made it."""
    completion = await ask(backend(), schema=ANSWER)

    assert provider.last["response_format"]["json_schema"] == {"name": "answer", "schema": ANSWER, "strict": True}
    assert json.loads(completion.text)["action"] in ("a1", "b2")


@pytest.mark.slow
async def test_a_model_that_keeps_to_no_schema_is_not_sent_one(backend, provider):
    """Where the model cannot, the schema is left out."""
    await ask(backend(can=()), schema=ANSWER)

    assert "response_format" not in provider.last


@pytest.mark.slow
async def test_tools_are_called_and_answered(backend, provider):
    """A call comes back with its name and arguments, and the exchange can be sent again."""
    tool = Tool("play", "Play your action.", ANSWER)

    completion = await ask(backend(), tools=(tool,))
    (call,) = completion.tool_calls
    told = Message("tool", ("free",), tool_call=call.id)
    await ask(backend(), Message.of("user", "Go."), Message("assistant", (), tool_calls=(call,)), told, tools=(tool,))

    assert completion.finish_reason == "tool-calls"
    assert call == ToolCall("call_1", "play", call.arguments)
    assert json.loads(call.arguments)["action"] in ("a1", "b2")
    function = {"name": "play", "arguments": call.arguments}
    assert provider.last["messages"][1]["tool_calls"] == [{"id": "call_1", "type": "function", "function": function}]
    assert provider.last["messages"][2] == {"role": "tool", "tool_call_id": "call_1", "content": "free"}
    sent = {"name": "play", "description": "Play your action.", "parameters": ANSWER}
    assert provider.last["tools"] == [{"type": "function", "function": sent}]


@pytest.mark.slow
async def test_pictures_are_sent_as_they_are(backend, provider):
    """A picture travels inside the message, byte for byte, between its texts."""
    await ask(backend(), Message.of("user", "What is this?", DOT, "Answer."))

    texts = [part["type"] for part in provider.last["messages"][0]["content"]]
    url = provider.last["messages"][0]["content"][1]["image_url"]["url"]
    assert texts == ["text", "image_url", "text"]
    assert url == "data:image/png;base64,iVBORyBkb3Q="


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"messages": (Message.of("user", DOT),)}, "images"),
        ({"messages": (Message.of("user", "Go."),), "tools": (Tool("play", "", ANSWER),)}, "tools"),
    ],
    ids=["images", "tools"],
)
@pytest.mark.slow
async def test_what_a_model_cannot_do_is_refused_before_it_is_paid_for(backend, provider, more, what):
    """Nothing is sent to a model that is not known to understand it, and the error says how to correct that."""
    async with connected(backend("openai/unheard-of")) as connection:
        with pytest.raises(BackendError, match=f"list '{what}' in the backend's can"):
            await connection.complete(CompletionRequest(**more))

    assert provider.calls == []


@pytest.mark.slow
async def test_log_probabilities_come_with_their_alternatives(backend):
    """As many as were asked for, for each token."""
    completion = await ask(backend(), logprobs=2)

    assert isinstance(completion.logprobs, list)
    assert completion.logprobs[0]["top_logprobs"] == [
        {"token": "one", "logprob": -1.0},
        {"token": "two", "logprob": -1.0},
    ]
    assert (await ask(backend())).logprobs is None


@pytest.mark.slow
async def test_an_effort_is_passed_on(backend, provider):
    """A model that reasons is told how much, and its thoughts are kept apart from its answer."""
    completion = await ask(backend("openai/gpt-5", reasoning_effort="low"))

    assert provider.last["reasoning_effort"] == "low"
    assert provider.last["max_completion_tokens"] == 512
    assert completion.reasoning == "a low effort"
    assert "effort" not in completion.text


@pytest.mark.slow
async def test_a_seed_of_the_backend_stands_in_for_the_agents(backend, provider):
    """It is sent where the agent sends none."""
    await ask(backend(seed=5))
    await ask(backend(seed=5), seed=6)

    assert [call.body["seed"] for call in provider.calls] == [5, 6]


@pytest.mark.slow
async def test_a_request_nobody_waits_for_leaves_the_connection_usable(backend, provider):
    """After a cancelled request the next one is answered."""
    arrived = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait(call) -> None:
        loop.call_soon_threadsafe(arrived.set)
        provider.ended.wait(10)

    provider.plan.append(wait)
    request = CompletionRequest(messages=(Message.of("user", "Count."),))
    async with connected(backend()) as connection:
        task = asyncio.ensure_future(connection.complete(request))
        await arrived.wait()
        task.cancel()
        await asyncio.wait([task])

        completion = await connection.complete(request)

    assert task.cancelled()
    assert completion.text


@pytest.mark.slow
async def test_one_connection_closes_and_the_other_goes_on(backend):
    """HTTP clients are kept as long as anybody needs them."""
    request = CompletionRequest(messages=(Message.of("user", "Count."),))
    async with connected(backend()) as staying:
        async with connected(backend(seed=1)) as leaving:
            await leaving.complete(request)
        completion = await staying.complete(request)

    assert completion.text


MISTAKES: Mapping[str, tuple[dict[str, Any], str]] = {
    "key in plain": ({"model": "openai/gpt-4o", "api_key": "sk-1234567890"}, "written \\${NAME}"),
    "address": ({"model": "openai/gpt-4o", "base_url": "localhost:8000"}, "starts with https://"),
    "model": ({"model": "gpt 4o"}, "expected a name like 'openai/gpt-4o', got 'gpt 4o'"),
    "ability": ({"model": "openai/gpt-4o", "can": ["see"]}, "'see'"),
    "price": ({"model": "openai/gpt-4o", "prices": {"input": -1.0, "output": 0}}, "prices.input"),
    "extra": ({"model": "openai/gpt-4o", "extra": {"api_key": "${KEY}"}}, "'api_key' does not belong into extra"),
    "retries": ({"model": "openai/gpt-4o", "extra": {"num_retries": 3}}, "write max-attempts"),
}


@pytest.mark.parametrize(("fields", "said"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_found_before_anything_is_asked(fields, said):
    """Parameters that do not fit are a configuration error that names them and repeats no key."""
    with pytest.raises(ConfigError, match=said) as raised:
        structure(fields, LiteLLM, Catalog())

    assert "sk-1" not in str(raised.value)


def test_parameters_are_written_as_in_the_documents():
    """Prices may be whole numbers, abilities a list and extras anything."""
    plain = {"model": "openai/x", "prices": {"input": 0, "output": 1}, "can": ["schema"], "extra": {"a": {"b": [1]}}}

    made = structure(plain, LiteLLM, Catalog())

    assert made == LiteLLM(model="openai/x", prices=Prices(input=0, output=1), can=("schema",), extra={"a": {"b": [1]}})


@pytest.mark.parametrize("address", ["http://me:${OWN_KEY}@box.example/v1", "${WHERE}"])
def test_a_key_in_an_address_is_refused_rather_than_left_out(address, monkeypatch):
    """LiteLLM drops user and password, so that the server would refuse every request."""
    monkeypatch.setenv("OWN_KEY", "sk-of-the-box")
    monkeypatch.setenv("WHERE", "http://me:sk-of-the-box@box.example/v1")

    with pytest.raises((ValueError, BackendUnavailable), match="LiteLLM sends no user and no password") as refused:
        connect(LiteLLM(model="openai/m", base_url=address))

    assert "openai-compatible" in str(refused.value)
    assert "sk-of-the-box" not in str(refused.value)

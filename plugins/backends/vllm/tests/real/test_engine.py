"""The engine in this process; all tests share one."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
import pytest_asyncio
from arena.backend import Completion, CompletionRequest, Connection, Message, Sampling, Tool
from arena.errors import BackendError, ConfigError, RequestRejected
from arena.testing import check_backend
from arena_backend_vllm.engine import Engine

from .conftest import LONG, SMALL

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(1800)]

RULES = "You play tic-tac-toe on the squares a1 to c3. " * 20
ANSWER = {
    "type": "object",
    "properties": {"reasoning": {"type": "string", "maxLength": 40}, "action": {"enum": ["a1", "b2", "c3"]}},
    "required": ["reasoning", "action"],
    "additionalProperties": False,
}


@attrs.frozen(eq=False)
class Asker:
    """A loaded engine and a connection to it."""

    backend: Engine
    connection: Connection

    async def ask(self, text: str, schema: Any = None, tools: tuple[Tool, ...] = (), **sampling: Any) -> Completion:
        """One completion, asked as the core does."""
        asked = Sampling(**{"max_tokens": 24, **sampling})
        request = CompletionRequest(
            messages=(Message.of("system", RULES), Message.of("user", text)),
            sampling=self.backend.with_defaults(asked),
            schema=schema,
            tools=tools,
        )
        return await self.connection.complete(request)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine(model) -> AsyncIterator[Asker]:
    """The model that chats, with a parser for its tool calls."""
    backend = Engine(model=model, context=2048, tool_call_parser="hermes", options=SMALL)
    connection = await backend.connect()
    yield Asker(backend, connection)
    await connection.close()


async def test_an_action_is_forced_by_the_schema(engine):
    """A model of 135 million parameters answers legally every time, without white space."""
    answers = await asyncio.gather(
        *(engine.ask("Your move?", ANSWER, seed=n, temperature=1.5, max_tokens=64) for n in range(8))
    )

    for answer in answers:
        assert json.loads(answer.text)["action"] in ("a1", "b2", "c3")
        assert answer.text.startswith('{"reasoning":"')
        assert answer.finish_reason == "stop"
    assert len({answer.text for answer in answers}) > 1


async def test_the_same_seed_writes_the_same_text(engine):
    """Seeds decide: the same one repeats itself, another does not."""
    first, again, other = [await engine.ask("Tell a story.", seed=n, temperature=1.0) for n in (7, 7, 8)]

    assert first.text == again.text != other.text


async def test_prompts_longer_than_a_step_have_seeds_too(engine):
    """They are read whole: vLLM ends at the second part of a prompt whose request has a seed, on a CPU."""
    answers = await asyncio.gather(*(engine.ask(text, seed=7, max_tokens=4) for text in LONG))

    assert sum(answer.usage.prompt_tokens - answer.usage.cached_tokens for answer in answers) > 2048
    assert all(answer.text for answer in answers)


async def test_log_probabilities_and_stop_words_are_vllms(engine):
    """One entry for each token with the asked number of likeliest ones; stop words end the text and are not in it."""
    whole = await engine.ask("Count to ten.", temperature=0.0, logprobs=2, max_tokens=8)
    word = whole.text.split()[2]
    cut = await engine.ask("Count to ten.", temperature=0.0, stop=(word,))

    assert isinstance(whole.logprobs, list)
    assert "".join(token["token"] for token in whole.logprobs) == whole.text
    assert all(token["logprob"] <= 0 for token in whole.logprobs)
    assert all(len(token["top_logprobs"]) == 2 for token in whole.logprobs)
    assert (whole.finish_reason, cut.finish_reason) == ("length", "stop")
    assert cut.text == whole.text.partition(word)[0]
    assert cut.logprobs is None


async def test_what_prompts_have_in_common_is_computed_once(engine):
    """Of a second prompt with the same beginning all full blocks, of 128 tokens on CPUs, come from the cache."""
    await engine.ask("Which square is best?")
    second = await engine.ask("Which square is worst?")

    assert second.usage.cached_tokens == 256 < second.usage.prompt_tokens < 384
    assert second.cost_usd == 0.0
    assert second.fingerprint.startswith("vllm-")
    assert "/" not in second.model


def steps() -> float:
    """How many steps the engine has taken, by its own count."""
    from prometheus_client import REGISTRY

    found = [sample for metric in REGISTRY.collect() for sample in metric.samples]
    (count,) = [sample.value for sample in found if sample.name == "vllm:iteration_tokens_total_count"]
    return count


async def test_requests_share_a_batch(engine):
    """Sixteen answers of 24 tokens at once take the engine fewer than a hundred steps; in a row they would take 384."""
    before = steps()
    answers = await asyncio.gather(*(engine.ask(f"Tell tale {n}.", extra={"ignore_eos": True}) for n in range(16)))

    assert [answer.usage.completion_tokens for answer in answers] == [24] * 16
    assert 24 <= steps() - before < 100


async def test_a_tool_is_called_with_arguments_that_fit(engine):
    """Native tool calls are forced by the tool's schema."""
    schema = {"type": "object", "properties": {"action": {"enum": ["a1", "b2"]}}, "required": ["action"]}

    answer = await engine.ask("Play.", tools=(Tool("play", "Play on a square.", schema),), max_tokens=64)

    assert answer.finish_reason == "tool-calls"
    (call,) = answer.tool_calls[:1]
    assert call.name == "play"
    assert json.loads(call.arguments)["action"] in ("a1", "b2")


async def test_the_event_loop_turns_while_the_model_writes(engine):
    """Other work goes on during a completion, and a cancelled one stops."""
    task = asyncio.ensure_future(engine.ask("Tell a story.", max_tokens=1500, extra={"ignore_eos": True}))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await task

    assert (await engine.ask("Hello", max_tokens=2)).usage.completion_tokens <= 2


async def test_a_prompt_that_is_too_long_is_recorded_as_such(engine):
    """The agent is told, and its policy decides; whether a little too long or far."""
    for times in (1000, 5000):
        answer = await engine.ask("so long " * times)

        assert (answer.text, answer.finish_reason) == ("", "context-length")


@pytest.mark.parametrize(
    ("text", "schema", "complaint"),
    [
        ("x", {"type": "nonsense"}, "vLLM refuses the request .*nonsense"),
        ("x", {"enum": []}, "vLLM refuses the request .*enum"),
    ],
)
async def test_what_cannot_be_answered_is_refused_for_good(engine, text, schema, complaint):
    """One sentence, and asking again is no use."""
    with pytest.raises(RequestRejected, match=complaint) as error:
        await engine.ask(text, schema)

    assert "\n" not in str(error.value)


async def test_a_base_model_beside_it_keeps_the_contract(engine, base_model):
    """The shipped check finds nothing wrong with a second engine in the same process, closed and loaded again.

    Without a chat template the model is sent raw text, with schemas, seeds and log probabilities.
    """
    report = await asyncio.to_thread(check_backend, Engine(model=base_model, context=1024, options=SMALL))

    assert report.capabilities == ("batch", "logprobs", "offline", "schema", "seed")
    assert report.untested == ()
    assert (await engine.ask("Still there?")).text


@pytest.mark.parametrize(
    ("changes", "kind", "complaint"),
    [
        ({"model": "nobody/no-such-model"}, BackendError, "cannot load 'nobody/no-such-model' .*; correct model"),
        ({"options": {"no-such-option": 1}}, ConfigError, "refuses the backend's options: .*no-such-option"),
        ({"context": 10**9}, BackendError, r"cannot load .*max_model_len"),
        (
            {"options": {"enable-chunked-prefill": True}},
            ConfigError,
            "on a CPU vLLM cannot read prompts in parts .*leave",
        ),
        ({"options": {"max-num-batched-tokens": 256}}, BackendError, r"max_num_batched_tokens \(256\) is smaller"),
    ],
)
async def test_what_cannot_be_loaded_is_one_sentence(model, changes, kind, complaint):
    """An unknown model or option, a context that the model does not have, prompts that could not be read whole."""
    backend = attrs.evolve(Engine(model=model, options=SMALL), **changes)

    with pytest.raises(kind, match=complaint) as error:
        await backend.connect()

    assert "\n" not in str(error.value)

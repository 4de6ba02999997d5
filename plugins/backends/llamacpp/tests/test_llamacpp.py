import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import attrs
import pytest
from arena.backend import Backend, Completion, CompletionRequest, Connection, Message, Sampling, Tool
from arena.catalog import Catalog
from arena.errors import ConfigError, RequestRejected, TransientBackendError
from arena.game import Image
from arena.testing import check_backend
from arena_backend_llamacpp import LLAMACPP, slots
from arena_backend_llamacpp.backend import LlamaCpp

BACKEND = LlamaCpp(temperature=0.0, max_tokens=80, slots=1, context=1024)
LABELS = ("e2-e4", "knight takes f3 ♞", "é1", '"quoted"', "10")


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    """The embedded model, loaded once, with one slot."""
    found = asyncio.run(BACKEND.connect())
    yield found
    asyncio.run(found.close())


async def ask(
    connection: Connection, text: str, backend: Backend = BACKEND, schema=None, tools=(), **sampling
) -> Completion:
    """Ask as the core does: with the backend's own settings filled in."""
    request = CompletionRequest(messages=(Message.of("user", text),), schema=schema, tools=tools)
    return await connection.complete(attrs.evolve(request, sampling=backend.with_defaults(Sampling(**sampling))))


def answer_schema(*names: str) -> dict:
    known = {"reasoning": {"type": "string", "maxLength": 40}, "action": {"enum": list(LABELS)}}
    properties = {name: known[name] for name in names}
    return {"type": "object", "properties": properties, "required": list(names), "additionalProperties": False}


def test_the_descriptor_says_what_the_class_says():
    """Capabilities can be read without importing the class, and are the same."""
    entry = Catalog().get("backend", "llamacpp")

    assert entry.load() is LlamaCpp
    assert LLAMACPP.capabilities == LlamaCpp.capabilities
    LlamaCpp(**LLAMACPP.example)


@pytest.mark.slow  # many tokens
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("order", [("reasoning", "action"), ("action", "reasoning")])
async def test_an_answer_keeps_to_its_schema_and_the_order_of_its_properties(connection, order):
    """Properties come as the schema lists them, so that reasoning can precede the action."""
    completion = await ask(connection, "Choose a move in chess.", schema=answer_schema(*order))

    assert tuple(json.loads(completion.text)) == order
    assert completion.finish_reason == "stop"


@pytest.mark.campaign
async def test_labels_come_back_exactly(connection):
    """Whatever is drawn at a high temperature is one of the labels, to the letter."""
    texts = [
        (await ask(connection, "Choose.", schema=answer_schema("action"), temperature=3.0, seed=seed)).text
        for seed in range(6)
    ]

    chosen = {json.loads(text)["action"] for text in texts}
    assert len(chosen) > 1
    assert chosen <= set(LABELS)


@pytest.mark.slow
async def test_a_pattern_is_kept_too(connection):
    """Schemas beyond the fast way constrain as well."""
    completion = await ask(connection, "A square?", schema={"type": "string", "pattern": "^[a-h][1-8]$"})

    assert re.fullmatch(r'"[a-h][1-8]"\s*', completion.text)


@pytest.mark.campaign
async def test_one_slot_repeats_itself_at_temperature_zero(connection):
    """Two fresh connections give the same answers to the same requests, and say that they are the same model."""

    async def answers() -> list[Completion]:
        fresh = await BACKEND.connect()
        try:
            return [await ask(fresh, f"Tell me about the number {number}.", max_tokens=16) for number in range(2)]
        finally:
            await fresh.close()

    assert await answers() == await answers()


@pytest.mark.slow
async def test_a_seed_decides_what_is_drawn(connection):
    """Above temperature 0 the same seed gives the same text and another seed another."""
    first, again, other = [
        (await ask(connection, "Invent a word.", temperature=1.5, seed=seed, max_tokens=16)).text for seed in (1, 1, 2)
    ]

    assert first == again
    assert first != other


async def test_an_answer_that_hits_the_limit_is_marked(connection):
    """``max_tokens`` cuts the answer and the finish reason says so."""
    completion = await ask(connection, "Tell a long story.", max_tokens=3)

    assert completion.finish_reason == "length"
    assert completion.usage.completion_tokens == 3


@pytest.mark.slow
async def test_a_stop_text_ends_the_answer(connection):
    """Nothing from the stop text on is in the answer."""
    whole = await ask(connection, "Count to three.", max_tokens=12)
    stop = whole.text[len(whole.text) // 2 :][:3]

    cut = await ask(connection, "Count to three.", max_tokens=12, stop=(stop,))

    assert cut.text == whole.text[: whole.text.index(stop)]
    assert cut.finish_reason == "stop"


async def test_a_repeated_prompt_is_cached_and_counted(connection):
    """Usage tells prompt, answer and what of the prompt was cached; nothing costs anything."""
    first = await ask(connection, "A prompt that nobody else uses.", max_tokens=2)
    again = await ask(connection, "A prompt that nobody else uses.", max_tokens=2)

    assert first.usage.prompt_tokens == again.usage.prompt_tokens > 10
    assert first.usage.cached_tokens < again.usage.cached_tokens < again.usage.prompt_tokens
    assert again.cost_usd == 0.0
    assert again.model == "SmolLM2-135M-Instruct.Q4_1"


async def test_logprobs_come_for_every_token(connection):
    """Each token has its log probability and the likeliest others; without asking there are none."""
    completion = await ask(connection, "Hello", max_tokens=4, logprobs=2)
    silent = await ask(connection, "Hello", max_tokens=4)

    assert "".join(token["token"] for token in completion.logprobs) == completion.text
    assert all(token["logprob"] <= 0 and len(token["top_logprobs"]) == 2 for token in completion.logprobs)
    assert silent.logprobs is None
    json.dumps(completion.logprobs)


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        (CompletionRequest(messages=(Message.of("user", Image("image/png", b"")),)), "no images"),
        (
            CompletionRequest(messages=(Message.of("user", "x"),), tools=(Tool("play", "Play.", {}),)),
            "no native tool calls",
        ),
        (CompletionRequest(messages=(Message("tool", ("x",), tool_call="1"),)), "no native tool calls"),
        (CompletionRequest(messages=(Message.of("user", "x"),), schema={"type": "nonsense"}), "nonsense"),
        (
            CompletionRequest(
                messages=(Message.of("user", "x"),),
                schema={"enum": []},
                sampling=Sampling(max_tokens=8, temperature=0.0),
            ),
            "keep to the schema",
        ),
    ],
)
async def test_what_cannot_be_asked_is_refused_for_good(connection, request_, complaint):
    """A request this model cannot answer is an error that no retry would cure."""
    with pytest.raises(RequestRejected, match=complaint):
        await connection.complete(request_)


async def test_a_prompt_that_no_slot_holds_is_an_answer(connection):
    """It is told apart from an empty answer, and the next prompt is answered."""
    answer = await connection.complete(CompletionRequest(messages=(Message.of("user", "x " * 3000),)))

    assert (answer.text, answer.finish_reason) == ("", "context-length")
    assert (await ask(connection, "Hello", max_tokens=2)).text


@pytest.mark.slow
async def test_the_event_loop_turns_while_the_model_writes(connection):
    """Other work goes on during a completion."""
    task = asyncio.ensure_future(ask(connection, "Tell a story.", max_tokens=8))
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns > 50


@pytest.mark.slow
async def test_a_cancelled_request_frees_its_slot(connection):
    """The model stops writing for who has gone: with one slot, the next answer does not wait for 900 tokens.

    What is measured is how much is computed, of which a busy machine does no more.
    """
    begun_s = time.process_time()
    await ask(connection, "Tell a story without end.", max_tokens=30, logprobs=0)
    thirty_s = time.process_time() - begun_s
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await ask(connection, "Tell a story without end.", max_tokens=900, logprobs=0)

    begun_s = time.process_time()
    completion = await ask(connection, "Hello", max_tokens=2)
    assert completion.usage.completion_tokens == 2
    assert time.process_time() - begun_s < 10 * thirty_s


@pytest.mark.campaign
async def test_more_requests_than_slots_are_all_answered(connection):
    """Eight requests over four slots come back, each to who asked; the other connection does not mind the close."""
    backend = attrs.evolve(BACKEND, slots=4, context=256)
    several = await backend.connect()
    schemas = [{"const": number} for number in range(8)]

    completions = await asyncio.gather(*(ask(several, "?", backend, schema) for schema in schemas))
    await several.close()

    assert [json.loads(completion.text) for completion in completions] == list(range(8))
    assert (await ask(connection, "Hello", max_tokens=2)).text


@pytest.mark.campaign
async def test_beginning_that_prompts_share_is_read_once(connection):
    """Of three requests at once, one reads the rules; the others get a copy, and say what a slot alone would say."""
    rules = " ".join(f"Rule {number}: whoever says {number} twice says it once more." for number in range(10))
    seats = [f"{rules} You are {seat}." for seat in ("X", "O", "X")]
    backend = attrs.evolve(BACKEND, slots=3, context=512)
    asked = [
        CompletionRequest(
            messages=(Message.of("system", system), Message.of("user", f"Name {number} fruits.")),
            sampling=backend.with_defaults(Sampling(max_tokens=3)),
        )
        for number, system in enumerate(seats, 2)
    ]

    several = await backend.connect()
    folder = several._slots.folder
    answers = await asyncio.gather(*map(several.complete, asked))
    assert len(list(folder.iterdir())) == 1
    await several.close()

    assert [answer.text for answer in answers] == [(await connection.complete(each)).text for each in asked]
    cached = sorted(answer.usage.cached_tokens / answer.usage.prompt_tokens for answer in answers)
    assert cached[0] < 0.1  # who asked first paid for what the others found
    assert cached[1] > 0.8
    assert not folder.exists()


@pytest.mark.campaign
async def test_beginning_for_which_there_is_no_room_is_not_read_beforehand_again(monkeypatch):
    """What was saved and had to go is read as it comes from then on, and no file of it is left."""
    monkeypatch.setattr(slots, "MOST_BYTES", 0)
    backend = attrs.evolve(BACKEND, slots=2, context=512)
    several = await backend.connect()
    read, reading = [], several._slots._read
    several._slots._read = lambda text, slot: read.append(text) or reading(text, slot)
    rules = [f"{letter * 5} {'Whoever speaks first is out of the game. ' * 12}" for letter in "ABC"]

    for system in (*rules, *rules):
        sampling = backend.with_defaults(Sampling(max_tokens=1))
        await several.complete(
            CompletionRequest(messages=(Message.of("system", system), Message.of("user", "Go.")), sampling=sampling)
        )
    left = [*several._slots.folder.iterdir()]
    await several.close()

    assert read == rules
    assert left == []


@pytest.mark.campaign
async def test_closing_stops_what_is_being_written():
    """Who still waits when the connection is closed gets an error, and closing does not wait for the answer."""
    closing = await BACKEND.connect()
    tasks = [asyncio.ensure_future(ask(closing, "Tell a story without end.", max_tokens=900)) for _ in range(2)]
    await asyncio.sleep(0)

    await closing.close()

    for task in tasks:  # which had been answered if it had waited
        with pytest.raises(TransientBackendError, match="broke off"):
            await task


@pytest.mark.campaign
def test_the_contract_of_a_backend_is_kept():
    """The conformance check finds nothing."""
    report = check_backend(attrs.evolve(BACKEND, slots=2), prompt="Hello")

    assert report.untested == ()


def test_concurrency_follows_the_slots():
    """As many requests are in flight as there are slots, unless it is said otherwise."""
    assert LlamaCpp(slots=3).concurrency == 3
    assert LlamaCpp(slots=3, concurrency=9).concurrency == 9


async def test_a_file_that_llama_cpp_cannot_load_is_one_sentence(tmp_path):
    """A damaged model is the user's mistake, said in one sentence."""
    path = tmp_path / "damaged.gguf"
    path.write_bytes(b"GGUF" + bytes(1000))

    with pytest.raises(ConfigError, match=r"cannot load 'damaged\.gguf'") as error:
        await LlamaCpp(model=str(path)).connect()

    assert "\n" not in str(error.value)


SCRIPT = """
import asyncio, sys
from arena.backend import CompletionRequest, Message, Sampling
from arena_backend_llamacpp.backend import LlamaCpp
loaded = sorted({"xllamacpp", "rich", "urllib.request"} & set(sys.modules))
async def main():
    connection = await LlamaCpp(slots=1, context=256).connect()
    request = CompletionRequest(messages=(Message.of("user", "Hello"),), sampling=Sampling(max_tokens=4))
    assert (await connection.complete(request)).text
    CLOSE
asyncio.run(main())
print("done", loaded)
"""


@pytest.mark.slow  # loads the model in a process of its own
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("close", ["await connection.close()", "sys.keep = connection"])
def test_a_process_ends_quietly(close):
    """A script ends with 0, writes nothing of llama.cpp's, and does not hang, even where it forgot to close."""
    script = SCRIPT.replace("CLOSE", close)

    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)

    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith("done")
    assert "xllamacpp" not in process.stdout

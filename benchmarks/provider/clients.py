"""Clients of the server, each in a process of its own, as its own users call it.

    python -m provider.clients NAME ADDRESS CALLS AT_ONCE

Prints three numbers: CPU seconds until the client is ready to ask, CPU seconds for each call, and the seconds by the
clock that all calls took.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

Ask = Callable[[], Awaitable[object]]
"""Asks once, and reads what was answered."""

MODEL = "local"
WARM_UP = 32
FEW = 4
"""Matches of the run that is taken off another one."""

MESSAGES = [
    {"role": "system", "content": "You play tic-tac-toe. Answer with one of the moves. " * 8},
    {"role": "user", "content": "The board is empty, and you are to move. " * 16},
]


async def bare(address: str, stack: AsyncExitStack, at_once: int) -> Ask:
    """A session of aiohttp and msgspec, and nothing else."""
    import aiohttp
    import msgspec

    class Message(msgspec.Struct):
        content: str

    class Choice(msgspec.Struct):
        message: Message

    class Usage(msgspec.Struct):
        prompt_tokens: int
        completion_tokens: int

    class Completion(msgspec.Struct):
        choices: list[Choice]
        usage: Usage

    connector = aiohttp.TCPConnector(limit=at_once)
    session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
    encode, decoder = msgspec.json.Encoder().encode, msgspec.json.Decoder(Completion)
    headers = {"Content-Type": "application/json"}

    async def ask() -> object:
        body = encode({"model": MODEL, "messages": MESSAGES, "max_tokens": 64})
        async with session.post(f"{address}/chat/completions", data=body, headers=headers) as answer:
            return decoder.decode(await answer.read()).choices[0].message.content

    return ask


async def httpx(address: str, stack: AsyncExitStack, _: int) -> Ask:
    """A client of httpx, and json."""
    from httpx import AsyncClient

    client = await stack.enter_async_context(AsyncClient())

    async def ask() -> object:
        body = {"model": MODEL, "messages": MESSAGES, "max_tokens": 64}
        answer = await client.post(f"{address}/chat/completions", json=body)
        return answer.json()["choices"][0]["message"]["content"]

    return ask


async def openai(address: str, stack: AsyncExitStack, _: int) -> Ask:
    """OpenAI's own asynchronous client, asked as its documentation shows."""
    from openai import AsyncOpenAI

    client: Any = await stack.enter_async_context(AsyncOpenAI(base_url=address, api_key="none"))

    async def ask() -> object:
        answer = await client.chat.completions.create(model=MODEL, messages=MESSAGES, max_tokens=64)
        return answer.choices[0].message.content

    return ask


async def litellm(address: str, _: AsyncExitStack, __: int) -> Ask:
    """LiteLLM's `acompletion`, which reaches the server by OpenAI's protocol."""
    from litellm import acompletion

    async def ask() -> object:
        answer: Any = await acompletion(
            model=f"openai/{MODEL}", messages=MESSAGES, max_tokens=64, api_base=address, api_key="none"
        )
        return answer.choices[0].message.content

    return ask


async def direct(address: str, stack: AsyncExitStack, at_once: int) -> Ask:
    """Arena's backend `openai-compatible`: a connection alone, without engine and journal."""
    from arena.backend import CompletionRequest, Message, Sampling
    from arena_backend_openai_compatible.backend import OpenAICompatible

    connection = await OpenAICompatible(model=MODEL, base_url=address, concurrency=at_once).connect()
    stack.push_async_callback(connection.close)
    messages = (Message.of("system", MESSAGES[0]["content"]), Message.of("user", MESSAGES[1]["content"]))
    request = CompletionRequest(messages=messages, sampling=Sampling(max_tokens=64))

    async def ask() -> object:
        return (await connection.complete(request)).text

    return ask


CLIENTS = {ready.__name__: ready for ready in (bare, httpx, openai, litellm, direct)}
RUNS: Mapping[str, Mapping[str, Any]] = {
    "arena-litellm": {"use": "litellm", "model": f"openai/{MODEL}"},
    "arena-direct": {"use": "openai-compatible", "model": MODEL},
    "arena-stream": {"use": "openai-compatible", "model": MODEL, "stream": True},
}
"""Runs of Arena by their backend."""
AT_ONCE = "all of "
"""Before the name of a run: as many matches as calls are asked for, all in flight."""


async def measured(name: str, address: str, calls: int, at_once: int) -> tuple[float, float, float]:
    """CPU seconds to start and for a call, and the time of all calls."""
    async with AsyncExitStack() as stack:
        ask = await CLIENTS[name](address, stack, at_once)
        await ask()
        started = time.process_time()
        await many(ask, WARM_UP, min(WARM_UP // 2, at_once))
        began, clock = time.process_time(), time.monotonic()
        await many(ask, calls, at_once)
        return started, (time.process_time() - began) / calls, time.monotonic() - clock


async def many(ask: Ask, calls: int, at_once: int) -> None:
    """Ask so often, so many at once."""
    left = iter(range(calls))

    async def some() -> None:
        for _ in left:
            assert await ask()

    await asyncio.gather(*(some() for _ in range(at_once)))


def play(directory: Path, name: str, address: str, matches: int, at_once: int) -> Counter[str]:
    """Matches of tic-tac-toe by `llm` agents through a backend, with their journal; the calls of each match."""
    from arena_engine import build_benchmark
    from arena_engine.execution.runner import create_run, play_run

    backend = {**RUNS[name], "base-url": address, "concurrency": at_once}
    player = {"use": "llm", "backend": {**backend, "prices": {"input": 1.0, "output": 1.0}}}
    plain = {
        "name": "serving",
        "seed": 1,
        "games": {"game": "tic-tac-toe"},
        "agents": {"one": player, "two": player},
        "schedule": {"use": "round-robin", "repeats": matches, "rotate-seats": False},
        "limits": {"concurrency": at_once},
        "metrics": [],
    }
    benchmark = build_benchmark(plain)
    with create_run(benchmark, directory) as journal:
        outcome = asyncio.run(play_run(journal, benchmark, {}, lambda *failure: sys.exit(str(failure))))
        assert outcome.finished == matches, outcome.failed
        return Counter(
            record.id
            for record in journal.records()
            for event in record.events
            if event.source == "referee" and event.kind in ("played", "refused")
        )


def arena(name: str, address: str, calls: int, at_once: int) -> tuple[float, float, float]:
    """A run without its start: CPU seconds for a call, game, prompts and journal included."""

    def timed(directory: Path, matches: int) -> tuple[float, int]:
        began = time.process_time()
        asked = play(directory, name, address, matches, at_once)
        return time.process_time() - began, asked.total()

    with tempfile.TemporaryDirectory() as place:
        play(Path(place, "one"), name, address, FEW, at_once)
        started, clock = time.process_time(), time.monotonic()
        # Making and beginning a run costs as much as a hundred calls, and is no part of one.
        of_few, calls_of_few = timed(Path(place, "few"), FEW)
        of_many, calls_of_many = timed(Path(place, "many"), FEW + max(FEW, calls // 7))
        return started, (of_many - of_few) / (calls_of_many - calls_of_few), time.monotonic() - clock


def at_once(name: str, address: str, matches: int) -> tuple[float, float, float]:
    """A run whose matches are all in flight: the longest chain of calls in one, and seconds by the clock for all."""
    with tempfile.TemporaryDirectory() as place:
        clock = time.monotonic()
        asked = play(Path(place, "run"), name, address, matches, matches)
        return time.process_time(), max(asked.values()), time.monotonic() - clock


def main() -> None:
    """Measure the client that the arguments name, and print its three numbers as JSON."""
    name, address, calls, places = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if name in RUNS:
        found = arena(name, address, calls, places)
    elif name.removeprefix(AT_ONCE) in RUNS:
        found = at_once(name.removeprefix(AT_ONCE), address, calls)
    else:
        found = asyncio.run(measured(name, address, calls, places))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()

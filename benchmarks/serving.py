"""What one call of a hosted model costs its client: a bare loop, httpx, OpenAI's client, LiteLLM, and Arena.

    python benchmarks/serving.py [--rounds 5] [--calls 300] [--quick] [--write]

The server (``provider/server.py``) runs on this machine in a process of its own and answers at once; it speaks OpenAI's
protocol. Each client (``provider/clients.py``) asks in a process of its own, 16 at once; what is compared are its CPU
seconds for a call, after it has started and asked 33 times. *bare* is aiohttp and msgspec: the least that a call can
cost in Python. *Arena* is a run of tic-tac-toe between ``llm`` agents through the ``litellm`` or the
``openai-compatible`` backend: prompts, schema, game, referee and journal included, less the same with four matches,
since making a run is no part of a call. *start* is CPU until the first answer, imports included. *In flight*: a server
that takes a second, asked 1,000 at once; the clock over the time that 1,000 ideal connections would take, those being
opened included. *Matches in flight* are a run of 1,000 at once: the clock, the start of the run included, over a second
for each call of the longest match.
"""

import argparse
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from provider.clients import AT_ONCE as ALL_OF, CLIENTS, RUNS
from provider.process import provider
from ratios.rounds import in_turns
from ratios.rows import Row, limited, over
from ratios.script import run

AT_ONCE = 16
NAMES = {"httpx": "httpx", "openai": "OpenAI's client", "litellm": "LiteLLM", "direct": "openai-compatible"}
GOAL = 3.0
GOAL_RUN_MS = 0.7
GOAL_STREAM = 1.0
IN_FLIGHT = 1_000
WAVES = 5
LATENCY_S = 1.0
GOAL_IN_FLIGHT = 1.1
GOAL_MATCHES = 1.3


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """A call of each client, and its start."""
    calls = options.calls // (3 if options.quick else 1)
    starts: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as place, provider(Path(place), "serving", "--latency", "0") as server:

        def asking(name: str) -> Callable[[], float]:
            starts[name] = []

            def ask() -> float:
                start, each, _ = asked(name, server.address, calls, AT_ONCE)
                starts[name].append(start)
                return each

            return ask

        found = in_turns({name: asking(name) for name in (*CLIENTS, *RUNS)}, options.rounds, is_warm=True)

    def compared(name: str, one: str, other: str, goal: float | None = None) -> Row:
        note = f"{1_000 * median(found[one]):.2f} and {1_000 * median(found[other]):.2f} ms"
        return Row(name=name, ratios=over(found[one], found[other]), goal=goal, note=note)

    for name, title in NAMES.items():
        yield compared(f"a call of {title} × of the bare client", name, "bare", GOAL if name == "direct" else None)
    yield compared("a call of Arena by LiteLLM, game and journal included × of LiteLLM", "arena-litellm", "litellm")
    what = "a call of Arena by openai-compatible, game and journal included"
    yield limited(what, [1_000 * each for each in found["arena-direct"]], GOAL_RUN_MS, "ms")
    yield compared("a call of Arena streamed × of one that comes whole", "arena-stream", "arena-direct", GOAL_STREAM)
    for name in ("litellm", "direct"):
        note = f"{median(starts[name]):.2f} and {median(starts['bare']):.2f} s"
        yield Row(
            name=f"start of {NAMES[name]} × of the bare client", ratios=over(starts[name], starts["bare"]), note=note
        )
    yield from in_flight(options)


def in_flight(options: argparse.Namespace) -> Iterator[Row]:
    """A thousand requests at once that take a second, by the bare client and by ours."""
    at_once, latency = (IN_FLIGHT // 10, LATENCY_S / 10) if options.quick else (IN_FLIGHT, LATENCY_S)
    places = ("--latency", str(latency), "--places", str(at_once))
    with tempfile.TemporaryDirectory() as place, provider(Path(place), "in_flight", *places) as server:

        def waiting(name: str) -> float:
            return asked(name, server.address, WAVES * at_once, at_once)[2] / (WAVES * latency)

        def playing() -> float:
            _, longest, seconds = asked(f"{ALL_OF}arena-direct", server.address, at_once, at_once)
            return seconds / (longest * latency)

        works = {name: functools.partial(waiting, name) for name in ("bare", "direct")} | {"matches": playing}
        found = in_turns(works, options.rounds, is_warm=True)
    for name, title in (("direct", NAMES["direct"]), ("bare", "the bare client")):
        row = f"{IN_FLIGHT:,} calls of {title} in flight, time × the ideal"
        yield Row(name=row, ratios=tuple(found[name]), goal=GOAL_IN_FLIGHT, against="limit")
    row = f"{IN_FLIGHT:,} calls of {NAMES['direct']} in flight, time × of the bare client"
    yield Row(name=row, ratios=over(found["direct"], found["bare"]))
    row = f"{IN_FLIGHT:,} matches of `llm` agents in flight, game and journal included, time × the ideal"
    yield Row(name=row, ratios=tuple(found["matches"]), goal=GOAL_MATCHES, against="limit")
    row = f"{IN_FLIGHT:,} matches of `llm` agents in flight, time × of the bare client"
    yield Row(name=row, ratios=over(found["matches"], found["bare"]))


def asked(name: str, address: str, calls: int, at_once: int) -> tuple[float, float, float]:
    """CPU seconds of a client until it is ready, CPU seconds for a call, and seconds by the clock for all."""
    command = [sys.executable, "-m", "provider.clients", name, address, str(calls), str(at_once)]
    environment = {**os.environ, "OPENAI_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    done = subprocess.run(
        command, cwd=Path(__file__).parent, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    start, each, seconds = json.loads(done.stdout.splitlines()[-1])
    return start, each, seconds


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--calls", type=int, default=300)


if __name__ == "__main__":
    dists = ("aiohttp", "msgspec", "httpx", "openai", "litellm")
    sys.exit(run(__doc__, measure, dists=dists, arguments=arguments))

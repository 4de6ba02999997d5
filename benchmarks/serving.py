"""What one call of a hosted model costs its client: a bare loop, httpx, OpenAI's client, LiteLLM, and Arena.

    python benchmarks/serving.py [--rounds 5] [--calls 300] [--quick] [--write]

The server (``provider/server.py``) runs on this machine in a process of its own and answers at once; it speaks OpenAI's
protocol. Each client (``provider/clients.py``) asks in a process of its own, 16 at once; what is compared are its CPU
seconds for a call, after it has started and asked 33 times. *bare* is aiohttp and msgspec: the least that a call can
cost in Python. *arena* is a run of tic-tac-toe between ``llm`` agents through the ``litellm`` backend: prompts, schema,
game, referee and journal included. *start* is CPU until the first answer, imports included.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from provider.clients import CLIENTS
from provider.process import provider
from ratios.rounds import in_turns
from ratios.rows import Row, over
from ratios.script import run

AT_ONCE = 16
NAMES = {"bare": "the bare client", "httpx": "httpx", "openai": "OpenAI's client", "litellm": "LiteLLM"}


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """A call of each client, and its start."""
    calls = options.calls // (3 if options.quick else 1)
    starts: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as place, provider(Path(place), "serving", "--latency", "0") as server:

        def asking(name: str) -> Callable[[], float]:
            starts[name] = []

            def ask() -> float:
                command = [sys.executable, "-m", "provider.clients", name, server.address, str(calls), str(AT_ONCE)]
                environment = {**os.environ, "OPENAI_API_KEY": "none", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
                done = subprocess.run(
                    command, cwd=Path(__file__).parent, env=environment, check=True, stdout=subprocess.PIPE, text=True
                )
                start, each = json.loads(done.stdout.splitlines()[-1])
                starts[name].append(start)
                return each

            return ask

        found = in_turns({name: asking(name) for name in (*CLIENTS, "arena")}, options.rounds, is_warm=True)

    def compared(name: str, one: str, other: str) -> Row:
        note = f"{1_000 * median(found[one]):.2f} and {1_000 * median(found[other]):.2f} ms"
        return Row(name=name, ratios=over(found[one], found[other]), note=note)

    for name in ("httpx", "openai", "litellm"):
        yield compared(f"a call of {NAMES[name]} × of the bare client", name, "bare")
    yield compared("a call of Arena by LiteLLM, game and journal included × of LiteLLM", "arena", "litellm")
    note = f"{median(starts['litellm']):.2f} and {median(starts['bare']):.2f} s"
    yield Row(name="start of LiteLLM × of the bare client", ratios=over(starts["litellm"], starts["bare"]), note=note)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--calls", type=int, default=300)


if __name__ == "__main__":
    dists = ("aiohttp", "msgspec", "httpx", "openai", "litellm")
    sys.exit(run(__doc__, measure, dists=dists, arguments=arguments))

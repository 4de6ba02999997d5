"""Models run by vLLM in this process: tokens and matches per hour, and how much of the prompts was cached.

    python benchmarks/vllm_serving.py [--model Qwen/Qwen3-8B] [--matches 64] [--write]

Matches of tic-tac-toe between two ``llm`` agents with one model, an
eighth of them one after another and then all at once; loading the model is not counted. The ratio of the two rates
says what the common batch is worth. Runs on the GPUs that vLLM finds, otherwise on the CPU; unless a model is named,
with the small one that Arena comes with. Nothing is measured where vLLM is not installed; make test-vllm makes an
environment that has it.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.hookspecs import hookimpl
from arena_engine import build_benchmark
from arena_engine.execution.runner import create_run, play_run
from ratios.rows import Row
from ratios.script import run

ON_CPU = {"dtype": "bfloat16", "enforce-eager": True, "max-num-seqs": 64}


class Meter:
    """An observer that counts tokens between the first question and the last match."""

    def __init__(self) -> None:
        self.begun: float | None = None
        self.ended = 0.0
        self.matches = self.read = self.cached = self.written = 0

    @hookimpl
    def completion_requested(self) -> None:
        """The model is loaded by now."""
        self.begun = self.begun or time.monotonic()

    @hookimpl
    def completion_received(self, completion: Any) -> None:
        """Add what one completion read and wrote to the sums."""
        self.read += completion.usage.prompt_tokens
        self.cached += completion.usage.cached_tokens or 0
        self.written += completion.usage.completion_tokens

    @hookimpl
    def match_finished(self) -> None:
        """Count one match, and note when it ended."""
        self.matches += 1
        self.ended = time.monotonic()

    def seconds(self) -> float:
        """From the first question to the last match."""
        assert self.begun is not None, "nothing was asked"
        return self.ended - self.begun


def device() -> str:
    """What vLLM computes on."""
    cuda: Any = import_module("torch").cuda
    return cuda.get_device_name(0) if cuda.is_available() else "CPU"


def play(model: str, matches: int, concurrency: int, directory: Path) -> Meter:
    """Play so many matches, so many of them at once."""
    options = {} if device() != "CPU" else ON_CPU
    backend = {"use": "vllm-engine", "model": model, "context": 4096, "max_tokens": 128, "options": options}
    player = {"use": "llm", "backend": backend, "reasoning_limit": 80}
    benchmark = build_benchmark(
        {
            "name": "vllm-serving",
            "seed": 1,
            "games": {"game": {"use": "tic-tac-toe"}},
            "agents": {"one": player, "two": player},
            "schedule": {"use": "round-robin", "repeats": matches, "rotate_seats": False},
            "limits": {"concurrency": concurrency},
        }
    )
    meter = Meter()
    with create_run(benchmark, directory) as journal:
        watchers = {"meter": meter}
        outcome = asyncio.run(play_run(journal, benchmark, watchers, lambda *failure: sys.exit(str(failure))))
    if outcome.failed:
        sys.exit(next(iter(outcome.failed.values())))
    return meter


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """One after another, then all at once."""
    if find_spec("vllm") is None:
        return
    model = options.model
    if model is None:
        from arena_backend_vllm.embedded_model import directory

        model = str(directory())
    with tempfile.TemporaryDirectory() as name:
        one = play(model, max(1, options.matches // 8), 1, Path(name) / "one")
        together = play(model, options.matches, options.matches, Path(name) / "all")
    alone, at_once = (meter.matches / meter.seconds() for meter in (one, together))
    written, read = together.written / together.seconds(), together.read / together.seconds()
    cached = 100 * together.cached / together.read
    told = Path(model).name if Path(model).is_dir() else model
    yield Row(
        name=f"{options.matches} matches at once × one by one, {told} on {device()}",
        ratios=(at_once / alone,),
        is_more_better=True,
        note=f"{3600 * at_once:,.0f} and {3600 * alone:,.0f} matches an hour; tokens a second: {written:,.0f} written, "
        f"{read:,.0f} read, {cached:.0f} % of them cached",
    )


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--model", help="a name on the hub or a directory")
    parser.add_argument("--matches", type=int, default=64)


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments, has_quick=False))

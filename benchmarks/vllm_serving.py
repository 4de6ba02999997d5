"""Models run by vLLM in this process: tokens and matches per hour, and how much of the prompts was cached.

    python benchmarks/vllm_serving.py [--model Qwen/Qwen3-8B] [--matches 64] [--write]

The same as ``benchmarks/serving.py --vllm``. Matches of tic-tac-toe between two ``llm`` agents with one model, an
eighth of them one after another and then all at once; loading the model is not counted. The ratio of the two rates
says what the common batch is worth. Runs on the GPUs that vLLM finds, otherwise on the CPU; unless a model is named,
with the small one that Arena comes with. ``--write`` puts the row into ``docs/performance.md``.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
from arena.hookspecs import hookimpl
from arena_engine import build_benchmark
from arena_engine.running.runner import create_run, play_run

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
HEAD = "| device | model | matches | matches/h one by one | at once | ratio | tokens/s written | read | cached |"
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


@attrs.frozen
class Speed:
    """What one device did."""

    device: str
    model: str
    one: Meter
    all: Meter

    def row(self) -> str:
        """The line of the table in the documentation."""
        alone, together = (3600 * meter.matches / meter.seconds() for meter in (self.one, self.all))
        written, read = self.all.written / self.all.seconds(), self.all.read / self.all.seconds()
        cells = (
            self.device,
            self.model,
            f"{self.all.matches}",
            f"{alone:,.0f}",
            f"{together:,.0f}",
            f"{together / alone:.1f}",
            f"{written:,.0f}",
            f"{read:,.0f}",
            f"{100 * self.all.cached / self.all.read:.0f} %",
        )
        return f"| {' | '.join(cells)} |"


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


def measure(model: str, matches: int) -> Speed:
    """One after another, then all at once."""
    with tempfile.TemporaryDirectory() as name:
        one = play(model, max(1, matches // 8), 1, Path(name) / "one")
        together = play(model, matches, matches, Path(name) / "all")
    return Speed(device(), Path(model).name if Path(model).is_dir() else model, one, together)


def write(row: str) -> None:
    """Put a row into the documentation, in the place of the same device's and model's."""
    text = PAGE.read_text("utf-8")
    key = " | ".join(row.split(" | ")[:2])
    kept = [line for line in text.splitlines() if not line.startswith(f"{key} |")]
    at = kept.index(HEAD) + 2
    while at < len(kept) and kept[at].startswith("|"):
        at += 1
    PAGE.write_text("\n".join([*kept[:at], row, *kept[at:]]) + "\n", "utf-8")


def report(model: str | None, matches: int, *, writes: bool) -> int:
    """Measure and print; the exit status."""
    if find_spec("vllm") is None:
        print("vLLM is not installed: nothing was measured; make test-vllm makes an environment that has it")
        return 0
    if model is None:
        from arena_backend_vllm.embedded import directory

        model = str(directory())
    row = measure(model, matches).row()
    print(HEAD, row, sep="\n")
    if writes:
        write(row)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a name on the hub or a directory")
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    options = parser.parse_args(arguments)
    return report(options.model, options.matches, writes=options.write)


if __name__ == "__main__":
    sys.exit(main())

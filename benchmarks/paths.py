"""How many functions of Arena are called on four ways through it, and in how many files they stand.

    python benchmarks/paths.py [--quick] [--write]

Each way is counted in a fresh process, the first time and the third time that it is gone. *Reply*: from a model's
answer to the action that the game plays. *Turn*: from an action that was played to the next question to a model.
*YAML*: a benchmark of nine lines. *Row*: a run with one finished match to its report. Calls into libraries are not
counted, nor those of other threads; generators count each time that they are resumed, as profilers count them.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from ratios.rows import Row, limited
from ratios.script import run

ROOT = str(Path(__file__).resolve().parents[1])
GOALS: Mapping[str, tuple[int, int | None]] = {
    "reply": (60, 12),
    "turn": (120, 15),
    "yaml": (1_500, None),
    "row": (4_000, 40),
}
"""The most calls, and the most files."""

BENCHMARK = """name: paths
seed: 1
games: {ttt: tic-tac-toe}
agents:
  one: {use: llm, backend: {use: scripted}}
  two: {use: llm, backend: {use: scripted, seed: 4}}
schedule: {use: round-robin, repeats: 1}
metrics: [outcomes]
limits: {concurrency: 1}
"""


class Calls:
    """Counts calls of functions of Arena between ``begin`` and ``end``; ``found`` are calls and files of each time."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []
        self._files: Counter[str] = Counter()

    def begin(self) -> None:
        """Begin to count."""
        self._files.clear()
        sys.setprofile(self._called)

    def end(self) -> None:
        """End, and keep what was counted if anything was begun."""
        sys.setprofile(None)
        if self._files:
            self.found.append((self._files.total(), len(self._files)))
            self._files.clear()

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and ((file.startswith(ROOT) and "/src/" in file) or file.startswith("<attrs generated")):
            self._files[file] += 1


def played(folder: Path, way: str) -> list[tuple[int, int]]:
    """Count between a model's answers and the actions of a match, or between the actions and the next question."""
    import arena
    from arena_backend_scripted.backend import ReplyScript
    from arena_game_openspiel.engine.game import SpielState

    calls, answer, play = Calls(), ReplyScript.complete, SpielState.apply

    async def complete(self: ReplyScript, request: Any) -> Any:
        calls.end()
        completion = await answer(self, request)
        if way == "reply":
            calls.begin()
        return completion

    def apply(self: SpielState, actions: Any) -> Any:
        if way == "reply":
            calls.end()
        events = play(self, actions)
        if way == "turn":  # what is played at random to know what that earns leads to no question
            calls.begin()
        return events

    ReplyScript.complete, SpielState.apply = complete, apply  # type: ignore[method-assign]
    arena.run(folder / "nine.yaml", output=folder / "run")
    calls.end()
    return calls.found


def read(folder: Path) -> list[tuple[int, int]]:
    """Count while a benchmark is read and built."""
    from arena_engine import load_benchmark

    return thrice(lambda: load_benchmark(folder / "nine.yaml"))


def reported(folder: Path) -> list[tuple[int, int]]:
    """Count while the report of a run of one match is made."""
    import arena

    one = (
        (folder / "nine.yaml")
        .read_text("utf-8")
        .replace("{use: round-robin, repeats: 1}", "{use: fixed, seatings: [[one, two]]}")
    )
    (folder / "one.yaml").write_text(one, "utf-8")
    arena.run(folder / "one.yaml", output=folder / "run")
    return thrice(lambda: arena.load(folder / "run").report())


def thrice(go: Callable[[], object]) -> list[tuple[int, int]]:
    """Count three times."""
    calls = Calls()
    for _ in range(3):
        calls.begin()
        go()
        calls.end()
    return calls.found


def counted(way: str) -> list[tuple[int, int]]:
    """Calls and files of one way, each time, in this process."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "nine.yaml").write_text(BENCHMARK, "utf-8")
        return {"yaml": read, "row": reported}[way](folder) if way in ("yaml", "row") else played(folder, way)


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Count each way in a process of its own."""
    for way, (most_calls, most_files) in GOALS.items():
        done = subprocess.run([sys.executable, __file__, "--count", way], check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        for name, (calls, files) in (("first", found[0]), ("third", found[2])):
            yield limited(f"{way}, the {name} time: calls", calls, most_calls)
            if most_files is not None:
                yield limited(f"{way}, the {name} time: files", files, most_files)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--count"]:
        print(json.dumps(counted(sys.argv[2])))
    else:
        sys.exit(run(__doc__, measure))

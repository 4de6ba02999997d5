"""What several processes bring on one machine: matches in two workers beside the same matches in one process.

    python benchmarks/processes.py [--rounds 5] [--workers 2] [--memory] [--quick] [--write]

Matches between two ``random`` agents by ``arena run -q``, with journal and without metrics, less the same run of four
matches in as many processes: what is compared is playing, not starting. By the clock, two workers need two idle
cores; the CPU seconds of driver and workers together show on a busy machine too what can be gained at most.
``--memory`` measures memory and nothing else, once, in some minutes: that of a run of 100,000 matches of tic-tac-toe,
beside that of 10,000, in one process and in several, where the largest of them counts.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import attrs
from ratios.rounds import ARENA, in_turns, measured
from ratios.rows import Row, limited, over
from ratios.script import run

MATCHES = {"chess": 200, "connect-four": 3_000, "tic-tac-toe": 8_000}
BY_THE_CLOCK = {"chess": 1.8, "connect-four": 1.7, "tic-tac-toe": 1.5}
IN_CPU = {"chess": 1.08, "connect-four": 1.15, "tic-tac-toe": 1.3}
DRIVER_US = 20.0
DRIVER_SHARE = 0.05
MEMORY = 1.3
FEW = 4

_PROGRAM = """
import json, resource, sys, time
from arena_cli import main
began = time.monotonic()
try:
    target, sys.argv = sys.argv[1], ["arena", *sys.argv[2:]]
    main()
except SystemExit as end:
    if end.code:
        raise
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
seconds = [time.monotonic() - began, *(each.ru_utime + each.ru_stime for each in used)]
json.dump(seconds, open(target, "w"))
"""


@attrs.frozen
class Cost:
    """Seconds by the clock, and CPU seconds of the process itself and of those that it started."""

    clock: float
    driver: float
    workers: float

    def less(self, other: "Cost") -> "Cost":
        """What this one cost more."""
        return Cost(self.clock - other.clock, self.driver - other.driver, self.workers - other.workers)

    @property
    def cpu(self) -> float:
        """The CPU seconds of all processes."""
        return self.driver + self.workers


def command_of(folder: Path, game: str, matches: int, executor: object) -> list[str | Path]:
    """The words behind `arena` that play so many matches in a folder."""
    plain = {
        "name": game,
        "seed": 1,
        "games": {game: game},
        "agents": {"a": "random", "b": "random"},
        "schedule": {"use": "round-robin", "repeats": matches // 2},
        "metrics": [],
        "executor": executor,
    }
    (folder / "bench.yaml").write_text(json.dumps(plain), "utf-8")
    return ["run", folder / "bench.yaml", "-q", "-o", folder / "run"]


def played(place: Path, game: str, matches: int, executor: object) -> Cost:
    """What a run of so many matches costs."""
    with tempfile.TemporaryDirectory(dir=place) as name:
        folder = Path(name)
        found = folder / "found.json"
        command = [sys.executable, "-c", _PROGRAM, found, *command_of(folder, game, matches, executor)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            sys.exit(f"{game} ended with {done.returncode}: {done.stderr.strip()}")
        return Cost(*json.loads(found.read_text("utf-8")))


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """One process and several, game by game."""
    several = {"use": "processes", "workers": options.workers}
    if options.memory:
        matches = 10_000 // (10 if options.quick else 1)
        yield of_memory("one process", matches, "asyncio")
        yield of_memory(f"{options.workers} workers", matches, several)
        return
    with tempfile.TemporaryDirectory() as name:
        for game, most in MATCHES.items():
            matches = most // (10 if options.quick else 1)
            works = {
                f"{number} {executor}": partial(played, Path(name), game, number, executor)
                for number in (FEW, matches)
                for executor in ("asyncio", several)
            }
            found = in_turns(works, options.rounds, is_warm=True)
            one = less(found[f"{matches} asyncio"], found[f"{FEW} asyncio"])
            many = less(found[f"{matches} {several}"], found[f"{FEW} {several}"])
            yield from rows(game, matches - FEW, options.workers, one, many)


def of_memory(where: str, matches: int, executor: object) -> Row:
    """The memory of a run of ten times as many matches beside that of so many."""
    found: list[float] = []
    for number in (matches, 10 * matches):
        with tempfile.TemporaryDirectory() as name:
            found.append(measured([ARENA, *command_of(Path(name), "tic-tac-toe", number, executor)])[1])
    few, many = found
    name = f"tic-tac-toe in {where}, memory of {10 * matches:,} matches × of {matches:,}"
    return Row(name=name, ratios=(many / few,), goal=MEMORY, note=f"{many:.0f} and {few:.0f} MB")


def less(more: Sequence[Cost], few: Sequence[Cost]) -> list[Cost]:
    """What the matches beyond the few cost, round by round."""
    return [cost.less(start) for cost, start in zip(more, few, strict=True)]


def rows(game: str, matches: int, workers: int, one: list[Cost], many: list[Cost]) -> Iterator[Row]:
    """The rows of one game."""
    clocks = over((cost.clock for cost in one), (cost.clock for cost in many))
    note = f"{median(cost.cpu for cost in one) / matches * 1e6:,.0f} µs of CPU a match in one process"
    called = f"{game}, {workers} workers × one process"
    yield Row(
        name=f"{called}, speed by the clock",
        ratios=clocks,
        goal=BY_THE_CLOCK[game],
        is_more_better=True,
        against="nothing",
    )
    cpus = over((cost.cpu for cost in many), (cost.cpu for cost in one))
    yield Row(name=f"{called}, CPU of all", ratios=cpus, goal=IN_CPU[game], note=note)
    shares = over((cost.driver for cost in many), (cost.workers for cost in many))
    if game == "chess":
        yield Row(name=f"{game}, driver × its workers", ratios=shares, goal=DRIVER_SHARE)
    if game == "tic-tac-toe":
        drivers = [cost.driver / matches * 1e6 for cost in many]
        yield limited(f"{game}, driver's CPU a match", drivers, DRIVER_US, "µs")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", action="store_true", help="measure memory instead")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))

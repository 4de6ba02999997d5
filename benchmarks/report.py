"""What `arena report` costs, beside exporting and playing the same run, and beside its metrics alone.

    python benchmarks/report.py [--rounds 5] [--matches 10000] [--memory] [--quick] [--write]

CPU seconds (user and system) of whole processes, taken in turns, with an empty cache folder for each. *Many* is a run
of 10,000 random matches of tic-tac-toe with the metrics ``outcomes`` and ``illegal-actions``; *few* is one of two
matches. The third run has 90 matches (three agents, three games); beside its report stands a process that reads its
journal and computes the same metrics; what random play earns is kept for both.
``--memory`` adds the memory of a report on ten times as many matches, measured once, in two minutes more.
"""

import argparse
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from peers.own import run_of
from ratios.rounds import ARENA, in_turns, measured, program
from ratios.rows import Row, over
from ratios.script import run

GOAL_EXPORT, GOAL_METRICS, GOAL_MEMORY = 1.5, 1.5, 1.3
BENCHMARK = """
name: three
seed: 3
games: {tic-tac-toe: tic-tac-toe, connect-four: connect-four, hex: {use: hex, rows: 5, columns: 5}}
agents:
  mcts: {use: mcts, simulations: 30}
  first: first-legal
  random: random
schedule: {use: round-robin, repeats: 5, rotate-seats: true}
"""
METRICS = """
import sys
from pathlib import Path

from arena.catalog import Catalog
from arena.metric import FinishedMatch, Measurements
from arena_engine import Journal, open_parts, recorded_games
from arena_report.metrics.choosing import metrics_of_every_report
from arena_report.metrics.measuring import MetricRun

catalog = Catalog()
with Journal.open(Path(sys.argv[1])) as journal:
    parts = open_parts(journal, catalog)
    games = {name: entry.game for name, entry in parts.games.items()}
    chosen = {**parts.metrics, **metrics_of_every_report(catalog, parts.metrics)}
    measuring = [MetricRun(name, metric) for name, metric in chosen.items()]
    for record in journal.records():
        for each in measuring:
            each.add(FinishedMatch(record, games[record.game]))
    baselines = {name: known.baseline for name, known in recorded_games(journal).items()}
    table = Measurements(
        rows=(), baselines=baselines, level=parts.level, seed=journal.header.seed, missing=(), games=games
    )
    print(sum(len(section.tables) for each in measuring for section in each.sections(table)), "tables")
"""


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Reports, and what they are compared with."""
    matches = options.matches // (20 if options.quick else 1)
    with tempfile.TemporaryDirectory() as place:
        yield from of_many(Path(place), matches, options.rounds)
        yield from beside_metrics(Path(place), options.rounds)
        if options.memory:
            yield from of_memory(Path(place), matches)


def of_many(place: Path, matches: int, rounds: int) -> Iterator[Row]:
    """The report on many matches, beside an export and the run, and the one on two matches, beside an export."""
    numbers = itertools.count()
    runs = {name: run_of(place / name, "tic-tac-toe", n // 2) for name, n in (("many", matches), ("few", 2))}

    def fresh(*command: str | Path) -> float:
        return program(command, {**os.environ, "XDG_CACHE_HOME": str(place / f"cache-{next(numbers)}")})

    def exported(run: str) -> float:
        return fresh(ARENA, "export", runs[run], "--format", "jsonl", "-o", place / f"{next(numbers)}.jsonl")

    found = in_turns(
        {
            "run": lambda: fresh(ARENA, "run", place / "many/random.yaml", "-q", "-o", place / f"run-{next(numbers)}"),
            "export": lambda: exported("many"),
            "report": lambda: fresh(ARENA, "report", runs["many"]),
            "export of two": lambda: exported("few"),
            "report of two": lambda: fresh(ARENA, "report", runs["few"]),
        },
        rounds,
        is_warm=True,
    )

    def compared(name: str, one: str, other: str, goal: float | None = None) -> Row:
        return Row(name=name, ratios=over(found[one], found[other]), goal=goal, note=_seconds(found[one], found[other]))

    yield compared(f"report of {matches:,} matches × export as jsonl", "report", "export", GOAL_EXPORT)
    yield compared(f"report of {matches:,} matches × arena run -q", "report", "run")
    yield compared("report of two matches × export as jsonl", "report of two", "export of two")


def beside_metrics(place: Path, rounds: int) -> Iterator[Row]:
    """The report on 90 matches, beside its metrics alone."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(place / "kept")}
    file, run = place / "three.yaml", str(place / "three")
    file.write_text(BENCHMARK, "utf-8")
    program([ARENA, "run", file, "--quiet", "--output", run], environment)
    found = in_turns(
        {
            "metrics": lambda: program([sys.executable, "-c", METRICS, run], environment),
            "report": lambda: program([ARENA, "report", run], environment),
        },
        rounds,
    )
    ratios, note = over(found["report"], found["metrics"]), _seconds(found["report"], found["metrics"])
    yield Row(name="report of 90 matches × its metrics alone", ratios=ratios, goal=GOAL_METRICS, note=note)


def of_memory(place: Path, matches: int) -> Iterator[Row]:
    """The memory of a report, and of the one on ten times as many matches."""
    many, more = (
        measured([ARENA, "report", run_of(place / f"memory-{n}", "tic-tac-toe", n // 2)])[1]
        for n in (matches, 10 * matches)
    )
    name = f"memory of a report of {10 * matches:,} matches × of {matches:,}"
    yield Row(name=name, ratios=(more / many,), goal=GOAL_MEMORY, note=f"{more:.0f} and {many:.0f} MB")


def _seconds(one: Sequence[float], other: Sequence[float]) -> str:
    return f"{median(one):.2f} and {median(other):.2f} s"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--memory", action="store_true", help="measure memory too")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))

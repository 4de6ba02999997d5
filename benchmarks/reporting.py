"""What `arena report` of a run of 90 matches costs, beside reading its journal and computing its metrics.

    python benchmarks/reporting.py [--runs 5]

CPU seconds (user and system) of whole processes, taken in turns; the ratio is that of the medians. The run has three
agents and three games, and is played first. Both processes import what they need, and compute the metrics of a report
with the ratings that its verdict takes; what random play earns is in the cache for both.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

GOAL = 1.5
ARENA = str(Path(sys.executable).with_name("arena"))
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
from arena_report.choosing import metrics_of_every_report, rater_of
from arena_report.measuring import MetricRun

catalog = Catalog()
with Journal.open(Path(sys.argv[1])) as journal:
    parts = open_parts(journal, catalog)
    games = {name: entry.game for name, entry in parts.games.items()}
    chosen = {**parts.metrics, **metrics_of_every_report(catalog, parts.metrics)}
    measuring = [MetricRun(name, metric) for name, metric in chosen.items()]
    rater = rater_of(measuring, [parts], catalog)
    everything = [*measuring, *([rater] if rater and rater not in measuring else [])]
    for record in journal.records():
        for each in everything:
            each.add(FinishedMatch(record, games[record.game]))
    baselines = {name: known.baseline for name, known in recorded_games(journal).items()}
    table = Measurements(
        rows=(), baselines=baselines, level=parts.level, seed=journal.header.seed, missing=(), games=games
    )
    print(sum(len(section.tables) for each in measuring for section in each.sections(table)), "tables")
    if rater:
        rater.rate(table)
"""


def cpu_seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """CPU seconds of one run of a command and all it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure and print; the exit status is 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "XDG_CACHE_HOME": place}
        file, run = Path(place, "three.yaml"), str(Path(place, "three"))
        file.write_text(BENCHMARK, encoding="utf-8")
        playing = [ARENA, "run", str(file), "--quiet", "--output", run]
        subprocess.run(playing, check=True, stdout=subprocess.DEVNULL, env=environment)
        report, metrics = [ARENA, "report", run], [sys.executable, "-c", METRICS, run]
        for command in (report, metrics):
            cpu_seconds(command, environment)
        rounds = [(cpu_seconds(metrics, environment), cpu_seconds(report, environment)) for _ in range(options.runs)]
    alone, whole = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(f"journal and metrics: {alone:.2f} s of CPU; arena report: {whole:.2f} s")
    print(f"{'met' if whole <= GOAL * alone else 'MISSED'}: arena report takes {whole / alone:.2f} x, goal {GOAL:g}")
    return 0 if whole <= GOAL * alone else 1


if __name__ == "__main__":
    sys.exit(main())

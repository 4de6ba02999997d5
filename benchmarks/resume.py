"""What `arena resume` of a finished run costs that has nothing left to play: of many matches beside two.

    python benchmarks/resume.py [--rounds 5] [--matches 10000] [--quick] [--write]

CPU seconds (user and system) of whole processes, taken in turns. The runs are random matches of tic-tac-toe with the
metrics ``outcomes`` and ``illegal-actions``; what random play earns is kept for all.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from peers.own import run_of
from ratios.rounds import ARENA, in_turns, program
from ratios.rows import Row, over
from ratios.script import run

GOAL = 1.3


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Resuming both runs, with a report and without."""
    matches = options.matches // (20 if options.quick else 1)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        runs = {n: run_of(place / str(n), "tic-tac-toe", n // 2) for n in (2, matches)}
        works = {
            f"{n}{quiet}": lambda n=n, quiet=quiet: program([ARENA, "resume", runs[n], *quiet.split()])
            for n in runs
            for quiet in ("", " -q")
        }
        found = in_turns(works, options.rounds, is_warm=options.quick)
    for quiet in ("", " -q"):
        many, few = found[f"{matches}{quiet}"], found[f"2{quiet}"]
        note = f"{median(many):.2f} and {median(few):.2f} s"
        yield Row(name=f"resume{quiet} of {matches:,} matches × of two", ratios=over(many, few), goal=GOAL, note=note)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=10_000)


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))

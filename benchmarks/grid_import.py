"""How long reading published games takes, in CPU seconds of the command.

    python benchmarks/grid_import.py [--rounds 5] [--quick] [--write]

Writes files in the likeness of those that LLM-Game-Benchmark publishes, of 1,200 games that random play made (three
games, three forms, 240 sessions of five), and imports all of them: games, moves as CSV and as JSON, and submissions;
once as a table for the leaderboard, once as a run.
"""

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

from ratios.rounds import ARENA, in_turns, program
from ratios.rows import Row, limited
from ratios.script import run

sys.path.insert(0, str(Path(__file__).parents[1] / "plugins/suites/grid_games/tests"))

NAMES = ("one", "two", "three", "four", "five", "six")
GOAL_S = 5.0


def files(directory: Path) -> list[Path]:
    """All files of 1,200 games."""
    from published_files import write

    return [
        path
        for game in ("tic-tac-toe", "connect-four", "gomoku")
        for form, agents in (("list", 6), ("illustration", 6), ("image", 5))
        for path in write(directory, game, form, list(permutations(NAMES[:agents], 2)))
    ]


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Each way to import, in turns."""
    with tempfile.TemporaryDirectory() as name:
        directory, numbers = Path(name), itertools.count()
        paths = files(directory)
        moves = [path for path in paths if path.name.endswith("_moves.json")]
        kinds = {
            "all files, as a table": (paths, ".csv"),
            "all files, as a run": (paths, ""),
            "moves as JSON, as a run": (moves, ""),
        }
        if options.quick:
            kinds = {"all files, as a table": (paths, ".csv")}

        def read(kind: str) -> float:
            own, ending = kinds[kind]
            output = directory / f"read-{next(numbers)}{ending}"
            return program([ARENA, "import", "llm-game-benchmark", *own, "-o", output])

        works = {kind: lambda kind=kind: read(kind) for kind in kinds}
        for kind, seconds in in_turns(works, options.rounds, is_warm=True).items():
            yield limited(f"importing 1,200 games, {kind}", seconds, GOAL_S, "CPU s")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure))

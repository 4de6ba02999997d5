"""How long reading published games takes, in CPU seconds of the command.

    python benchmarks/grid_import.py

Writes files in the likeness of those that LLM-Game-Benchmark publishes, of 1,200 games that random play made (three
games, three forms, 240 sessions of five), and imports all of them: games, moves as CSV and as JSON, and submissions;
once as a table for the leaderboard, once as a run.
"""

import resource
import subprocess
import sys
import tempfile
from itertools import permutations
from pathlib import Path

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


def cpu_seconds(*words: object) -> float:
    """The CPU time of one ``arena`` command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(Path(sys.executable).with_name("arena")), *map(str, words)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure, print, and say whether the goal is met; the exit status is 1 if it is not."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        paths = files(directory)
        moves = [path for path in paths if path.name.endswith("_moves.json")]
        rows = {
            "all files, as a table": (paths, "all.csv"),
            "all files, as a run": (paths, "all"),
            "moves as JSON, as a run": (moves, "moves"),
        }
        found = {
            what: cpu_seconds("import", "llm-game-benchmark", *own, "-o", directory / output)
            for what, (own, output) in rows.items()
        }
    print("| 1,200 games | CPU seconds |\n|---|---|")
    for what, seconds in found.items():
        print(f"| {what} | {seconds:.1f} |")
    is_met = max(found.values()) <= GOAL_S
    print(f"\n{'met' if is_met else 'MISSED'}: at most {GOAL_S:g} s")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())

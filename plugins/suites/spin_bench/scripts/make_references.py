"""Measures what random play reaches in the columns of Table 1, and writes ``references.toml``.

Run it where Stockfish is installed: ``python plugins/suites/spin_bench/scripts/make_references.py``. It takes some
minutes. Equal seeds and an equal Stockfish give equal numbers.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import arena
from arena.metric import MeasurementRow
from arena_engine import Journal
from arena_game_openspiel.hanabi import Hanabi
from arena_report import baseline, finished_matches, measure_all
from arena_suite_spin_bench.results import BOARDS
from arena_suite_spin_bench.runs_together import BOARD, boards
from arena_suite_spin_bench.scores import SpinBenchScores

TARGET: Final = Path(__file__).parents[1] / "src/arena_suite_spin_bench/references.toml"
REPEATS: Final[Mapping[str, int]] = {"tic-tac-toe": 500, "connect-four": 120, "chess": 10}
SOLVERS: Final[Mapping[str, Any]] = {
    "tic-tac-toe": "minimax",
    "connect-four": "perfect-connect-four",
    "chess": {"use": "stockfish", "skill": 0},
}
NAMES: Final = {"tic-tac-toe": "minimax", "connect-four": "perfect", "chess": "stockfish-0"}
DEALS: Final = 2_000
HEADING: Final = """\
# What random play reaches in the columns of Table 1, measured by us: scripts/make_references.py writes this file.
# Each board game is against its solver, chess against the lowest level; ranks are those of random play's own choices.
"""


def of_board(board: str, directory: Path) -> list[MeasurementRow]:
    """What random play reaches against the solver of a board game, sides swapped at half."""
    run = arena.run(
        {
            "seed": 2025,
            "games": [board],
            "agents": {"random": "random", NAMES[board]: SOLVERS[board]},
            "schedule": {"use": "round-robin", "repeats": REPEATS[board]},
        },
        output=directory / board,
    )
    with Journal.open(run.directory) as journal:
        games = {board: run.benchmark.games[board].game}
        return measure_all(SpinBenchScores(), finished_matches(journal.records(), games))


def lines(column: str, unit: str, numbers: Mapping[str, float]) -> Iterator[str]:
    """One table of the file."""
    yield f"\n[{column}]"
    yield from (f"{name} = {value:.6g}" for name, value in numbers.items())
    yield f'unit = "{unit}"'

"""Measures what random play reaches in the columns of Table 1, and writes ``references.toml``.

Run it where Stockfish is installed: ``python plugins/suites/spin_bench/scripts/make_references.py``. It takes some
minutes. Equal seeds and an equal Stockfish give equal numbers.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, cast

import arena
from arena.metric import FinishedMatch, MeasurementRow
from arena_engine import load_benchmark
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_report import baseline, measure_all
from arena_suite_spin_bench.results import BOARDS
from arena_suite_spin_bench.runs_together import BOARD
from arena_suite_spin_bench.scores import SpinBenchScores

TARGET: Final = Path(__file__).parents[1] / "src/arena_suite_spin_bench/references.toml"
REPEATS: Final[Mapping[str, int]] = {"tic-tac-toe": 500, "connect-four": 100, "chess": 10}
SOLVERS: Final[Mapping[str, tuple[str, Any]]] = {
    "tic-tac-toe": ("minimax", "minimax"),
    "connect-four": ("perfect", "perfect-connect-four"),
    "chess": ("stockfish-0", {"use": "stockfish", "skill": 0}),
}
ASKED: Final[Mapping[str, tuple[str, str, int]]] = {
    "plan-accuracy": ("spin-planning-small", "random-walk", 10),
    "tracking": ("spin-tracking", "random", 20),
    "recall": ("spin-recall", "random", 2),
}
"""The suites of single answers by column, with who answers at random and how often each is repeated."""

DEALS: Final = 2_000
STEPS: Final = 400_000
HEADING: Final = """\
# What random play reaches in the columns of Table 1, measured by us: scripts/make_references.py writes this file.
# Each board game is against its solver, chess against the lowest level; ranks are those of random play's own choices.
"""


def lines(column: str, unit: str, numbers: Mapping[str, float]) -> Iterator[str]:
    """One table of the file."""
    yield f"\n[{column}]"
    yield from (f"{name} = {value:.6g}" for name, value in numbers.items())
    yield f'unit = "{unit}"'


def of_board(board: str, directory: Path) -> list[MeasurementRow]:
    """What random play reaches against the solver of a board game, sides swapped at half."""
    name, solver = SOLVERS[board]
    benchmark = load_benchmark(
        {
            "seed": 2025,
            "games": {board: board},
            "agents": {"random": "random", name: solver},
            "schedule": {"use": "round-robin", "repeats": REPEATS[board]},
        }
    )
    run = arena.run(benchmark, output=directory / board)
    game = next(iter(benchmark.games.values())).game
    return measure_all(SpinBenchScores(), (FinishedMatch(record, game) for record in run.matches))


def board_lines(board: str, rows: Sequence[MeasurementRow]) -> Iterator[str]:
    """Draws, and but for tic-tac-toe the choices among the best three."""
    own = [row for row in rows if row.agent == "random"]
    results = [row.detail for row in own if row.name == BOARD]
    yield from lines(f"draws-{board}", "matches", {"hits": results.count("draw"), "n": len(results)})
    ranks = [int(cast("Any", row.detail)["rank"]) for row in own if row.name == "regret"]
    if ranks:
        yield from lines(f"top-3-{board}", "choices", {"hits": sum(rank <= 3 for rank in ranks), "n": len(ranks)})


def hanabi_lines() -> Iterator[str]:
    """Mean scores of random play with the hands of the paper."""
    for players in (2, 3, 4, 5):
        found = baseline(Hanabi(hand_size=4 if players == 5 else 5), players, DEALS, STEPS)
        numbers = {"value": found.random[0], "standard-error": found.random_errors[0], "n": found.random_n}
        yield from lines(f"hanabi-{players}", "playouts", numbers)


def answer_lines(directory: Path) -> Iterator[str]:
    """Plans of a random walk, and random answers to the questions of tracking and of recall."""
    for column, (suite, agent, repeats) in ASKED.items():
        overrides = [f"schedule.repeats={repeats}"]
        benchmark = load_benchmark(f"suite:{suite}", agents=[agent], overrides=overrides)
        matches = arena.run(benchmark, output=directory / suite).matches
        found = measure_all(SpinBenchScores(), (FinishedMatch(record, None) for record in matches))
        solved = [float(row.value or 0) for row in found]
        yield from lines(column, "answers", {"hits": sum(solved), "n": len(solved)})
        if column == "plan-accuracy":
            steps = [hit * cast("Any", row.detail)["reference_length"] for hit, row in zip(solved, found, strict=True)]
            error = stdev(steps) / len(steps) ** 0.5
            yield from lines("look-ahead", "answers", {"value": fmean(steps), "standard-error": error, "n": len(steps)})


def main() -> None:
    """Measure everything and write the file."""
    with tempfile.TemporaryDirectory() as directory:
        written = [*answer_lines(Path(directory)), *hanabi_lines()]
        for board in BOARDS:
            written += board_lines(board, of_board(board, Path(directory)))
    TARGET.write_text(HEADING + "\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Measures what random play reaches in the columns of Table 1, and writes ``references.toml``.

Run it where Stockfish is installed: ``python plugins/suites/spin_bench/scripts/make_references.py``. It takes some
minutes. Equal seeds and an equal Stockfish give equal numbers.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import arena
from arena.metric import FinishedMatch, MeasurementRow
from arena_engine import load_benchmark
from arena_report import finished_matches, measure_all
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
    game = load_benchmark({"games": [board], "agents": ["random"]}).games[board].game
    return measure_all(SpinBenchScores(), (FinishedMatch(record, game) for record in run.matches))


def lines(column: str, unit: str, numbers: Mapping[str, float]) -> Iterator[str]:
    """One table of the file."""
    yield f"\n[{column}]"
    yield from (f"{name} = {value:.6g}" for name, value in numbers.items())
    yield f'unit = "{unit}"'


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
        found = baseline(Hanabi(hand_size=4 if players == 5 else 5), players, DEALS, DEALS * 200)
        numbers = {"value": found.random[0], "standard-error": found.random_errors[0], "n": found.random_n}
        yield from lines(f"hanabi-{players}", "playouts", numbers)


def question_lines(directory: Path) -> Iterator[str]:
    """Random plans, and random answers to every question of tracking and of recall, by their suites."""
    for column, suite, unit, repeats in (
        ("plan-accuracy", "spin-planning-small", "answers", 30),
        ("tracking", "spin-tracking", "answers", 20),
        ("recall", "spin-recall", "answers", 2),
    ):
        run = arena.run(f"suite:{suite}", output=directory / suite, overrides=[f"schedule.repeats={repeats}", *_ALONE])
        returns = [match.returns[0] for match in run.matches if match.returns]
        yield from lines(column, unit, {"hits": sum(returns), "n": len(returns)})
        if column == "plan-accuracy":
            yield from lines("look-ahead", unit, {"hits": sum(returns), "n": len(returns)})


def main() -> None:
    """Measure everything and write the file."""
    with tempfile.TemporaryDirectory() as directory:
        written = [*question_lines(Path(directory)), *hanabi_lines()]
        for board in BOARDS:
            written += board_lines(board, of_board(board, Path(directory)))
    TARGET.write_text(HEADING + "\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

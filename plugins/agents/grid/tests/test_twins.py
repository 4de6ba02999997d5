"""Solvers and agents on twins, and the metric that judges by them, end to end."""

from typing import Any

import arena
import pytest
from arena_agent_grid.solvers import ConnectFourSolver, GridSolver
from arena_game_grid.game import ConnectFour, TicTacToe
from arena_game_grid.twins import KINDS, GridTwin

from .exhaustive import started


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("original", "solver"), [(TicTacToe(), GridSolver()), (ConnectFour(), ConnectFourSolver())])
def test_twins_are_solved_like_their_original(original: Any, solver: Any, kind: Any):
    """The same scores in the same order, under the twin's names of the actions."""
    twin = GridTwin(of=original, kind=kind)
    first, second = original.actions(2)[4], original.actions(2)[0]

    own = solver.solve(original, 2).action_values(started(original, first, second), 0)
    to = twin.reskin.renamed
    other = solver.solve(twin, 2).action_values(started(twin, to(first), to(second)), 0)

    assert [(to(w.action), w.value, w.score) for w in own.values] == [
        (w.action, w.value, w.score) for w in other.values
    ]


@pytest.fixture
def tables(tmp_path) -> dict[str, dict[tuple[str, str], dict[str, Any]]]:
    """What ``optimality`` says of a run with perfect, simple and random play, by title, game and agent."""
    benchmark = {
        "seed": 1,
        "games": {
            "ttt": "grid-tic-tac-toe",
            "twin": {"use": "grid-twin", "kind": "numbers"},
            "small": {"use": "mnk", "rows": 3, "columns": 4, "gravity": True},
            "five": {"use": "gomoku", "rows": 7, "columns": 7},
        },
        "agents": {"simple": "win-or-block", "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 1},
        "metrics": {"optimality": {"use": "optimality", "top": 2}},
    }
    report = arena.run(benchmark, output=tmp_path / "run").report()
    found: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for table in (table for section in report.sections for table in section.tables):
        names = [column.name for column in table.columns]
        lines = [dict(zip(names, row, strict=True)) for row in table.rows]
        found[table.title] = {(str(line.get("game")), str(line.get("agent"))): line for line in lines}
    return found


@pytest.mark.slow
def test_moves_are_judged_by_the_exact_solver_of_their_game(tables: dict[str, dict[tuple[str, str], dict[str, Any]]]):
    """Regret, top ranks and kept values appear for small games and twins; gomoku is judged by no estimate."""
    choices, ranks = tables["Choices against optimal play"], tables["Ranks of choices"]

    assert {game for game, _ in choices} == {"ttt", "twin", "small"}
    for key, line in choices.items():
        assert line["method"] == "grid: alpha-beta on bit boards, exact"
        assert line["regret"].value >= 0
        assert 0 <= ranks[key]["keeps"].value <= 1
        assert ranks[key]["top"].n > 0
    assert choices["ttt", "simple"]["regret"].value < choices["ttt", "random"]["regret"].value

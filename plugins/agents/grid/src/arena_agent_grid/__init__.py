"""Solvers of connect four and small m,n,k-games, an engine for gomoku, and a simple opponent."""

from arena.plugin import Plugin

PERFECT_CONNECT_FOUR = Plugin(
    factory="arena_agent_solvers.solver:BySolver",
    summary="plays connect four perfectly and wins as soon as it can",
    capabilities=frozenset({"resample-hidden"}),
    preset={"solver": {"use": "connect-four", "quickest": True}},
    licence="Apache-2.0",
    order=10,
)

GOMOKU_ENGINE = Plugin(
    factory="arena_agent_grid.gomoku_agent:GomokuEngine",
    summary="plays gomoku by threats and a short search; strong, not perfect",
    capabilities=frozenset({"resample-hidden"}),
    licence="Apache-2.0",
    order=30,
)

WIN_OR_BLOCK = Plugin(
    factory="arena_agent_grid.win_or_block:WinOrBlock",
    summary="completes a line if it can, else prevents one, else plays at random",
    capabilities=frozenset({"resample-hidden"}),
    licence="Apache-2.0",
    order=60,
)

CONNECT_FOUR = Plugin(
    factory="arena_agent_grid.solvers:ConnectFourSolver",
    summary="solves connect four on 6 rows and 7 columns exactly, from any position",
    licence="Apache-2.0",
)

GRID = Plugin(
    factory="arena_agent_grid.solvers:GridSolver",
    summary="solves small m,n,k-games exactly, misère, gravity and other variants included",
    licence="Apache-2.0",
)

GOMOKU_SCORES = Plugin(
    factory="arena_agent_grid.solvers:GomokuScorer",
    summary="scores moves of gomoku by a heuristic search; estimates, not exact values",
    licence="Apache-2.0",
)

"""Chess engines that speak UCI, as opponents of graded strength and as judges of moves."""

from arena.plugin import Plugin, Requirement

_RULES = (Requirement("pyspiel", package="open-spiel"),)

STOCKFISH = Plugin(
    factory="arena_agent_chess.stockfish:Stockfish",
    summary="plays chess with your own Stockfish, at skill 0 to 20",
    capabilities=frozenset({"resample-hidden"}),
    requirements=_RULES,
    example={"skill": 5, "nodes": 10_000},
    licence="Apache-2.0",
)

SCORES = Plugin(
    factory="arena_agent_chess.solver:StockfishSolver",
    summary="scores all legal moves of chess with your own Stockfish; estimates, not exact values",
    requirements=_RULES,
    example={"nodes": 200_000},
    licence="Apache-2.0",
)

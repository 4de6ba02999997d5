"""Solvers and engines as opponents and baselines, and policies that were trained elsewhere."""

from arena.plugin import Plugin, Requirement

_ENGINE = (Requirement("pyspiel", package="open-spiel"),)
_THINKS = frozenset({"resample-hidden"})

SOLVER = Plugin(
    factory="arena_agent_solvers.solver:BySolver",
    summary="plays by any solver that is installed",
    capabilities=_THINKS,
    example={"solver": {"use": "alpha-beta"}},
    licence="Apache-2.0",
)

MINIMAX = Plugin(
    factory="arena_agent_solvers.solver:BySolver",
    summary="plays perfectly where two players see everything and the game is small",
    capabilities=_THINKS,
    preset={"solver": {"use": "alpha-beta"}},
    licence="Apache-2.0",
)

EQUILIBRIUM = Plugin(
    factory="arena_agent_solvers.solver:BySolver",
    summary="plays an equilibrium of a small game with hidden cards or simultaneous moves",
    capabilities=_THINKS,
    preset={"solver": {"use": "cfr"}},
    requirements=_ENGINE,
    licence="Apache-2.0",
    order=20,
)

OPTIMAL = Plugin(
    factory="arena_agent_solvers.optimal:Optimal",
    summary="plays perfectly, by whichever installed solver knows the game",
    capabilities=_THINKS | {"optimal"},
    licence="Apache-2.0",
    order=5,
)

MCTS = Plugin(
    factory="arena_agent_solvers.mcts:Mcts",
    summary="searches with OpenSpiel's Monte Carlo tree search",
    capabilities=_THINKS,
    requirements=_ENGINE,
    example={"simulations": 1_000},
    licence="Apache-2.0",
    order=40,
)

BEST_RESPONSE = Plugin(
    factory="arena_agent_solvers.response:BestResponse",
    summary="plays what earns most against a given policy",
    capabilities=_THINKS,
    requirements=_ENGINE,
    example={"to": "random"},
    licence="Apache-2.0",
)

POLICY = Plugin(
    factory="arena_agent_solvers.policy:Policy",
    summary="plays a policy made elsewhere: a Python function, a table, a policy of OpenSpiel or RLlib",
    example={"policy": "my_package.play:choose"},
    licence="Apache-2.0",
)

ALPHA_BETA = Plugin(
    factory="arena_agent_solvers.search:AlphaBeta",
    summary="solves small open games of two players exactly",
    licence="Apache-2.0",
)

CFR = Plugin(
    factory="arena_agent_solvers.cfr:Cfr",
    summary="solves small zero-sum games of OpenSpiel with hidden cards or simultaneous moves",
    requirements=_ENGINE,
    licence="Apache-2.0",
)

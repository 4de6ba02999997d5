"""Scores answers that name the equilibria of 2×2 games, and how close actual play comes to an equilibrium."""

from arena.plugin import Plugin

EQUILIBRIA = Plugin(
    factory="arena_metric_equilibria.metric:Equilibria",
    summary="accuracy, inconsistency and bias of answers on the 144 ordinal 2×2 games; play against equilibria",
    licence="Apache-2.0",
    order=5,
)

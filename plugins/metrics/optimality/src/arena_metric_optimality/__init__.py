"""Measures how close to optimal play agents come, with the help of solvers."""

from arena.plugin import Plugin

OPTIMALITY = Plugin(
    factory="arena_metric_optimality.optimality:Optimality",
    summary="optimal choices, regret and exploitability beside random and optimal play, where a solver knows the game",
    example={"solvers": [{"use": "alpha-beta", "nodes": 1_000_000}]},
    licence="Apache-2.0",
    order=30,
)

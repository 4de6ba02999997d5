"""Measures how well players plan, recall facts and track positions."""

from arena.plugin import Plugin

PLANNING = Plugin(
    factory="arena_metric_planning.metric:PlanningScores",
    summary="accuracy, look-ahead, error classes and correlations of planning; recall and tracking over length",
    licence="Apache-2.0",
    order=12,
)

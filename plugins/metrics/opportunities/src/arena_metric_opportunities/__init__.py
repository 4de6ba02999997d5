"""Counts the wins and blocks that players of line games on a grid miss, and the threats that they build."""

from arena.plugin import Plugin

MISSED = Plugin(
    factory="arena_metric_opportunities.metric:MissedOpportunities",
    summary="missed wins and blocks, threats, forks and first moves in games of lines on a grid, by exact detection",
    licence="Apache-2.0",
)

"""Rates agents by other methods than that of a report's standings, for comparison with what others publish."""

from arena.plugin import Plugin

RATINGS = Plugin(
    factory="arena_metric_ratings.ratings:Ratings",
    summary="Elo, Glicko-2 and Weng-Lin ratings on one scale, beside a report's own ranking",
    licence="Apache-2.0",
    order=11,
)

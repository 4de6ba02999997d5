"""Rates the strength of agents from who came out ahead of whom."""

from arena.plugin import Plugin

RATINGS = Plugin(
    factory="arena_metric_ratings.ratings:Ratings",
    summary="Bradley-Terry with ties and seats, Elo, Glicko-2 and Plackett-Luce on one scale, with ranks as intervals",
    licence="Apache-2.0",
    capabilities=frozenset({"ratings"}),
    order=11,
)

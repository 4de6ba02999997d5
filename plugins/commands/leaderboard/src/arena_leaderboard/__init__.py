"""Who won how often, against whom, in which game and form, over many runs."""

from arena.plugin import Plugin

LEADERBOARD = Plugin(
    factory="arena_leaderboard.command:leaderboard",
    summary="Rank agents over runs and submissions, by game, form or agent.",
    licence="Apache-2.0",
)

"""Ranks agents over many runs: who won how often, against whom, in which game and form."""

from arena.plugin import Plugin

LEADERBOARD = Plugin(
    api=2,
    factory="arena_command_leaderboard.command:leaderboard",
    summary="Rank agents over runs and submissions, by game, form or agent.",
    licence="Apache-2.0",
)

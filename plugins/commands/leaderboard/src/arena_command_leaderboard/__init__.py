"""Ranks agents over many runs, one row for each configuration, and adds results up as others do."""

from arena.plugin import Plugin

LEADERBOARD = Plugin(
    factory="arena_command_leaderboard.command:leaderboard",
    summary="Rank agents over runs and submissions, one row for each configuration.",
    licence="Apache-2.0",
)

"""Shows runs, matches and their boards in a browser, from a server on this machine."""

from arena.plugin import Plugin

VIEW = Plugin(
    api=2,
    factory="arena_web.command:view",
    summary="Show runs and matches in a browser.",
    licence="Apache-2.0",
)

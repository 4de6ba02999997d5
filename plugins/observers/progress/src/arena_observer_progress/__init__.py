"""Shows on standard error how far a run has got."""

from arena.plugin import Plugin

PROGRESS = Plugin(
    factory="arena_observer_progress.progress:Progress",
    summary="how far the run is, on standard error",
    licence="Apache-2.0",
)

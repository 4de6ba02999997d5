"""Plays the matches of a run on all cores of one machine: several processes play, one writes the journal."""

from arena.plugin import Plugin

PROCESSES = Plugin(
    factory="arena_executor_processes.executor:Processes",
    summary="plays matches in several processes of this machine",
    example={"workers": 2},
    licence="Apache-2.0",
)

"""For authors of plugins: generates a complete project to start from, and reviews a plugin before it is published."""

from arena.plugin import Plugin

CHECK = Plugin(
    factory="arena_devkit.check_command:check",
    summary="Look at a plugin as a reviewer would: faults and doubts with where they show and what to do.",
    licence="Apache-2.0",
    order=19,
)
NEW_PLUGIN = Plugin(
    factory="arena_devkit.new_plugin_command:new_plugin",
    summary="Write a complete distribution for a plugin of your own.",
    licence="Apache-2.0",
    order=22,
)

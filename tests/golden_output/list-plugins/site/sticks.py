"""Take the last of 21 sticks."""

from arena.plugin import Plugin

PLUGIN = Plugin(factory="sticks:Nothing", summary="Take the last of 21 sticks.")

"""Agents that play Hanabi by fixed rules."""

from arena.plugin import Plugin

HANABI_RULES = Plugin(
    factory="arena_agent_hanabi.rules:HanabiRules",
    summary="plays known playable cards, hints playable ones and discards safely, from its observation alone",
    licence="Apache-2.0",
    order=30,
)

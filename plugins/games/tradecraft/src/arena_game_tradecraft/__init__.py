"""TradeCraft: trade with others, craft from recipes, and be the first to hold your target."""

from arena.plugin import Plugin

TRADECRAFT_RULES = Plugin(
    factory="arena_game_tradecraft.rules_command:tradecraft_rules",
    summary="Count what is in rules of TradeCraft, look into them, and bring in your own.",
    licence="Apache-2.0",
)

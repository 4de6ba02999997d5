"""TradeCraft: trade with others, craft from recipes, and be the first to hold your target."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

TRADECRAFT = Plugin(
    factory="arena_game_tradecraft.game:TradeCraft",
    summary="Trade with others, craft from recipes, and be the first to hold what you need.",
    example={"ruleset": "minecraft", "problems": "paper#1", "max-turns": 10},
    licence="Apache-2.0",
)
COMMAND_LINE = (Requirement("arena_cli", package=full_name("game-tradecraft[commands]")),)

TRADECRAFT_RULES = Plugin(
    factory="arena_game_tradecraft.commands.rules_command:tradecraft_rules",
    summary="Count what is in rules of TradeCraft, look into them, and bring in your own.",
    requirements=COMMAND_LINE,
    licence="Apache-2.0",
)
TRADECRAFT_PROBLEMS = Plugin(
    factory="arena_game_tradecraft.commands.problems_command:tradecraft_problems",
    summary="Make up problems of TradeCraft, and find out how hard problems are.",
    requirements=COMMAND_LINE,
    licence="Apache-2.0",
)

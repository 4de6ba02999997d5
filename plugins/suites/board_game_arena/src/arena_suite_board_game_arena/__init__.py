"""The benchmark of Board Game Arena (Cipolina-Kun, Nezhurina, Jitsev, 2025), and an export of its logs."""

from arena.plugin import Plugin

SUITE = Plugin(
    factory="arena_suite_board_game_arena:suite.yaml",
    summary="six small games between a language model and random play, reasons asked for before each action",
    licence="Apache-2.0",
)

LOGS = Plugin(
    factory="arena_suite_board_game_arena.logs:BoardGameArenaExport",
    summary="a directory with a database for each agent and a CSV table for each game, in Board Game Arena's columns",
    licence="Apache-2.0",
)

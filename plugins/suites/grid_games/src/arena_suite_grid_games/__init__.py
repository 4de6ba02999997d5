"""The grid-game competitions of LLM-Game-Benchmark (Topsakal, Edell, Harper, 2024-2025), and its files."""

from arena.plugin import Plugin

SUITE = Plugin(
    factory="arena_suite_grid_games:suite.yaml",
    summary="tic-tac-toe, connect four and gomoku, positions as lists and as illustrations, every pair in both seats",
    licence="Apache-2.0",
)

IMAGES = Plugin(
    factory="arena_suite_grid_games:images.yaml",
    summary="the same with positions as pictures, for models that see",
    licence="Apache-2.0",
)

COMPETITION = Plugin(
    factory="arena_suite_grid_games.competition:Competition",
    summary="outcomes by seat, moves and invalid moves per match, and a leaderboard, as in grid-game competitions",
    licence="Apache-2.0",
)

SAME_FORM = Plugin(
    factory="arena_suite_grid_games.schedule:SameForm",
    summary="every order of agents, where variants of a sweep meet only their like",
    licence="Apache-2.0",
)

FILES = Plugin(
    factory="arena_suite_grid_games.export:Files",
    summary="a directory with LLM-Game-Benchmark's files: JSON, CSV, TXT, PNG by game, bulk files, submissions, a ZIP",
    licence="Apache-2.0",
)

IMPORT = Plugin(
    factory="arena_suite_grid_games.importing:import_",
    summary="Read another benchmark's result files for the leaderboard.",
    licence="Apache-2.0",
)

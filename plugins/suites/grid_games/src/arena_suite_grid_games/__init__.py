"""The grid-game competitions of LLM-Game-Benchmark (Topsakal, Edell, Harper, 2024-2025), and its file formats."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

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
    factory="arena_suite_grid_games.competition:CompetitionMetric",
    summary="outcomes by seat, moves and invalid moves per match, and a leaderboard, as in grid-game competitions",
    licence="Apache-2.0",
    order=12,
)

SAME_FORM = Plugin(
    factory="arena_suite_grid_games.schedule:SameForm",
    summary="every order of agents, where variants of a sweep meet only their like",
    licence="Apache-2.0",
)

FILES = Plugin(
    factory="arena_suite_grid_games.export:LlmGameBenchmarkExport",
    summary="a directory with LLM-Game-Benchmark's files: JSON, CSV, TXT, PNG by game, bulk files, submissions, a ZIP",
    licence="Apache-2.0",
)

IMPORTED = Plugin(
    factory="arena_suite_grid_games.imported_agent:Imported",
    summary="stands for an agent whose matches were played elsewhere and imported; it plays nothing",
    example={"form": "list"},
    licence="Apache-2.0",
)

COMMAND_LINE = (Requirement("arena_cli", package=full_name("suite-grid-games[commands]")),)

IMPORT = Plugin(
    factory="arena_suite_grid_games.importing:import_",
    summary="Read another benchmark's result files, for the leaderboard or as a run.",
    requirements=COMMAND_LINE,
    licence="Apache-2.0",
)

"""TMGBench (2024) as suites: the payoff tables and stories of all 144 ordinal 2×2 games."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

CLASSIC = Plugin(
    factory="arena_suite_tmgbench:classic.yaml",
    summary="the payoff tables of all 144 ordinal 2×2 games, each asked four times",
    licence="Apache-2.0",
)
STORY = Plugin(
    factory="arena_suite_tmgbench:story.yaml",
    summary="five stories of each of the 144 ordinal 2×2 games, each asked four times",
    licence="Apache-2.0",
)
BOTH = Plugin(
    factory="arena_suite_tmgbench:both.yaml",
    summary="the payoff tables and five stories of all 144 ordinal 2×2 games, each asked four times",
    licence="Apache-2.0",
)
PROMPTS = Plugin(
    factory="arena_suite_tmgbench:prompts.yaml",
    summary="the payoff tables of all 144 ordinal 2×2 games in six styles of prompts, each asked four times",
    licence="Apache-2.0",
)
SEQUENTIAL = Plugin(
    factory="arena_suite_tmgbench:sequential.yaml",
    summary="3, 5 and 10 stories of 2×2 games, one after another",
    licence="Apache-2.0",
)
PARALLEL = Plugin(
    factory="arena_suite_tmgbench:parallel.yaml",
    summary="3, 5 and 10 stories of 2×2 games, all at once",
    licence="Apache-2.0",
)
NESTED = Plugin(
    factory="arena_suite_tmgbench:nested.yaml",
    summary="2×2 games whose ending restricts another one",
    licence="Apache-2.0",
)
PLAY = Plugin(
    factory="arena_suite_tmgbench:play.yaml",
    summary="all 144 ordinal 2×2 games, played for their payoffs",
    licence="Apache-2.0",
)
WRITING = Plugin(
    factory="arena_suite_tmgbench:writing.yaml",
    summary="a model writes stories of the 144 ordinal 2×2 games, verified and corrected draft by draft",
    licence="Apache-2.0",
)
COMMAND_LINE = (Requirement("arena_cli", package=full_name("suite-tmgbench[commands]")),)

STORIES = Plugin(
    factory="arena_suite_tmgbench.stories:stories",
    summary="read, review and use stories of 2×2 games",
    requirements=COMMAND_LINE,
    licence="Apache-2.0",
)

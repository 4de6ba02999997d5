"""All 144 strictly ordinal 2×2 games, as questions about their equilibria and as games to play."""

from arena.plugin import Plugin

LICENCE = "Apache-2.0"

TWO_BY_TWO = Plugin(
    factory="arena_game_two_by_two.classic:TwoByTwo",
    summary="Name the equilibria of one of the 144 ordinal 2×2 games from its table of payoffs.",
    example={"game": "111"},
    licence=LICENCE,
)
TWO_BY_TWO_PLAY = Plugin(
    factory="arena_game_two_by_two.play:TwoByTwoPlay",
    summary="Play one of the 144 ordinal 2×2 games once, for its payoffs.",
    example={"game": "111"},
    licence=LICENCE,
)
TWO_BY_TWO_STORY = Plugin(
    factory="arena_game_two_by_two.story_games:TwoByTwoStory",
    summary="Name the equilibria of one of the 144 ordinal 2×2 games from a story.",
    example={"game": "111", "story": 0},
    licence=LICENCE,
)
TWO_BY_TWO_SEQUENCE = Plugin(
    factory="arena_game_two_by_two.story_games:TwoByTwoSequence",
    summary="Name the equilibria of several 2×2 games told as stories, one after another.",
    example={"stories": 3},
    licence=LICENCE,
)
TWO_BY_TWO_PARALLEL = Plugin(
    factory="arena_game_two_by_two.story_games:TwoByTwoParallel",
    summary="Name the equilibria of several 2×2 games told as stories, all at once.",
    example={"stories": 3},
    licence=LICENCE,
)
TWO_BY_TWO_NESTED = Plugin(
    factory="arena_game_two_by_two.story_games:TwoByTwoNested",
    summary="Name the stable combinations of a 2×2 game whose ending restricts another one.",
    licence=LICENCE,
)
TWO_BY_TWO_DOMINANCE = Plugin(
    factory="arena_game_two_by_two.extra_questions:TwoByTwoDominance",
    summary="Name the dominant choices of one of the 144 ordinal 2×2 games.",
    example={"game": "111"},
    licence=LICENCE,
)
TWO_BY_TWO_MIXED = Plugin(
    factory="arena_game_two_by_two.extra_questions:TwoByTwoMixed",
    summary="Find the equilibrium of an ordinal 2×2 game in which both players mix.",
    example={"game": "122"},
    licence=LICENCE,
)
TWO_BY_TWO_WRITING = Plugin(
    factory="arena_game_two_by_two.writing:TwoByTwoWriting",
    summary="Write a story that tells one of the 144 ordinal 2×2 games, until a verifier reads the game out of it.",
    example={"game": "111", "topic": "Ecology"},
    licence=LICENCE,
)

STYLES = "arena_game_two_by_two:styles/tmgbench-"

DIRECT = Plugin(
    factory=STYLES + "direct.yaml",
    summary="TMGBench's questions, answered at once with a Python list",
    licence=LICENCE,
)
CHAIN_OF_THOUGHT = Plugin(
    factory=STYLES + "chain-of-thought.yaml",
    summary="TMGBench's questions, answered after thinking step by step",
    licence=LICENCE,
)
FIRST_ORDER = Plugin(
    factory=STYLES + "first-order.yaml",
    summary="TMGBench's questions, with each player's view of the other (first-order theory of mind), A before B",
    licence=LICENCE,
)
SECOND_ORDER = Plugin(
    factory=STYLES + "second-order.yaml",
    summary="TMGBench's questions, with each player's view of the other's view (second order), A before B",
    licence=LICENCE,
)
FIRST_ORDER_REVERSED = Plugin(
    factory=STYLES + "first-order-reversed.yaml",
    summary="as tmgbench-first-order, B before A",
    licence=LICENCE,
)
SECOND_ORDER_REVERSED = Plugin(
    factory=STYLES + "second-order-reversed.yaml",
    summary="as tmgbench-second-order, B before A",
    licence=LICENCE,
)
WRITER = Plugin(
    factory=STYLES + "writer.yaml",
    summary="for the game two-by-two-writing: the whole answer is the story",
    licence=LICENCE,
)

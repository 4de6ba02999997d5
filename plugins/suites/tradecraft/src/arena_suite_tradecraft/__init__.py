"""TradeCraft's published match-ups as suites: models and personas over its five problems."""

from arena.plugin import Plugin

SUITE = Plugin(
    factory="arena_suite_tradecraft:suite.yaml",
    summary="five problems of TradeCraft, model against model and persona against persona, ten matches a pairing",
    licence="Apache-2.0",
)
JUDGED = Plugin(
    factory="arena_suite_tradecraft:judged.yaml",
    summary="the suite tradecraft with a model that judges eight dimensions of behaviour and theory of mind",
    licence="Apache-2.0",
)
SMALL = Plugin(
    factory="arena_suite_tradecraft:small.yaml",
    summary="the suite tradecraft for a look: one problem, three turns, two completions a role, two matches a pairing",
    licence="Apache-2.0",
)
MATCH_UPS = Plugin(
    factory="arena_suite_tradecraft.schedule:MatchUps",
    summary="agents of one group meet each other and themselves, each pairing equally often, seats taking turns",
    example={"repeats": 1, "groups": ["model", "persona"]},
    licence="Apache-2.0",
)

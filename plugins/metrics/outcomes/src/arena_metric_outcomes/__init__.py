"""Metrics of how matches ended, what was refused, and what they cost."""

import attrs
from arena.installing import full_name
from arena.plugin import Plugin, Requirement

OUTCOMES = Plugin(
    factory="arena_metric_outcomes.outcomes:Outcomes",
    summary="wins, draws, losses, returns and lengths by game, agent and seat, beside random and optimal play",
    capabilities=frozenset({"default"}),
    licence="Apache-2.0",
    order=10,
)

COMMAND_LINE = (Requirement("arena_cli", package=full_name("metric-outcomes[commands]")),)

POWER = Plugin(
    factory="arena_metric_outcomes.power:power",
    summary="Say how many matches it takes to tell two agents apart.",
    requirements=COMMAND_LINE,
    licence="Apache-2.0",
)
SAMPLE_SIZE = attrs.evolve(POWER, summary="The same as `arena power`.")

ILLEGAL_ACTIONS = Plugin(
    factory="arena_metric_outcomes.illegal:IllegalActions",
    summary="answers that could not be played, per turn and match and by kind, and what they cost",
    capabilities=frozenset({"default"}),
    licence="Apache-2.0",
    order=20,
)

COSTS = Plugin(
    factory="arena_metric_outcomes.costs:Costs",
    summary="money and tokens per match, agent and decision, what was reused, and the cost to tell two agents apart",
    capabilities=frozenset({"always"}),
    licence="Apache-2.0",
    order=40,
)

CONTAMINATION = Plugin(
    factory="arena_metric_outcomes.contamination:Contamination",
    summary="returns in a game beside those in its twins, as paired differences with a test",
    example={"beside": {"larger": "original"}},
    licence="Apache-2.0",
    order=21,
)

"""Simple agents that serve as baselines: random, first legal action, and scripted."""

from arena.plugin import Plugin

RANDOM = Plugin(
    factory="arena_agent_baseline.uniform:Uniform",
    summary="plays a legal action drawn uniformly; the reference every other agent is held against",
    licence="Apache-2.0",
)

FIRST_LEGAL = Plugin(
    factory="arena_agent_baseline.first:FirstLegal",
    summary="plays the first legal action it is offered; deterministic",
    licence="Apache-2.0",
)

SCRIPTED = Plugin(
    factory="arena_agent_baseline.scripted:Scripted",
    summary="plays a list of actions, one per turn; illegal ones are played as written and refused",
    example={"actions": ["center", 0], "then": "first-legal"},
    licence="Apache-2.0",
)

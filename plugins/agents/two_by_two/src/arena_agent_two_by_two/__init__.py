"""Agents that answer questions about 2×2 games by calculation."""

from arena.plugin import Plugin

NASH = Plugin(
    factory="arena_agent_two_by_two.spectator:Nash",
    summary="names the pure equilibria of 2×2 games from the text of the question alone, always rightly",
    licence="Apache-2.0",
)
RULE_OF_THUMB = Plugin(
    factory="arena_agent_two_by_two.spectator:RuleOfThumb",
    summary="answers questions about 2×2 games by a simple rule: none, first, joint-payoff, maximin, …",
    example={"rule": "maximin"},
    licence="Apache-2.0",
)

"""A person as an agent."""

from arena.plugin import Plugin

HUMAN = Plugin(
    factory="arena_agent_human.agent:Human",
    summary="a person at the terminal; understands list numbers, labels and JSON, and asks again where unsure",
    example={"form": "text", "list_actions": True},
    capabilities=frozenset({"terminal"}),
    licence="Apache-2.0",
)

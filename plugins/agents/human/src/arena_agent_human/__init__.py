"""An agent that asks a person at the terminal."""

from arena.plugin import Plugin

HUMAN = Plugin(
    api=2,
    factory="arena_agent_human.agent:Human",
    summary="a person at the terminal; understands list numbers, labels and JSON, and asks again where unsure",
    example={"form": "text", "list_actions": True},
    capabilities=frozenset({"terminal"}),
    licence="Apache-2.0",
)

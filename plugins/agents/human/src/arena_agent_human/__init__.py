"""An agent that asks a person at the terminal."""

from arena.plugin import Plugin

HUMAN = Plugin(
    factory="arena_agent_human.agent:Human",
    summary="a person at the terminal; menus and forms by keys, or plain lines; asks again where unsure",
    example={"list_actions": True, "keys": True},
    capabilities=frozenset({"terminal"}),
    licence="Apache-2.0",
)

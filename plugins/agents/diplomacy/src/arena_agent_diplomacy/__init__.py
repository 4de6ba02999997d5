"""Agents that play Diplomacy by fixed rules: one holds, one takes centres, and one makes and keeps pacts as well."""

from arena.plugin import Plugin

HOLD = Plugin(
    factory="arena_agent_diplomacy.hold:DiplomacyHold",
    summary="holds with every unit and says nothing, as neutral powers do",
    licence="Apache-2.0",
)
GREEDY = Plugin(
    factory="arena_agent_diplomacy.greedy:DiplomacyGreedy",
    summary="goes for the nearest centres with supported attacks, without looking ahead and without a word",
    licence="Apache-2.0",
    order=45,
)
CHATTY = Plugin(
    factory="arena_agent_diplomacy.chatty:DiplomacyChatty",
    summary="plays like diplomacy-greedy and keeps simple pacts, which it makes by fixed sentences",
    example={"breaks": 0.5},
    licence="Apache-2.0",
    order=40,
)

"""Measures what powers order, hold, say and keep in Diplomacy."""

from arena.plugin import Plugin

ORDERS = Plugin(
    factory="arena_metric_diplomacy.orders:DiplomacyOrders",
    summary="moves, attacks and supports of Diplomacy that were ordered and came about, beside random and greedy play",
    licence="Apache-2.0",
)

CENTRES = Plugin(
    factory="arena_metric_diplomacy.centres:DiplomacyCentres",
    summary="centres and influence in Diplomacy by year and at the end, solo wins, survivors and eliminations",
    licence="Apache-2.0",
    order=12,
)

TALK = Plugin(
    factory="arena_metric_diplomacy.talk:DiplomacyTalk",
    summary="messages of Diplomacy by number, length and audience, and which stated pacts the orders kept",
    licence="Apache-2.0",
)

NEGOTIATION = Plugin(
    factory="arena_metric_diplomacy.negotiation:DiplomacyNegotiation",
    summary="six measures of what powers of Diplomacy say, annotated by a model: alignment, acceptance and others",
    example={"backend": {"use": "llamacpp", "temperature": 0, "max-tokens": 2000}},
    licence="Apache-2.0",
)

KNOWLEDGE = Plugin(
    factory="arena_metric_diplomacy.knowledge:DiplomacyKnowledge",
    summary="what players of Diplomacy know of their position: F1 of the five fields of SPIN-Bench, by agent and power",
    licence="Apache-2.0",
    order=12,
)

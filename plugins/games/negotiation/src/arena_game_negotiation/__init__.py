"""A negotiation between two players with private values, proposals and decisions."""

from arena.plugin import Plugin

NEGOTIATION = Plugin(
    factory="arena_game_negotiation.negotiation:Negotiation",
    summary="divide things that are worth more to one than to the other, by proposals with messages, or get nothing",
    example={"items": {"book": 2, "hat": 1, "ball": 3}, "rounds": 4},
    licence="Apache-2.0",
)

"""Agents that play TradeCraft by fixed rules or by its solver."""

from arena.plugin import Plugin

TRADER = Plugin(
    factory="arena_agent_tradecraft.trader:Trader",
    summary="trades for what its shortest crafting chain lacks, and accepts what does not hurt it",
    licence="Apache-2.0",
    order=30,
)
TRADE_PLANNER = Plugin(
    factory="arena_agent_tradecraft.planner:TradePlanner",
    summary="plays the quickest plan by which two players both reach their targets; it looks at both targets",
    licence="Apache-2.0",
)

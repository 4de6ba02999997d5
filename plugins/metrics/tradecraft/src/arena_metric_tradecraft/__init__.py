"""Measures how players of TradeCraft trade, craft and win."""

from arena.plugin import Plugin

TRADING = Plugin(
    factory="arena_metric_tradecraft.metric:Trading",
    summary="outcomes by pair, invalid behaviour, rejections and crafting chains of TradeCraft, beside yardsticks",
    licence="Apache-2.0",
    order=12,
)

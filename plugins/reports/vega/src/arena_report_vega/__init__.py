"""Writes a report's figures as Vega-Lite specifications for notebooks, editors and web pages."""

from arena.plugin import Plugin

VEGA = Plugin(
    factory="arena_report_vega.vega:Vega",
    summary="a directory with every figure as a Vega-Lite specification in JSON, its data inside",
    licence="Apache-2.0",
)

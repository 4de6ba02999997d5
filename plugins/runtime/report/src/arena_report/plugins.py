"""The plugins of the report itself; the classes behind them are imported only when used."""

from typing import Final

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

LICENCE: Final = "Apache-2.0"
"""The licence of every plugin in this module."""

MARKDOWN = Plugin(
    factory="arena_report.formats.documents:Markdown",
    summary="the whole report as Markdown",
    endings=(".md",),
    licence=LICENCE,
)
LATEX = Plugin(
    factory="arena_report.formats.documents:Latex",
    summary="all tables as LaTeX, for papers",
    endings=(".tex",),
    licence=LICENCE,
)
JSONL = Plugin(
    factory="arena_report.formats.documents:JsonLines",
    summary="one JSON object a match: players, ending, returns, actions, refusals",
    example={"events": True},
    licence=LICENCE,
)
CSV = Plugin(factory="arena_report.formats.documents:Csv", summary="one row a match", licence=LICENCE)
PARQUET = Plugin(
    factory="arena_report.formats.documents:Parquet",
    summary="one row a match, with types",
    requirements=(Requirement("pyarrow", package=full_name("report[parquet]")),),
    licence=LICENCE,
)

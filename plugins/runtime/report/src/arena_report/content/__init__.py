"""What a report is and what it is made of: contract, matches, facts about the runs, results for the verdict."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_report.content.forecast_table import (
        ESTIMATE as ESTIMATE,
        format_number as format_number,
        format_range as format_range,
        format_seconds as format_seconds,
        format_usd as format_usd,
        pluralize as pluralize,
    )
    from arena_report.content.run_facts import (
        COMMAND as COMMAND,
        SECONDS as SECONDS,
        played_s as played_s,
        without_rules as without_rules,
    )

_HOMES: Final = {
    "COMMAND": "arena_report.content.run_facts",
    "ESTIMATE": "arena_report.content.forecast_table",
    "SECONDS": "arena_report.content.run_facts",
    "format_number": "arena_report.content.forecast_table",
    "format_range": "arena_report.content.forecast_table",
    "format_seconds": "arena_report.content.forecast_table",
    "format_usd": "arena_report.content.forecast_table",
    "played_s": "arena_report.content.run_facts",
    "pluralize": "arena_report.content.forecast_table",
    "without_rules": "arena_report.content.run_facts",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)

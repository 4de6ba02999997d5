"""Stores everything that a run computed or paid for, and reads it again."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.journal.database import (
        BEGUN as BEGUN,
        FILE as FILE,
    )
    from arena_engine.journal.journal import begun_header as begun_header
    from arena_engine.journal.listing import status_of as status_of
    from arena_engine.journal.reading import (
        TranscriptTry as TranscriptTry,
        TranscriptTurn as TranscriptTurn,
    )
    from arena_engine.journal.repair import repair_journal as repair_journal
    from arena_engine.journal.schema import Header as Header
    from arena_engine.journal.usage import (
        Forecast as Forecast,
        ModelVersion as ModelVersion,
        Range as Range,
        UsageTotals as UsageTotals,
    )

_HOMES: Final = {
    "BEGUN": "arena_engine.journal.database",
    "FILE": "arena_engine.journal.database",
    "Forecast": "arena_engine.journal.usage",
    "Header": "arena_engine.journal.schema",
    "ModelVersion": "arena_engine.journal.usage",
    "Range": "arena_engine.journal.usage",
    "TranscriptTry": "arena_engine.journal.reading",
    "TranscriptTurn": "arena_engine.journal.reading",
    "UsageTotals": "arena_engine.journal.usage",
    "begun_header": "arena_engine.journal.journal",
    "repair_journal": "arena_engine.journal.repair",
    "status_of": "arena_engine.journal.listing",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)

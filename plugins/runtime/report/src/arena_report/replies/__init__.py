"""Recorded replies of models, read again: held against what was played, and labelled as cases."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_report.replies.cases import case_of as case_of
    from arena_report.replies.differences import (
        CLASSES as CLASSES,
        MARKED as MARKED,
        Audit as Audit,
        Difference as Difference,
        audit as audit,
    )

_HOMES: Final = {
    "CLASSES": "arena_report.replies.differences",
    "MARKED": "arena_report.replies.differences",
    "Audit": "arena_report.replies.differences",
    "Difference": "arena_report.replies.differences",
    "audit": "arena_report.replies.differences",
    "case_of": "arena_report.replies.cases",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)

"""Recorded replies of models, read again: held against what was played, and labelled as cases."""

from importlib import import_module
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

__all__ = [
    "CLASSES",
    "MARKED",
    "Audit",
    "Difference",
    "audit",
    "case_of",
]

_HOMES: Final = {
    "CLASSES": "arena_report.replies.differences",
    "MARKED": "arena_report.replies.differences",
    "Audit": "arena_report.replies.differences",
    "Difference": "arena_report.replies.differences",
    "audit": "arena_report.replies.differences",
    "case_of": "arena_report.replies.cases",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing a module here stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

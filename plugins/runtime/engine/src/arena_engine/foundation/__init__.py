"""What everything else stands on: child processes, the log of a run, redaction, JSON values, where code comes from."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.foundation.json_values import (
        forfeit_fault as forfeit_fault,
        json_fault as json_fault,
        measurement_fault as measurement_fault,
        returns_fault as returns_fault,
        shown as shown,
    )
    from arena_engine.foundation.ownership import (
        COMMAND as COMMAND,
        PACKAGE as PACKAGE,
        foreign_owners as foreign_owners,
        is_own_command as is_own_command,
        remedy as remedy,
    )
    from arena_engine.foundation.received_files import (
        ReceivedFiles as ReceivedFiles,
        check_table as check_table,
        received_json as received_json,
    )
    from arena_engine.foundation.redaction import Redactor as Redactor

_HOMES: Final = {
    "COMMAND": "arena_engine.foundation.ownership",
    "PACKAGE": "arena_engine.foundation.ownership",
    "ReceivedFiles": "arena_engine.foundation.received_files",
    "Redactor": "arena_engine.foundation.redaction",
    "check_table": "arena_engine.foundation.received_files",
    "foreign_owners": "arena_engine.foundation.ownership",
    "forfeit_fault": "arena_engine.foundation.json_values",
    "is_own_command": "arena_engine.foundation.ownership",
    "json_fault": "arena_engine.foundation.json_values",
    "measurement_fault": "arena_engine.foundation.json_values",
    "received_json": "arena_engine.foundation.received_files",
    "remedy": "arena_engine.foundation.ownership",
    "returns_fault": "arena_engine.foundation.json_values",
    "shown": "arena_engine.foundation.json_values",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)

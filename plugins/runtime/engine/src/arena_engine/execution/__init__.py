"""All matches of a run: executors, judges, control, replay."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.execution.api import enlarge_run as enlarge_run
    from arena_engine.execution.asyncio_executor import Asyncio as Asyncio
    from arena_engine.execution.capture import (
        CHARACTERS as CHARACTERS,
        CapturedRequest as CapturedRequest,
    )
    from arena_engine.execution.journaled_run import JournaledRun as JournaledRun
    from arena_engine.execution.judging import is_judged as is_judged
    from arena_engine.execution.match_runner import collecting_less as collecting_less
    from arena_engine.execution.readiness import (
        check_ready as check_ready,
        check_secrets as check_secrets,
    )
    from arena_engine.execution.replay import (
        branch as branch,
        turn_of as turn_of,
    )
    from arena_engine.execution.runner import (
        create_run as create_run,
        extend_run as extend_run,
        play_run as play_run,
        resume_run as resume_run,
    )

_HOMES: Final = {
    "CHARACTERS": "arena_engine.execution.capture",
    "Asyncio": "arena_engine.execution.asyncio_executor",
    "CapturedRequest": "arena_engine.execution.capture",
    "JournaledRun": "arena_engine.execution.journaled_run",
    "branch": "arena_engine.execution.replay",
    "check_ready": "arena_engine.execution.readiness",
    "check_secrets": "arena_engine.execution.readiness",
    "collecting_less": "arena_engine.execution.match_runner",
    "create_run": "arena_engine.execution.runner",
    "enlarge_run": "arena_engine.execution.api",
    "extend_run": "arena_engine.execution.runner",
    "is_judged": "arena_engine.execution.judging",
    "play_run": "arena_engine.execution.runner",
    "resume_run": "arena_engine.execution.runner",
    "turn_of": "arena_engine.execution.replay",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)

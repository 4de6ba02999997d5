"""Lets one try of a player take so many seconds and no more."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from arena.agent import Refusal
from arena.record import RefusalKind

from arena_engine.models.completions import RecordedCompletions
from arena_engine.models.deadline import Deadline
from arena_engine.running.context import RunContext
from arena_engine.running.stopping import Interrupted

T = TypeVar("T")


class TryOver(Exception):
    """The time of a try is over."""


async def within(
    limit: float | None, acting: Coroutine[Any, Any, T], completions: RecordedCompletions, context: RunContext
) -> T:
    """Await an answer for at most ``limit`` seconds; raises ``TryOver`` if the time was over.

    What ``completions`` wait for in the engine's own queues does not count.
    """
    if limit is None:
        return await acting
    timeout = asyncio.timeout(limit)
    try:
        async with timeout:
            deadline = completions.deadline = Deadline(timeout)
            response = await acting
            # An agent that never gives way comes back before the time-out can act.
            if not deadline.is_over(asyncio.get_running_loop().time()):
                return response
    except TimeoutError:
        if not timeout.expired():
            raise
    except Interrupted:
        context.check_stopped()
    finally:
        completions.deadline = None
    raise TryOver


def late_refusal(limit: float | None) -> Refusal:
    """The refusal of a try whose time was over."""
    allowed = "" if limit is None else f" of {limit:g} seconds"
    return Refusal(kind=RefusalKind.LATE, reason=f"the time{allowed} for this try was over")

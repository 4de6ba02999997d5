"""Begins coroutines where they are, and gives to the event loop only those that suspend.

Only this module knows how Python runs a task: from 3.12 on a task can begin at once, and 3.11 is taught it here.
"""

import asyncio
import sys
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def all_begun(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
    """What each coroutine returns or raises, in their order; a cancellation cancels all that have suspended.

    Each begins before the next one, and those that do not suspend need no event loop. A coroutine is in a task of its
    own from the beginning, as ``asyncio.timeout`` and others need it.
    """
    found: list[Any] = [_begun(coroutine) for coroutine in coroutines]
    suspended = [place for place, each in enumerate(found) if type(each) is asyncio.Task]
    if suspended:
        ends = await asyncio.gather(*(found[place] for place in suspended), return_exceptions=True)
        for place, end in zip(suspended, ends, strict=True):
            found[place] = end
    return found


if sys.version_info >= (3, 12):

    def _begun(coroutine: Coroutine[Any, Any, T]) -> "T | BaseException | asyncio.Task[T]":
        task: asyncio.Task[T] = asyncio.Task(coroutine, loop=asyncio.get_running_loop(), eager_start=True)
        if not task.done():
            return task
        if task.cancelled():
            return asyncio.CancelledError()
        error = task.exception()
        return task.result() if error is None else error

else:
    from asyncio.tasks import _enter_task, _leave_task  # pyright: ignore[reportPrivateUsage]  # documented for this use
    from contextvars import copy_context
    from types import TracebackType
    from typing import cast

    class _Begun(Coroutine[Any, Any, T]):
        """A ``coroutine`` that has begun, for the task that goes on with it: first of all it waits as it did then."""

        def __init__(self, coroutine: Coroutine[Any, Any, T], waits_for: Any) -> None:
            self._coroutine = coroutine
            self._waits_for = waits_for
            self._is_handed_over = False

        def send(self, value: Any) -> Any:
            if self._is_handed_over:
                return self._coroutine.send(value)
            self._is_handed_over = True
            return self._waits_for

        def throw(self, kind: Any, value: Any = None, trace: TracebackType | None = None) -> Any:
            self._is_handed_over = True
            return self._coroutine.throw(kind if value is None else value)

        def close(self) -> None:
            self._coroutine.close()

        def __await__(self) -> Any:
            raise NotImplementedError  # only a task goes on with it

    def _begun(coroutine: Coroutine[Any, Any, T]) -> "T | BaseException | asyncio.Task[T]":
        loop, outer, context = asyncio.get_running_loop(), asyncio.current_task(), copy_context()
        # A task is initialised, which hands it to the loop, only if there is something left for it to do.
        task: asyncio.Task[T] = cast("Any", asyncio.Task).__new__(asyncio.Task)
        if outer is not None:
            _leave_task(loop, outer)
        _enter_task(loop, task)
        try:
            waits_for = context.run(coroutine.send, None)
        except StopIteration as end:
            return cast("T", end.value)
        except BaseException as error:
            return error
        finally:
            _leave_task(loop, task)
            if outer is not None:
                _enter_task(loop, outer)
        cancelled = task.cancelling()
        task.__init__(_Begun(coroutine, waits_for), loop=loop, context=context)
        for _ in range(cancelled):  # by the coroutine itself
            task.cancel()
        return task

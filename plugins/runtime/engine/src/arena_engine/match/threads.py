"""Runs blocking calls in daemon threads, which never keep the process alive."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext, suppress
from threading import Thread
from typing import TypeVar

from arena.calls import PluginCall, calling

T = TypeVar("T")


async def in_thread(
    function: Callable[[], T], call: PluginCall | None = None, abandoned: Callable[[int], None] | None = None
) -> T:
    """Run ``function`` in its own thread and wait for it; ``asyncio.to_thread`` would let the process wait for it too.

    Cancelling the wait abandons the thread: its result is dropped, and the process may end before it does.
    ``abandoned`` is then called with 1, and with -1 if the thread ends after all. ``call`` says whose function it is.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            if abandoned is not None:
                abandoned(-1)
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # a result, since there is no error

    def run() -> None:
        try:
            with nullcontext() if call is None else calling(call):
                result, error = function(), None
        except StopIteration as raised:  # no future takes one, and whoever waits would wait for ever
            result, error = None, RuntimeError(f"raised {raised!r}")
        except BaseException as raised:
            result, error = None, raised
        with suppress(RuntimeError):  # the loop has closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    Thread(target=run, daemon=True, name="arena" if call is None else call.who).start()
    try:
        return await done
    except asyncio.CancelledError:
        if done.cancelled() and abandoned is not None:
            abandoned(1)
        raise

"""One engine for all who name the same program: in a run's event loop, or, for callers without one, in a thread.

An event loop that ends cancels its tasks. One task waits for that and then ends the loop's engines, so they live
exactly as long as the run that started them.
"""

import asyncio
import atexit
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from typing import TypeVar
from weakref import WeakKeyDictionary

from arena_agent_chess.engine import UciEngine

T = TypeVar("T")


class _Engines:
    """The engines of one event loop, by program, and the task that ends them."""

    def __init__(self) -> None:
        self._by_program: dict[str, UciEngine] = {}
        self._keeper = asyncio.create_task(self._keep())

    def get(self, program: str) -> UciEngine:
        if program not in self._by_program:
            self._by_program[program] = UciEngine(program)
        return self._by_program[program]

    async def _keep(self) -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            for engine in self._by_program.values():
                await engine.close()


_LOOPS: WeakKeyDictionary[asyncio.AbstractEventLoop, _Engines] = WeakKeyDictionary()


def shared_engine(program: str) -> UciEngine:
    """The engine of the running event loop for a program, started when it is first asked."""
    loop = asyncio.get_running_loop()
    if loop not in _LOOPS:
        _LOOPS[loop] = _Engines()
    return _LOOPS[loop].get(program)


def ask(program: str, question: Callable[[UciEngine], Awaitable[T]]) -> T:
    """Ask the engine of this process that serves callers without an event loop; blocks until it has answered."""

    async def asked() -> T:
        return await question(shared_engine(program))

    return asyncio.run_coroutine_threadsafe(asked(), _background()).result()


@cache
def _background() -> asyncio.AbstractEventLoop:
    """An event loop in a thread of its own, which ends with the process."""
    started = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def live() -> None:
        loops.append(asyncio.get_running_loop())
        started.set()
        with suppress(asyncio.CancelledError):
            await asyncio.get_running_loop().create_future()

    thread = threading.Thread(target=lambda: asyncio.run(live()), name="chess-engines", daemon=True)
    thread.start()
    started.wait()

    def end() -> None:
        loop = loops[0]
        for task in asyncio.all_tasks(loop):
            loop.call_soon_threadsafe(task.cancel)
        thread.join(timeout=5)

    atexit.register(end)
    return loops[0]

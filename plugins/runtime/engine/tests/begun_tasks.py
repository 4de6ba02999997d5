"""What ``all_begun`` promises, as a program of the standard library alone: ``python begun_tasks.py at_once.py``."""

import asyncio
import contextvars
import importlib.util
import sys
from typing import Any


async def returns(value: Any) -> Any:
    return value


async def suspends(value: Any) -> Any:
    await asyncio.sleep(0)
    return value


async def fails() -> None:
    raise ValueError("no")


async def results_come_in_order(all_begun: Any) -> None:
    """Values of coroutines that suspend and of others come in the order of the coroutines."""
    assert await all_begun([suspends(1), returns(2), suspends(3)]) == [1, 2, 3]


async def nothing_is_left_to_the_loop(all_begun: Any) -> None:
    """Where no coroutine suspends, the loop does not turn."""
    turned: list[int] = []
    asyncio.get_running_loop().call_soon(turned.append, 1)

    assert await all_begun([returns(1), returns(2)]) == [1, 2]
    assert turned == []


async def each_begins_before_the_next(all_begun: Any) -> None:
    """A coroutine that suspends has begun before the next one is begun."""
    seen: list[int] = []

    async def note(number: int) -> None:
        seen.append(number)
        await asyncio.sleep(0)
        seen.append(10 + number)

    await all_begun([note(1), note(2)])

    assert seen == [1, 2, 11, 12]


async def errors_are_values(all_begun: Any) -> None:
    """An error comes in the place of its coroutine, and the others end."""

    async def fails_later() -> None:
        await asyncio.sleep(0)
        raise LookupError("late")

    first, second, third = await all_begun([fails(), fails_later(), suspends(3)])

    assert (type(first), type(second), third) == (ValueError, LookupError, 3)


async def each_has_a_task_of_its_own(all_begun: Any) -> None:
    """The current task is one for each coroutine, from its first step to its last, and the outer one afterwards."""
    outer = asyncio.current_task()

    async def tasks() -> tuple[Any, Any]:
        before = asyncio.current_task()
        await asyncio.sleep(0)
        return before, asyncio.current_task()

    async def has_its_own() -> bool:
        return asyncio.current_task() not in (None, outer)

    (before, after), (other, _), ended_at_once = await all_begun([tasks(), tasks(), has_its_own()])

    assert before is after
    assert len({before, other, outer}) == 3
    assert ended_at_once
    assert asyncio.current_task() is outer


async def time_outs_cut_off_one_alone(all_begun: Any) -> None:
    """A time limit that is set before a coroutine suspends ends this one and no other."""

    async def late() -> str:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(60)
        except TimeoutError:
            return "late"
        return "in time"

    assert await all_begun([late(), suspends("other"), late()]) == ["late", "other", "late"]


async def a_cancellation_reaches_all_that_wait(all_begun: Any) -> None:
    """Who is cancelled while it waits for them cancels all that have suspended."""
    ended: list[int] = []

    async def waits(number: int) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(number)

    async def asks() -> None:
        await all_begun([waits(1), returns(2), waits(3)])

    task = asyncio.ensure_future(asks())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()
    assert ended == [1, 3]


async def who_cancels_itself_is_cancelled(all_begun: Any) -> None:
    """A coroutine that cancels its own task is cancelled where it suspends, and its error is a value."""

    async def cancels() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(60)

    async def raises() -> None:
        raise asyncio.CancelledError

    first, second, third = await all_begun([cancels(), raises(), suspends(3)])

    assert (type(first), type(second), third) == (asyncio.CancelledError, asyncio.CancelledError, 3)


async def variables_of_the_context_stay_apart(all_begun: Any) -> None:
    """What a coroutine sets in its context is seen by it alone, before and after it has suspended."""
    variable: contextvars.ContextVar[int] = contextvars.ContextVar("number", default=0)

    async def keeps(number: int) -> int:
        variable.set(number)
        await asyncio.sleep(0)
        return variable.get()

    assert await all_begun([keeps(1), keeps(2)]) == [1, 2]
    assert variable.get() == 0


PROMISES = (
    results_come_in_order,
    nothing_is_left_to_the_loop,
    each_begins_before_the_next,
    errors_are_values,
    each_has_a_task_of_its_own,
    time_outs_cut_off_one_alone,
    a_cancellation_reaches_all_that_wait,
    who_cancels_itself_is_cancelled,
    variables_of_the_context_stay_apart,
)


def main(path: str) -> None:
    """Try every promise on the module at a path."""
    spec = importlib.util.spec_from_file_location("at_once", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for promise in PROMISES:
        asyncio.run(promise(module.all_begun))
    sys.stdout.write(f"{len(PROMISES)} promises hold on {sys.version_info.major}.{sys.version_info.minor}\n")


if __name__ == "__main__":
    main(sys.argv[1])

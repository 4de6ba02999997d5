"""One timer stands for many time-outs, and each ends as ``asyncio.timeout`` would end it."""

import asyncio

import pytest
from arena_engine.foundation.shared_timer import SharedTimer, TimeLimit


async def test_only_what_was_not_ended_is_called_and_in_order():
    """Each function is called once its own time is over; one that was ended before is never called."""
    timer, called = SharedTimer(0.02), list[str]()
    functions = {name: lambda name=name: called.append(name) for name in ("first", "ended", "last")}

    timer.begin(functions["first"])
    timer.begin(functions["ended"])
    await asyncio.sleep(0.01)
    timer.begin(functions["last"])
    timer.end(functions["ended"])
    await asyncio.sleep(0.015)
    assert called == ["first"]
    await asyncio.sleep(0.03)

    assert called == ["first", "last"]


async def test_what_takes_too_long_is_a_timeout_and_the_task_goes_on():
    """The body is cancelled, ``TimeoutError`` is raised, and no cancellation is left over."""
    with pytest.raises(TimeoutError), TimeLimit(SharedTimer(0.01)):
        await asyncio.sleep(60)

    task = asyncio.current_task()
    assert task is not None
    assert not task.cancelling()
    await asyncio.sleep(0)


async def test_cancellation_by_somebody_else_stays_one():
    """A task that is cancelled from outside before its time is over ends as cancelled."""

    async def limited(seconds: float) -> None:
        with TimeLimit(SharedTimer(seconds)):
            await asyncio.sleep(60)

    task = asyncio.ensure_future(limited(60))
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_error_of_the_body_is_raised_as_it_is():
    """An error that comes in time is not changed, and the limit is over with it."""
    timer = SharedTimer(0.01)

    with pytest.raises(KeyError), TimeLimit(timer):
        raise KeyError("own")

    await asyncio.sleep(0.03)

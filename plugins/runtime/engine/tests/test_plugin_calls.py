"""Whose code runs is known from what was noted where a call began, and not from the names of functions."""

import asyncio
import gc
import sys
from threading import Event, Thread, get_ident
from types import FrameType

import pytest
from arena.calls import PluginCall, caller_here, caller_in, calling
from arena_engine.job.plugin_calls import EXECUTOR, asking, awaiting, frame_of, place_of, running_in

AGENT = PluginCall("agent", "a", asyncio.sleep)
GAME = PluginCall("game", "g", asyncio.wait)


def written_in(module: str, text: str, **names: object):
    """The function ``f`` of a text, as it would be in a module of this name."""
    space = {"__name__": module, **names}
    exec(compile(text, f"/where/{module.replace('.', '/')}.py", "exec"), space)
    return space["f"]


def here() -> FrameType:
    return sys._getframe(1)


def deepest(*modules: str) -> FrameType:
    """The innermost frame where functions of these modules have called each other, the first one the first."""
    call = here
    for module in reversed(modules):
        call = written_in(module, "def f():\n    return call()", call=call)
    return call()


def test_innermost_call_is_noted():
    """A call within a call is the one that is made, until it ends, even by an error."""
    with calling(AGENT):
        with pytest.raises(ValueError, match="invalid literal"), calling(GAME):
            int("none")
        assert caller_here().call is AGENT
        with calling(GAME):
            assert caller_here().call is GAME
    assert caller_here().call is None


def test_call_of_another_thread_is_known_until_the_thread_ends():
    """Each thread makes its own calls, and one that has ended is forgotten."""
    reached, over = Event(), Event()

    def work():
        with calling(AGENT):
            reached.set()
            over.wait()

    thread = Thread(target=work)
    thread.start()
    reached.wait()
    ident = thread.ident
    assert ident is not None
    caller = caller_in(ident)
    assert caller is not None
    assert caller.call is AGENT
    assert caller_here().call is None
    over.set()
    thread.join()
    del caller
    gc.collect()
    assert caller_in(ident) is None


async def test_call_that_is_awaited_belongs_to_its_task():
    """While a task waits for a plugin, other tasks of the thread make no call; nested ones end one by one."""
    others: list[PluginCall | None] = []

    async def other():
        others.append(asking())

    with awaiting(AGENT):
        with awaiting(GAME):
            await asyncio.gather(other())
            assert asking() is GAME
        assert asking() is AGENT
    assert asking() is None
    assert others == [None]


async def test_call_of_the_thread_is_within_that_of_the_task():
    """What is called without awaiting, within a plugin that is awaited, is what runs."""
    task, frame = asyncio.current_task(), deepest("arena_engine.match", "lab.parts")

    with awaiting(AGENT):
        outer = running_in(get_ident(), task, frame)
        with calling(GAME):
            inner = running_in(get_ident(), task, frame)
        again = running_in(get_ident(), task, frame)

    assert outer is not None
    assert inner is not None
    assert (outer.call, inner.call) == (AGENT, GAME)
    assert outer.is_same(again)
    assert not outer.is_same(inner)
    assert inner.who == "game 'g' (asyncio.tasks:wait)"


async def test_code_without_a_call_is_named_by_its_module():
    """In a task that a plugin has begun no call is known; the module of its code is."""
    code = running_in(get_ident(), asyncio.current_task(), deepest("arena_engine.api", "asyncio.runners", "lab.parts"))

    assert code is not None
    assert code.who == "lab.parts"
    assert code.player is None


async def test_executor_keeps_no_match_waiting():
    """An executor's own code is nobody's turn."""
    with awaiting(PluginCall(EXECUTOR, "", asyncio.run)):
        code = running_in(get_ident(), asyncio.current_task(), deepest("arena_engine.running", "cluster.start"))

    assert code is None


@pytest.mark.parametrize(
    ("modules", "text", "is_innermost"),
    [
        (("arena_engine.match", "lab.parts"), "parts.py:2", True),
        (("arena_engine.match", "lab.parts", "lab.inner", "random"), "inner.py:2", True),
        (("arena_engine.match", "lab.parts", "arena_engine.seat"), "parts.py:2", False),
        (("arena_engine.match", "lab.parts", "arena.chance", "game.rules"), "rules.py:2", True),
    ],
)
def test_place_is_where_the_innermost_code_of_a_plugin_is(modules: tuple[str, ...], text: str, is_innermost: bool):
    """The place is in the innermost module of a plugin; an exception may be raised there if Arena's is not within."""
    place = place_of(deepest(*modules))

    assert place is not None
    assert (place.text, place.is_innermost) == (text, is_innermost)


@pytest.mark.parametrize("modules", [("arena_engine.match", "random"), ("script", "asyncio.runners")])
def test_code_that_arena_has_not_called_is_no_plugins(modules: tuple[str, ...]):
    """A script that calls Arena, or Arena's own code, is no plugin."""
    assert place_of(written_in("builtins", "def f(frame):\n    return frame")(deepest(*modules))) is None


def test_frame_of_a_thread_is_its_innermost():
    """The frame of this thread is where it is; a thread that has ended has none."""
    thread = Thread(target=int)
    thread.start()
    thread.join()

    assert frame_of(get_ident()) is not None
    assert thread.ident is not None
    assert frame_of(thread.ident) is None

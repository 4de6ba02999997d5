"""Finds out whose code is running: reads a stack of frames and names the plugin that the engine has called."""

import asyncio
import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

import attrs
from arena.agent import Agent, PlayerAgent
from arena.backend import Backend, Connection
from arena.game import Game, State
from arena.metric import Metric

from arena_engine.match.at_once import begun_in

_ROOMS: Final = frozenset({"arena", "arena_engine", "arena_report", "arena_cli"})
_LIBRARIES: Final = frozenset(
    {"attr", "attrs", "cattrs", "click", "pluggy", "rich", "ruamel", "stevedore", "structlog"}
)
_TURN: Final = "take_turn"
_EXECUTOR_CALLED: Final = ("arena_engine.running.runner", "_play")


@attrs.frozen(eq=False)
class PluginCall:
    """A plugin's code on a stack.

    ``who`` names the plugin and the function that was called (``agent 'a' (lab.agents:Block.act)``), ``place`` is where
    it has got to (``agents.py:41``) and ``module`` where the function is. ``frame`` is that of the function. ``player``
    is the engine's object for the player who is asked, if any. ``is_innermost`` says that no code of Arena is running
    inside the plugin's, so that an exception may be raised there.
    """

    who: str
    place: str
    module: str
    frame: FrameType
    player: Any = None
    is_innermost: bool = True


def call_on(frames: Iterable[FrameType]) -> PluginCall | None:
    """The innermost call that the engine has made to a plugin; ``frames`` are given from the outermost one inwards."""
    stack = list(frames)
    boundary = next((n for n in reversed(range(len(stack))) if _is_boundary(stack, n)), None)
    if boundary is None:
        return None
    outside, inside = stack[:boundary], stack[boundary:]
    if (_module(outside[-1]), outside[-1].f_code.co_name) == _EXECUTOR_CALLED:
        return None  # an executor that starts its workers keeps no match waiting
    frame, last = inside[0], next(f for f in reversed(inside) if _is_plugin(f))
    return PluginCall(
        who=_who(outside, frame),
        place=f"{Path(last.f_code.co_filename).name}:{last.f_lineno}",
        module=_module(frame),
        frame=frame,
        player=next((f.f_locals["self"] for f in reversed(outside) if f.f_code.co_name == _TURN), None),
        is_innermost=not any(_root(f) in _ROOMS for f in inside),
    )


def stack_of(thread: int) -> list[FrameType]:
    """The frames of a thread, from the outermost one inwards; empty if it has ended."""
    return list(outwards(sys._current_frames().get(thread)))[::-1]  # pyright: ignore[reportPrivateUsage]


def outwards(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame and those that it was called from, from the innermost one outwards."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def players_of(task: "asyncio.Task[Any]") -> list[Any]:
    """The engine's objects for players whose turn is what a suspended task waits for."""
    waiting: Any = begun_in(task)
    found: list[Any] = []
    while inspect.iscoroutine(waiting):
        frame = waiting.cr_frame
        if frame is not None and frame.f_code.co_name == _TURN and _module(frame).startswith("arena_engine."):
            found.append(frame.f_locals["self"])
        waiting = waiting.cr_await
    return found


def named(kind: str, name: object, function: object) -> str:
    """A plugin as messages name it: ``agent 'a' (lab.agents:Block.act)``."""
    where = f"{getattr(function, '__module__', '?')}:{getattr(function, '__qualname__', '?')}"
    return f"{kind} {name!r} ({where})"


def _is_boundary(stack: list[FrameType], number: int) -> bool:
    """Whether a plugin's frame was called by a frame of Arena, perhaps through libraries."""
    if number == 0 or not _is_plugin(stack[number]):
        return False
    callers = (f for f in reversed(stack[:number]) if _is_plugin(f) or _root(f) in _ROOMS)
    caller = next(callers, None)
    return caller is not None and _root(caller) in _ROOMS


def _is_plugin(frame: FrameType) -> bool:
    root = _root(frame)
    return not (root in _ROOMS or root in _LIBRARIES or root in sys.stdlib_module_names or root.startswith("<"))


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "<unnamed>"))


def _root(frame: FrameType) -> str:
    return _module(frame).partition(".")[0]


def _who(outside: list[FrameType], frame: FrameType) -> str:
    code = f"{_module(frame)}:{frame.f_code.co_qualname}"
    kind, name = _role(outside, frame.f_locals.get("self"))
    if kind == "thread":
        return name
    return f"{kind} {name!r} ({code})" if name else f"{kind} ({code})" if kind else code


def _role(outside: list[FrameType], owner: object) -> tuple[str, str]:
    """The kind of plugin that was called, and its name in the benchmark, as far as the stack tells."""
    caller = outside[-1]
    for caller in reversed(outside):
        if _root(caller) in _ROOMS:
            break
    found = _locals(outside)
    if _module(caller) == "arena_engine.match.threads":
        return "thread", str(caller.f_locals.get("who", ""))
    if _module(caller) == "arena.bus":
        return "observer", str(caller.f_locals.get("name", ""))
    if isinstance(owner, Game | State):
        return "game", str(getattr(found.get("plan"), "game", found.get("game_name", "")))
    if isinstance(owner, Metric):
        return "metric", str(found.get("metric_name", ""))
    if isinstance(owner, Backend | Connection):
        return "backend of agent", str(found.get("agent_name", ""))
    if isinstance(owner, Agent | PlayerAgent) or "agent_name" in found:
        return "agent", str(found.get("agent_name", ""))
    return "", ""


def _locals(outside: list[FrameType]) -> dict[str, Any]:
    """What the frames of the engine and of reports know of names; the innermost one counts."""
    found: dict[str, Any] = {}
    for frame in outside:
        if not _module(frame).startswith(("arena_engine.", "arena_report.")):
            continue
        seen = frame.f_locals
        owner = seen.get("self")
        for plan in (seen.get("plan"), getattr(owner, "plan", None)):
            if plan is not None:
                found["plan"] = plan
        for player in (owner, seen.get("player")):
            if (agent := getattr(player, "agent_name", None)) is not None:
                found["agent_name"] = agent
        if (game := getattr(owner, "game_name", None)) is not None:
            found["game_name"] = game
        metric = seen.get("metric", getattr(owner, "_metric", None))
        if isinstance(metric, Metric):
            found["metric_name"] = seen.get("name", getattr(owner, "name", ""))
    return found

"""Knows whose code runs: which plugin a task or a thread has called, for which player, and where it has got to."""

import asyncio
import sys
from contextlib import AbstractContextManager
from functools import cache, lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, Final, Protocol

import attrs
from arena.calls import Caller, PluginCall, caller_in
from arena.game import Decision, Options, State

EXECUTOR: Final = "executor"
"""The kind of plugin that keeps no match waiting while it starts its workers."""

_ROOMS: Final = frozenset({"arena", "arena_engine", "arena_report", "arena_cli"})
_LIBRARIES: Final = frozenset(
    {"attr", "attrs", "cattrs", "click", "pluggy", "rich", "ruamel", "stevedore", "structlog"}
)


class AskedPlayer(Protocol):
    """A player of a match, while it takes its turn."""

    @property
    def acting(self) -> PluginCall:
        """The call of its agent that it takes its turn by."""
        ...

    def is_over_time(self, now: float) -> bool:
        """Whether the time for this try was over at ``now``, by the clock of the event loop."""
        ...


class TaskCaller(Caller):
    """A task that calls plugins and awaits them, from ``begin`` to ``end``.

    ``player`` is the one whose turn is taken in the task, if any: then its agent is called, unless ``call`` is set.
    ``before`` is what stood for the task until then.
    """

    player: "AskedPlayer | None" = None

    def begin(self, task: "asyncio.Task[Any] | None" = None) -> None:
        """Stand for the current task, which may be given."""
        task = task or asyncio.current_task()
        assert task is not None  # plugins are awaited in tasks alone
        self.task = task
        self.before = _tasks.get(task)
        _tasks[task] = self

    def end(self) -> None:
        """Let the task be what it was before."""
        if self.before is None:
            del _tasks[self.task]
        else:
            _tasks[self.task] = self.before

    @property
    def awaited(self) -> PluginCall | None:
        """The call that the task makes."""
        return self.player.acting if self.call is None and self.player is not None else self.call


_tasks: Final[dict["asyncio.Task[Any]", TaskCaller]] = {}


class _Awaiting(TaskCaller):
    def __init__(self, call: PluginCall) -> None:
        self.call = call

    def __enter__(self) -> None:
        self.begin()
        if self.before is not None:
            self.player = self.before.player

    def __exit__(self, *error: object) -> None:
        self.end()


def awaiting(call: PluginCall) -> AbstractContextManager[None]:
    """A context in which the current task makes a call; other than in ``calling``, the plugin may be awaited in it."""
    return _Awaiting(call)


@lru_cache(maxsize=1 << 10)
def call_of(kind: str, name: str, function: object) -> PluginCall:
    """A call that is made again and again."""
    return PluginCall(kind, name, function)


@attrs.frozen(eq=False)
class GameCalls:
    """The calls of a game that are made in every match: the methods of its state, and what its decisions bring."""

    to_act: PluginCall
    decision: PluginCall
    check: PluginCall
    apply: PluginCall
    rewards: PluginCall
    returns: PluginCall
    observe: PluginCall
    resample_hidden: PluginCall
    clone: PluginCall
    label: PluginCall
    sample: PluginCall


@cache
def calls_of(name: str, state: type[State]) -> GameCalls:
    """The calls of the game that a benchmark calls ``name``, with states of a class."""
    functions: dict[str, object] = {field.name: getattr(state, field.name, None) for field in attrs.fields(GameCalls)}
    functions |= {"label": Options.label, "sample": Decision.sample}
    return GameCalls(**{field: PluginCall("game", name, function) for field, function in functions.items()})


def asking() -> PluginCall | None:
    """The call that the current task makes; ``None`` if it has called no plugin."""
    task = asyncio.current_task()
    caller = None if task is None else _tasks.get(task)
    return None if caller is None else caller.awaited


@attrs.frozen
class Place:
    """Where a plugin's code has got to: its file and line (``text``), and its ``module``.

    ``is_innermost`` says that no code of Arena runs inside the plugin's, so that an exception may be raised there.
    """

    text: str
    module: str
    is_innermost: bool


@attrs.frozen(eq=False)
class RunningCode:
    """A plugin's code that runs, and has got to ``place``.

    ``noted`` is the innermost call that was noted, ``caller`` the task that runs if it calls plugins, and ``player``
    the one whose turn is taken in it. In tasks that a plugin has begun all are ``None``.
    """

    place: Place
    noted: PluginCall | None
    caller: TaskCaller | None
    player: AskedPlayer | None

    @property
    def call(self) -> PluginCall | None:
        """The innermost call that was made to a plugin."""
        return self.player.acting if self.noted is None and self.player is not None else self.noted

    @property
    def who(self) -> str:
        """The plugin and its function, or the module of the code where neither is known."""
        return self.place.module if (call := self.call) is None else call.who

    def is_same(self, other: "RunningCode | None") -> bool:
        """Whether both are of one call."""
        mine = (self.noted, self.caller, self.player)
        return other is not None and mine == (other.noted, other.caller, other.player)


def running_in(thread: int, task: "asyncio.Task[Any] | None", frame: FrameType | None) -> RunningCode | None:
    """The code of a plugin that runs in a thread, whose current task and innermost frame are given; ``None`` if none.

    An executor's own is none: no match waits for it.
    """
    if (place := place_of(frame)) is None:
        return None
    here, caller = caller_in(thread), None if task is None else _tasks.get(task)
    noted = None if here is None else here.call
    if noted is None and caller is not None:
        noted = caller.call
    if noted is not None and noted.kind == EXECUTOR:
        return None
    return RunningCode(place, noted, caller, None if caller is None else caller.player)


def place_of(frame: FrameType | None) -> Place | None:
    """Where the innermost code of a plugin has got to that Arena has called, perhaps through libraries."""
    found: Place | None = None
    is_innermost = True
    while frame is not None:
        module = str(frame.f_globals.get("__name__", "<unnamed>"))
        root = module.partition(".")[0]
        if root in _ROOMS:
            if found is not None:
                return found
            is_innermost = False
        elif found is None and _is_plugin(root):
            found = Place(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}", module, is_innermost)
        frame = frame.f_back
    return None


def frame_of(thread: int) -> FrameType | None:
    """The innermost frame of a thread; ``None`` if it has ended."""
    return sys._current_frames().get(thread)  # pyright: ignore[reportPrivateUsage]


def _is_plugin(root: str) -> bool:
    return not (root in _LIBRARIES or root in sys.stdlib_module_names or root.startswith("<"))

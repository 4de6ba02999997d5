"""Ends what plugins wait for when a run stops, and remembers who was cut off."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from arena.errors import ArenaError, StopRun

POLL_S: Final = 0.02
"""How often a run that stops looks whether a task waits for nothing but a plugin."""

AGAIN_S: Final = 0.2
"""Seconds after which a task that has not ended is cancelled again."""


def uncancelled() -> None:
    """Let the current task go on after a cancellation that has been dealt with."""
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


class WaitedPlayer(Protocol):
    """A player of a match, for whose turn a task may wait."""

    @property
    def task(self) -> "asyncio.Task[Any] | None":
        """The task in which it is taking its turn, if it is."""
        ...

    @property
    def waits_outside(self) -> bool:
        """Whether somebody outside is waited for who plays for it."""
        ...

    @property
    def who(self) -> str:
        """The player's agent by its name and its function, for messages."""
        ...


class Interrupted(BaseException):
    """Raised inside a plugin that blocks the event loop, when its time is over or the run stops.

    No ``Exception``, so that a plugin that catches those does not go on.
    """


class PluginTasks:
    """The tasks that call plugins; they are cancelled once the run is to end.

    ``cut_off`` names whose turn was cut short, in order. ``tell`` is called with a sentence about whoever goes on
    although it was cancelled.
    """

    def __init__(self) -> None:
        self.cut_off: dict[str, None] = {}
        self.tell: Callable[[str], None] | None = None
        self._entries: dict[asyncio.Task[Any], _Entry] = {}
        self._cancelled: dict[asyncio.Task[Any], float] = {}
        self._deadline: float | None = None
        self._ending: asyncio.Task[None] | None = None
        self._reason: str | None = None

    def end(self, reason: str, within_s: float | None) -> None:
        """Cancel tasks as soon as they wait for no answer of a model, and in ``within_s`` seconds whatever they do."""
        loop = asyncio.get_running_loop()
        self._reason = reason
        self._deadline = None if within_s is None else loop.time() + within_s
        if self._ending is None:
            self._ending = loop.create_task(self._end())

    def ended_on_stop(
        self, has_time: Callable[[], bool], players: Sequence[WaitedPlayer] = (), *, who: str = ""
    ) -> "_EndedOnStop":
        """Let the current task be cancelled when the run stops; ``StopRun`` is raised then.

        While ``has_time`` is true the task is left alone, until the run's own time is over. ``players`` are the
        engine's objects for the players of its match, ``who`` names a plugin that is no player.
        """
        return _EndedOnStop(self, _Entry(has_time, players, who))

    def enter(self, task: "asyncio.Task[Any]", entry: "_Entry") -> "_Entry | None":
        """Let a task be cancelled by ``entry``; returns the one before, which ``leave`` is given back."""
        outer = self._entries.get(task)
        self._entries[task] = entry
        return outer

    def leave(self, task: "asyncio.Task[Any]", outer: "_Entry | None", error: BaseException | None) -> None:
        """Undo ``enter``; ``StopRun`` if the task was cancelled because the run stops."""
        was_cancelled = self._cancelled.pop(task, None) is not None
        if outer is None:
            del self._entries[task]
        else:
            self._entries[task] = outer
        if error is None or isinstance(error, ArenaError) or self._reason is None:
            return
        if was_cancelled or isinstance(error, Interrupted):  # a plugin may have made another error of it
            uncancelled()
            raise StopRun(self._reason) from None

    async def _end(self) -> None:
        time = asyncio.get_running_loop().time
        while True:
            is_late = self._deadline is not None and time() >= self._deadline
            for task, entry in list(self._entries.items()):
                if (is_late or not entry.has_time()) and time() >= self._cancelled.get(task, 0.0):
                    who = self._asked(entry)
                    self.cut_off |= dict.fromkeys(who)
                    if task in self._cancelled and self.tell is not None and who:
                        self.tell(f"{', '.join(who)} goes on, although the run is to end")
                    self._cancelled[task] = time() + AGAIN_S
                    task.cancel()
            await asyncio.sleep(POLL_S)

    def _asked(self, entry: "_Entry") -> list[str]:
        """The names of the plugins that a task waits for."""
        names = [entry.who] if entry.who else []
        # Nobody's work is cut off where somebody outside has not answered yet.
        return names + [player.who for player in entry.players if player.task is not None and not player.waits_outside]


class _Entry:
    """A task that may be cancelled."""

    __slots__ = ("has_time", "players", "who")

    def __init__(self, has_time: Callable[[], bool], players: Sequence[WaitedPlayer], who: str) -> None:
        self.has_time = has_time
        self.players = players
        self.who = who


class _EndedOnStop:
    """The context that ``ended_on_stop`` returns, with the current task; a class, since each match has one."""

    __slots__ = ("_entry", "_outer", "_task", "_tasks")

    def __init__(self, tasks: PluginTasks, entry: _Entry) -> None:
        self._tasks = tasks
        self._entry = entry

    def __enter__(self) -> "asyncio.Task[Any]":
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._outer = self._tasks.enter(task, self._entry)
        return task

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._tasks.leave(self._task, self._outer, error)

"""The interface of a run for executors: the journal, the budget, observers and the stop signal."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol, TypeVar

from arena.backend import Backend
from arena.errors import StopRun
from arena.hookspecs import Hooks
from arena.record import JSON, Event, MatchPlan, Player

from arena_engine.foundation.run_log import SILENT, RunLog
from arena_engine.job.open_seats import OpenSeats
from arena_engine.job.stopping import PluginTasks
from arena_engine.journal.sent_batches import SentBatches
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call

T = TypeVar("T")

TURN_S: Final = 0.05
"""Seconds for which a match may keep the event loop from turning, if its agents answer at once."""


class MatchInPlay(Protocol):
    """A match in progress, as whoever controls a run sees it."""

    @property
    def plan(self) -> MatchPlan:
        """The plan of the match."""
        ...

    def cancel(self) -> None:
        """End the match for good, without a result."""
        ...

    async def leave(self, player: Player) -> None:
        """Let a player get up; it is recorded when this returns."""
        ...

    async def unfinished_step(self) -> tuple[Event, ...]:
        """What has happened in the step that is being played: refusals and look-ups, by player."""
        ...

    async def receive(self, player: Player, message: JSON) -> JSON:
        """Hand a message to the agent of a player, and return its answer."""
        ...


class Follower(Protocol):
    """Plays matches of a run in other processes; called in the event loop of the run, each time it is held anew."""

    def pause(self) -> None:
        """Let nothing new be asked."""
        ...

    def proceed(self) -> None:
        """Let the matches go on after a pause."""
        ...

    def stop(self, reason: str, within_s: float | None) -> None:
        """Let the matches end, answers in flight within ``within_s`` seconds, ``None`` for any time."""
        ...


class AgentStopped(StopRun):
    """The account or the day's limit behind an agent is used up: its matches are left, and those of others go on.

    The run counts as stopped once nothing else is left to play, and can be resumed.
    """


class RunContext(ABC):
    """Gives an executor access to the journal, the budget, the observers and the stop signal of a run.

    Created inside the event loop that plays. ``warnings`` are the texts given to ``warn``, in order, with counts.
    ``reason`` is why the run is to end, or ``None``; ``left`` is why matches of an agent are left, or ``None``;
    ``is_held`` says that it is to end or is paused, so that matches have to ask ``may_go_on``. ``playing`` are the
    matches in progress, by id, ``cancelled`` the ids of those that are to end for good, and ``seats`` those that wait
    for somebody outside. An executor that plays in other processes puts its matches into ``playing``, and who passes on
    that the run is held into ``followers``. ``tasks`` are those that call plugins, and ``abandoned`` counts, by agent,
    the threads that still run although nobody waits for them any more. ``started`` says when each match in progress
    began. ``log`` is told what happens. ``batches`` are those that were sent to providers, in the process of the run.
    ``turn_due`` is the time, by ``time.monotonic``, when ``turn`` is to be awaited.
    """

    def __init__(self, log: RunLog = SILENT) -> None:
        self.log = log
        self.reason: str | None = None
        self.left: str | None = None
        self.is_held = False
        self.is_paused = False
        self.playing: dict[str, MatchInPlay] = {}
        self.cancelled: set[str] = set()
        self.started: dict[str, datetime] = {}
        self.followers: list[Follower] = []
        self.seats = OpenSeats()
        self.warnings: dict[str, int] = {}
        self.tasks = PluginTasks()
        self.abandoned: Counter[str] = Counter()
        self.batches = SentBatches()
        self.turn_due = time.monotonic() + TURN_S
        self._stopped = asyncio.Event()
        self._changed = asyncio.Event()

    @property
    @abstractmethod
    def hooks(self) -> Hooks:
        """The hooks of the run, to call by name with keyword arguments."""

    @property
    @abstractmethod
    def active_hooks(self) -> frozenset[str]:
        """The names of the hooks that some observer implements; the others need not be called."""

    @abstractmethod
    def recorded(self, match: str) -> Mapping[str, JournalEntry]:
        """The journal's entries of an earlier, unfinished attempt at a match, by scope."""

    @abstractmethod
    async def record(self, answer: JournalEntry) -> None:
        """Write an entry to the journal; it is durable when this returns. Raises ``StopRun`` or ``JournalFull``."""

    @abstractmethod
    async def admit(self, backend: Backend, call: Call) -> None:
        """Wait until the budget allows a call, and count it; ``StopRun`` if that cannot be or the run is to end.

        A call is counted until ``record`` gets its answer or ``release`` is called.
        """

    @abstractmethod
    def release(self, call: Call, *, is_paid: bool) -> None:
        """End a call that was admitted and has no answer; ``is_paid`` says that it may have been computed."""

    def progress(  # noqa: B027 - a run that nobody can look at does nothing
        self, match: str, step: int, events: Sequence[Event], *, is_first: bool
    ) -> None:
        """Show readers the events of a match since the last call, which led to ``step``; not waited for.

        Called for matches that last longer than a second. The first call has the events from the beginning of the
        match; what an earlier attempt has shown is forgotten then.
        """

    def stop(self, reason: str, within_s: float | None = None) -> None:
        """Ask the run to end: nothing more is sent, and what else agents wait for is cancelled.

        The first reason counts. Answers in flight are kept if they come ``within_s`` seconds, ``None`` for any time.
        """
        self.reason = self.reason or reason
        if not self._stopped.is_set():
            self.seats.close(self.reason)
        self.is_held = True
        self._changed.set()
        if within_s is not None or not self._stopped.is_set():
            self._stopped.set()
            self.tasks.end(self.reason, within_s)
            for follower in self.followers:
                follower.stop(self.reason, within_s)

    def pause(self) -> None:
        """Ask nothing new: no match begins, no step is played and no request is sent until ``proceed`` is called."""
        self.is_held = self.is_paused = True
        for follower in self.followers:
            follower.pause()

    def proceed(self) -> None:
        """Go on after a pause."""
        self.is_paused = False
        self.is_held = self.reason is not None
        self._changed.set()
        for follower in self.followers:
            follower.proceed()

    async def may_go_on(self) -> None:
        """Wait while the run is paused; ``StopRun`` if it is to end. Called before every step if it ``is_held``."""
        self.check_stopped()
        while self.is_paused:
            self._changed.clear()
            await self._changed.wait()
            self.check_stopped()

    async def turn(self) -> None:
        """Let the event loop turn, for signals, watchers and other matches; called between steps when it is due."""
        await asyncio.sleep(0)
        self.turn_due = time.monotonic() + TURN_S

    def warn(self, text: str) -> None:
        """Add a warning to the run's status: a problem that changes no result. Equal texts are counted."""
        self.warnings[text] = self.warnings.get(text, 0) + 1

    def leave(self, stopped: AgentStopped) -> None:
        """Note why a match was left; the first reason counts."""
        self.left = self.left or str(stopped)

    def check_stopped(self) -> None:
        """Raise ``StopRun`` if the run is to end."""
        if self.reason is not None:
            raise StopRun(self.reason)

    async def unless_stopped(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Await something that may be abandoned at no cost; raises ``StopRun`` as soon as the run is to end."""
        task = asyncio.ensure_future(waiting)
        stop = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                self.check_stopped()
            return await task
        finally:
            task.cancel()
            stop.cancel()

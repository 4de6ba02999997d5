"""A handle on a run from outside: pauses it, goes on, stops it, cancels matches, lets players get up."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from typing import Any, Final, Protocol, TypeVar

import attrs
from arena.errors import ConfigError
from arena.record import JSON, Ending, Event, MatchPlan, MatchRecord, Player

from arena_engine.job.context import MatchInPlay, RunContext
from arena_engine.job.open_seats import WaitingSeat
from arena_engine.journal.journal import Journal

T = TypeVar("T")

GRACE_S: Final = 1.0
"""Seconds within which answers in flight are kept when a run is stopped from outside."""


@attrs.frozen(kw_only=True)
class ControlState:
    """What a run does: ``stopping`` says why it is to end, or is ``None``; ``waiting`` are seats that wait.

    ``playing`` are the ids of the matches in progress. Before the run begins and after it has ended, ``is_playing`` is
    false and there are none.
    """

    run: str = ""
    is_playing: bool = False
    is_paused: bool = False
    stopping: str | None = None
    is_attended: bool = False
    playing: tuple[str, ...] = ()
    waiting: tuple[WaitingSeat, ...] = ()


class ControlledRun(Protocol):
    """What can be done with a run from outside, in this process (``Control``) or another (``RemoteControl``).

    ``ConfigError`` says why something cannot be done: there is no such match, it is over, it is played elsewhere.
    """

    @property
    def state(self) -> ControlState:
        """What the run does."""
        ...

    def pause(self) -> None:
        """Ask nothing new; what is in flight is kept."""
        ...

    def proceed(self) -> None:
        """Go on after a pause."""
        ...

    def stop(self, reason: str = "stopped from outside") -> None:
        """End the run cleanly; it can be resumed."""
        ...

    def cancel(self, match: str) -> None:
        """End a match for good and without a result, whether it has begun or not."""
        ...

    def leave(self, match: str, player: Player) -> None:
        """Let a player of a match in progress get up: it forfeits, and its match ends as the game's facts say."""
        ...

    def mark_watched(self, matches: Sequence[str]) -> None:
        """Record that the host sees all of these matches from here on, none of which is over."""
        ...

    def unfinished_step(self, match: str) -> tuple[Event, ...]:
        """What has happened in the step that a match is in: refusals and look-ups, which the journal does not have."""
        ...

    def send(self, match: str, player: Player, message: JSON) -> JSON:
        """Hand a message to the agent of a player whom somebody outside plays, and return its answer."""
        ...


class Control(ControlledRun):
    """The handle on a run that is played in this process; give it to ``arena.run`` or ``play_run``.

    Its methods may be called in any thread and take effect as soon as the event loop of the run turns. In the thread
    of that loop ``received`` takes the place of ``send`` and ``unfinished`` that of ``unfinished_step``. With
    ``is_attended`` the run waits for open seats as long as they say; without, it ends where nothing else is left to
    be played and nobody comes within ``grace_s`` seconds.
    """

    def __init__(self, *, is_attended: bool = False, grace_s: float = 0.0) -> None:
        self._attending = int(is_attended)
        self._grace_s = grace_s
        self._is_paused = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context: RunContext | None = None
        self._journal: Journal | None = None

    def connect(self, context: RunContext, journal: Journal) -> None:
        """Choose the run that is controlled; called in its event loop, before anything is played."""
        self._loop, self._context, self._journal = asyncio.get_running_loop(), context, journal
        context.seats.directory = str(journal.directory)
        context.seats.end = lambda reason: context.stop(reason, GRACE_S)
        context.seats.is_attended = self._attending > 0
        context.seats.grace_s = self._grace_s
        if self._is_paused:
            self._pause()

    def disconnect(self) -> None:
        """Forget the run, which is over."""
        self._loop = self._context = self._journal = None

    @property
    def state(self) -> ControlState:
        context, journal = self._context, self._journal
        if context is None or journal is None:
            return ControlState(is_paused=self._is_paused, is_attended=self._attending > 0)
        return ControlState(
            run=journal.header.id,
            is_playing=True,
            is_paused=context.is_paused,
            stopping=context.reason,
            is_attended=context.seats.is_attended,
            playing=tuple(context.playing),
            waiting=context.seats.waiting,
        )

    def pause(self) -> None:
        self._is_paused = True
        self._soon(self._pause)

    def proceed(self) -> None:
        self._is_paused = False
        self._soon(self._proceed)

    def stop(self, reason: str = "stopped from outside", within_s: float = GRACE_S) -> None:
        """End the run cleanly; answers in flight are kept if they come ``within_s`` seconds."""
        self._soon(lambda: self._running().stop(reason, within_s))

    def attend(self, *, is_here: bool = True) -> None:
        """Say that somebody watches the run from here on, or does not any more; whoever came says so when it goes."""
        self._attending += 1 if is_here else -1
        self._soon(self._attended)

    def cancel(self, match: str) -> None:
        self._done(self._cancel(self._plan(match)))

    def leave(self, match: str, player: Player) -> None:
        self._done(self._match(match, player).leave(player))

    def mark_watched(self, matches: Sequence[str]) -> None:
        self._done(self.marked_watched(matches))

    def unfinished_step(self, match: str) -> tuple[Event, ...]:
        return self._done(self._match(match).unfinished_step()).result()

    def send(self, match: str, player: Player, message: JSON) -> JSON:
        return self._done(self._match(match, player).receive(player, message)).result()

    async def cancelled(self, match: str) -> None:
        """The same as ``cancel``, in the event loop of the run; done when this returns."""
        await self._cancel(self._plan(match))

    async def marked_watched(self, matches: Sequence[str]) -> None:
        """The same as ``mark_watched``, in the event loop of the run; done when this returns."""
        journal = self._journal
        if journal is None:
            raise ConfigError("the run is not being played")
        journal.mark_watched([self._plan(match).id for match in matches])

    async def left(self, match: str, player: Player) -> None:
        """The same as ``leave``, in the event loop of the run; done when this returns."""
        await self._match(match, player).leave(player)

    async def unfinished(self, match: str) -> tuple[Event, ...]:
        """The same as ``unfinished_step``, in the event loop of the run."""
        return await self._match(match).unfinished_step()

    async def received(self, match: str, player: Player, message: JSON) -> JSON:
        """The same as ``send``, in the event loop of the run."""
        return await self._match(match, player).receive(player, message)

    def _running(self) -> RunContext:
        if self._context is None:
            raise ConfigError("the run is not being played")
        return self._context

    def _plan(self, match: str) -> MatchPlan:
        """The plan of a match that may be cancelled; read in a connection of its own, since threads share none."""
        journal = self._journal
        if journal is None:
            raise ConfigError("the run is not being played")
        with Journal.open(journal.directory, check=False) as reader:
            history = reader.history_of(match)
        if history is None:
            raise ConfigError(f"no match {match!r} in the run")
        if isinstance(history, MatchRecord) and history.ending.is_result:
            raise ConfigError(f"match {match!r} is over: {history.ending}")
        return history.plan

    def _match(self, match: str, player: Player | None = None) -> MatchInPlay:
        found = self._running().playing.get(match)
        if found is None:
            self._plan(match)
            raise ConfigError(f"match {match!r} is not being played")
        if player is not None and not 0 <= player < len(found.plan.agents):
            raise ConfigError(f"match {match!r} has no player {player!r}: there are {len(found.plan.agents)}")
        return found

    def _pause(self) -> None:
        context = self._running()
        if not context.is_paused:
            context.pause()
            self._tell("run_paused")

    def _proceed(self) -> None:
        context = self._running()
        if context.is_paused:
            context.proceed()
            self._tell("run_continued")

    def _tell(self, hook: str) -> None:
        context = self._running()
        if hook in context.active_hooks and self._journal is not None:
            getattr(context.hooks, hook)(name=self._journal.header.name)

    def _attended(self) -> None:
        seats = self._running().seats
        seats.is_attended = self._attending > 0
        seats.look()

    async def _cancel(self, plan: MatchPlan) -> None:
        context, journal = self._running(), self._journal
        assert journal is not None
        await journal.flush()  # its record may be on the way
        if (playing := context.playing.get(plan.id)) is not None:
            playing.cancel()
        elif (known := journal.record_of(plan.id)) is None or not known.ending.is_result:
            context.cancelled.add(plan.id)
            journal.finish(MatchRecord(plan=plan, ending=Ending.CANCELLED, returns=None))
            await journal.flush()

    def _soon(self, change: Callable[[], object]) -> None:
        """Do something in the loop of the run, if it is being played: at once if this is its thread."""
        if self._is_here():
            change()
        elif self._loop is not None:
            self._loop.call_soon_threadsafe(change)

    def _is_here(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    def _done(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start something in the loop of the run; in another thread, wait until it is done."""
        loop = self._loop
        if loop is None:
            work.close()
            raise ConfigError("the run is not being played")
        future = asyncio.run_coroutine_threadsafe(work, loop)
        if not self._is_here():
            future.exception()  # waits
        return future

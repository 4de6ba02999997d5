"""Calls one player's agent: in the event loop, in a thread of its own, or by waiting for somebody outside."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import nullcontext, suppress
from functools import partial
from threading import Thread
from typing import Any, Final, TypeVar, cast

from arena.agent import Outside, PlayerAgent, Response
from arena.calls import PluginCall, calling
from arena.errors import PluginError
from arena.game import Decision
from arena.record import MatchPlan, Player

from arena_engine.foundation.run_log import SILENT, RunLog
from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import awaiting, call_of
from arena_engine.match.process_player import ProcessPlayer

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


async def asked_outside(
    context: RunContext,
    plan: MatchPlan,
    player: Player,
    how: Outside,
    asking: Coroutine[Any, Any, T],
    leave: Callable[[], object],
) -> T:
    """What is answered for a player; meanwhile other matches have this one's place, and ``leave`` lets it get up."""
    if "player_waited" in context.active_hooks:
        context.hooks.player_waited(plan=plan, player=player)
    async with context.seats.waited(plan.id, player, plan.agents[player], how, leave):
        given = await context.unless_stopped(asking)
    if "player_returned" in context.active_hooks:
        context.hooks.player_returned(plan=plan, player=player)
    return given


MOST_ABANDONED: Final = 8
"""How many abandoned threads of one agent may still be running; with so many, its matches fail."""


class AgentCalls:
    """One agent's functions, as the engine calls them; ``who`` names the agent in messages.

    ``is_async`` says whether ``act`` is to be awaited, ``is_here`` whether it is called in the event loop at all.
    ``name`` is the agent's in the benchmark.
    """

    def __init__(self, agent: PlayerAgent, name: str, context: RunContext, log: RunLog = SILENT) -> None:
        self.is_async = acts_async(type(agent))
        self.is_here = self.is_async or agent.is_quick
        self._agent = agent
        self.name = name
        self._context = context
        self._log = log

    @property
    def who(self) -> str:
        """The agent by its name and its function: ``agent 'a' (lab.agents:Block.act)``."""
        agent = self._agent
        return agent.who if isinstance(agent, ProcessPlayer) else self.acting.who

    @functools.cached_property
    def acting(self) -> PluginCall:
        """The call that is made in a turn."""
        agent = self._agent
        return agent.joining if isinstance(agent, ProcessPlayer) else call_of("agent", self.name, type(agent).act)

    @property
    def kind(self) -> str:
        """The name of the player's class."""
        return self._agent.kind if isinstance(self._agent, ProcessPlayer) else type(self._agent).__name__

    async def act(self, decision: Decision) -> Response:
        """Ask the agent to act; a plain ``act`` that is not quick runs in a thread of its own."""
        if self.is_async:
            return await cast("Awaitable[Response]", self._agent.act(decision))
        if self.is_here:
            return cast("Response", self._agent.act(decision))
        return await self._in_thread(partial(self._agent.act, decision), self.acting)

    async def act_late(self, decision: Decision) -> None:
        """Replay a try that ran out of time, up to its last recorded answer; a process that was late was ended then."""
        if isinstance(self._agent, ProcessPlayer):
            return self._agent.end(decision)
        try:
            await self.act(decision)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # by somebody else than the completion without an entry
                raise

    async def call(self, function: Callable[[], Any]) -> Any:
        """Call a function that the agent gave to ``seat.once``; an ``async def`` is awaited in the event loop."""
        if inspect.iscoroutinefunction(function):
            with awaiting(PluginCall("agent", self.name, getattr(function, "func", function))):
                return await function()
        return await self._in_thread(function, self.acting)

    async def _in_thread(self, function: Callable[[], Any], call: PluginCall) -> Any:
        abandoned = self._context.abandoned
        if abandoned[self.name] >= MOST_ABANDONED:
            raise PluginError(
                f"{self.who}: {MOST_ABANDONED} calls whose time was over are still running; "
                "its matches fail until one comes back"
            )
        found = await in_thread(function, call, self._count)
        return await found if inspect.isawaitable(found) else found

    def _count(self, change: int) -> None:
        abandoned = self._context.abandoned
        abandoned[self.name] += change
        tell = self._log.turn_abandoned if change > 0 else self._log.abandoned_turn_ended
        tell(running=abandoned[self.name])


@functools.cache
def acts_async(kind: type[PlayerAgent]) -> bool:
    """Whether players of a class are to be awaited when they act."""
    return inspect.iscoroutinefunction(kind.act)

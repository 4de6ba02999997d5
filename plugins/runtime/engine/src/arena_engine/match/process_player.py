"""A player who lives in a worker process, as the run's own process sees it."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, Final

import attrs
from arena.agent import Agent, PlayerAgent, Response, Seat
from arena.calls import PluginCall
from arena.errors import BackendError, JournalError, PluginError, RuleError, StopRun
from arena.game import Decision
from arena.record import JSON, GameEvent

from arena_engine.foundation.channel import framed
from arena_engine.foundation.json_values import shown
from arena_engine.match.checks import blame
from arena_engine.workers.player_messages import Act, Asked, Close, Done, Join, Raised, WorkerLost
from arena_engine.workers.player_process import WorkerPool, WorkerProcess

_NOT_FOR_THE_AGENT: Final = (StopRun, JournalError, BackendError)
"""Errors that end the match or the run, whatever an agent would do about them."""

_AGES: Final = 1e9
"""Seconds by which a time limit is put off while it does not count."""


class ProcessPlayer(PlayerAgent):
    """Hands decisions to a worker process, and the worker's questions to the seat.

    ``extend`` moves the time limit of the current try, which does not count what the run itself waits for. A process
    that was late or lost is ended; the agent joins again in another one for the next try, and gets all events that its
    player has seen as news.
    """

    def __init__(self, agent: Agent, name: str, seat: Seat, pool: WorkerPool, extend: Callable[[float], None]) -> None:
        if agent.backends():
            raise PluginError(
                f"agent {name!r}: it plays in a process of its own and asks models ({', '.join(agent.backends())}), "
                "which only the run's process does; leave out plays_in_own_process"
            )
        self.joining = PluginCall("agent", name, type(agent).join)
        self.who = self.joining.who
        self.kind = type(agent).__name__
        self._agent = agent
        self._name = name
        self._seat = seat
        self._pool = pool
        self._extend = extend
        self._worker: WorkerProcess | None = None
        self._decision: Decision | None = None
        self._seen: list[GameEvent] = []
        self._calls = _OnceCalls(seat)

    async def act(self, decision: Decision) -> Response:
        news = decision.news
        if not decision.attempt:
            self._seen += news
        async with AsyncExitStack() as turn:
            with self._not_counting():
                if self._worker is None:
                    news = tuple(self._seen)
                    await self._join()
                await turn.enter_async_context(self._pool.processor())
            return await self._told(Act.of(decision, news), decision)

    async def close(self) -> None:
        if self._worker is None:
            return
        try:
            await self._told(Close(), None)
        except BaseException:
            self.end()
            raise
        worker, self._worker = self._worker, None
        self._pool.give_back(worker)

    def end(self, decision: Decision | None = None) -> None:
        """End the process; ``decision`` is one that the agent did not answer, whose news it gets again."""
        if decision is not None and not decision.attempt:
            self._seen += decision.news
        worker, self._worker = self._worker, None
        if worker is not None:
            self._pool.end(worker)
        self._calls.cancel()

    async def _join(self) -> None:
        seat, worker = self._seat, await self._pool.take()
        self._worker = worker
        join = Join(
            agent=self._agent,
            game=seat.game,
            player=seat.player,
            players=seat.players,
            name=seat.name,
            rules=seat.rules,
            agents=seat.agents,
            rng=seat.make_rng(),
        )
        try:
            async with self._pool.processor():
                found = await self._told(join, None)
        except Exception as error:
            blame(self._name, f"join as player {seat.player}", error)
        if isinstance(found, str):
            raise PluginError(f"agent {self._name!r}: join returned {found}; expected a PlayerAgent")
        module, function = found
        self.who = f"agent {self._name!r} ({module}:{function})"
        self.kind = function.removesuffix(".act")

    async def _told(self, message: object, decision: Decision | None) -> Any:
        """Tell the worker to do something and answer its questions until it is done; returns what it returns."""
        assert self._worker is not None
        try:
            told = await self._served(self._worker, message, decision)
        except (WorkerLost, PluginError) as error:
            self.end()
            raise type(error)(f"{self.who}: {error}") from error
        except BaseException:
            self.end()
            raise
        if isinstance(told, Raised):
            raise told.error()
        return told.value

    async def _served(self, worker: WorkerProcess, message: object, decision: Decision | None) -> Done | Raised:
        try:
            sent = framed(message)
        except Exception as error:
            raise PluginError(
                f"it plays in a process of its own, and {shown(message)} cannot be sent there: "
                f"{type(error).__name__}: {error}"
            ) from error
        await worker.send(sent)
        while True:
            told = await worker.receive()
            if not isinstance(told, Asked):
                return told
            try:
                answer = framed(Done(await self._answer(decision, told.what, *told.arguments)))
            except _NOT_FOR_THE_AGENT:
                raise
            except Exception as error:
                answer = framed(Raised.of(error))
            await worker.send(answer)

    async def _answer(self, decision: Decision | None, what: str, *arguments: Any) -> Any:
        match what, arguments:
            case "resample_hidden", (number,):
                return self._seat.resample_hidden(number)
            case "query", (name, given, thought):
                return await self._seat.query(name, given, **thought)
            case "once", (name,):
                return await self._calls.begin(name)
            case "once_gave", (number, value):
                return await self._calls.give(number, value)
            case "once_failed", (number,):
                return self._calls.drop(number)
            case _ if decision is None:
                raise RuleError(f"{what}: there is nothing to decide")
            case _:
                return _read(decision, what, *arguments)

    @contextmanager
    def _not_counting(self) -> Generator[None]:
        """Leave what the block waits for out of the try's time."""
        clock = asyncio.get_running_loop().time
        began = clock()
        self._extend(_AGES)
        try:
            yield
        finally:
            self._extend(clock() - began - _AGES)


def _read(decision: Decision, what: str, *arguments: Any) -> Any:
    """What a decision that is open says of something, in this process."""
    match what, arguments:
        case "observe", ():
            return decision.observation
        case "check", (action,):
            return decision.check(action)
        case "label", (action,):
            assert decision.options is not None
            return decision.options.label(action)
        case "alias", (value,):
            assert decision.aliases is not None
            return decision.aliases(value)
        case "sample", (rng,):
            return decision.sample(rng), rng.getstate()
        case "answer", (name, given):
            return next(query for query in decision.queries if query.name == name).answer(given)
        case _:
            raise AssertionError(what)


@attrs.define(eq=False)
class _OnceCall:
    """A call of ``seat.once`` whose function is called in the worker."""

    task: "asyncio.Task[JSON]"
    value: "asyncio.Future[JSON]"


class _OnceCalls:
    """The calls of ``seat.once`` that a worker has begun."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._open: dict[int, _OnceCall] = {}
        self._count = 0

    async def begin(self, name: str) -> tuple[bool, Any]:
        """Begin a call: true and what the journal has, or false and the number under which the worker calls back."""
        loop = asyncio.get_running_loop()
        value: asyncio.Future[JSON] = loop.create_future()
        is_asked = loop.create_future()

        async def wait() -> JSON:
            is_asked.set_result(None)
            return await value

        task = asyncio.ensure_future(self._seat.once(name, wait))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to ask for it
        try:
            await asyncio.wait({task, is_asked}, return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            task.cancel()
            raise
        if task.done():
            return True, task.result()
        self._count += 1
        self._open[self._count] = _OnceCall(task, value)
        return False, self._count

    async def give(self, number: int, value: JSON) -> JSON:
        """End a call with what its function gave; returns what the journal has then."""
        call = self._open.pop(number)
        call.value.set_result(value)
        return await call.task

    def drop(self, number: int) -> None:
        """End a call whose function has failed."""
        self._open.pop(number).task.cancel()

    def cancel(self) -> None:
        """End all calls that wait for their function, because their worker process is gone."""
        for number in [*self._open]:
            self.drop(number)

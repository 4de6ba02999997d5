"""What workers ask of the driver's run while they play: to record answers, and to be allowed requests."""

import asyncio

import attrs
from arena.backend import Backend, Connection
from arena.errors import ArenaError, BackendTimedOut
from arena.record import JSON, Event, MatchPlan, Player

from arena_engine.job.context import RunContext
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call
from arena_engine.models.asking import completed, connected
from arena_engine.models.batches import Batched, is_batched
from arena_engine.models.throttle import Permit, Throttle
from arena_engine.workers.messages import (
    Admit,
    Cancel,
    Complete,
    Connect,
    Keep,
    Lease,
    LeaseGranted,
    Return,
    Trip,
    Withdraw,
)
from arena_engine.workers.worker_handle import WorkerHandle


class WorkerRequests:
    """Grants or refuses what workers ask for, within the limits that hold for all of them together.

    ``answers`` are those recorded so far, by match and scope, of the matches that are not over; ``allowed`` are the
    calls that were counted in these matches, answered or not.
    """

    def __init__(self, context: RunContext) -> None:
        self.answers: dict[str, dict[str, JournalEntry]] = {}
        self.allowed: dict[str, list[Call]] = {}
        self._context = context
        self._throttle = Throttle(context)
        self._backends: dict[str, Backend] = {}
        self._models: dict[str, asyncio.Future[Connection]] = {}

    def known(self, match: str) -> dict[str, JournalEntry]:
        """The answers with which a match begins, from whatever attempts at it there were."""
        recorded = self._context.recorded(match)
        if recorded and match not in self.answers:
            self.answers[match] = dict(recorded)
        return dict(self.answers.get(match, {}))

    async def keep(self, worker: WorkerHandle, message: Keep) -> None:
        """Record an answer; the worker is told when it is on disk."""
        answer = message.answer
        try:
            await self._context.record(answer)
        except ArenaError as error:
            worker.tell(LeaseGranted(message.number, error))
        else:
            self.answers.setdefault(answer.match, {})[answer.scope] = answer
            worker.tell(LeaseGranted(message.number))

    async def admit(self, worker: WorkerHandle, message: Admit) -> None:
        """Count a call, once the budget allows it."""
        try:
            await self._context.admit(self._backend(message), message.call)
        except ArenaError as error:
            worker.tell(LeaseGranted(message.number, error))
        else:
            self._allow(message.call)
            worker.tell(LeaseGranted(message.number))
        finally:
            worker.asking.pop(message.number, None)

    async def lend(self, worker: WorkerHandle, message: Lease) -> None:
        """Allow a request, once the limits of its backend do."""
        try:
            permit = await self._throttle.acquire(
                self._backend(message), message.weight, message.call, is_retry=message.is_retry
            )
        except ArenaError as error:
            worker.leases.pop(message.number, None)
            worker.tell(LeaseGranted(message.number, error))
        else:
            self._allow(message.call)
            worker.leases[message.number] = permit
            worker.tell(LeaseGranted(message.number))

    def take_back(self, worker: WorkerHandle, message: Return) -> None:
        """End a lease, granted or not."""
        lease = worker.leases.pop(message.number, None)
        if isinstance(lease, Permit):
            self._throttle.release(
                lease, was_overloaded=message.was_overloaded, tokens=message.tokens, is_paid=message.is_paid
            )
        elif lease is not None:  # the worker gave up before it was granted
            lease.cancel()

    def take_all_back(self, worker: WorkerHandle) -> None:
        """End all leases of a worker that was lost, and what it still waits for."""
        for asking in worker.asking.values():
            asking.cancel()
        for number in list(worker.leases):
            self.take_back(worker, Return(number))

    def withdraw(self, worker: WorkerHandle, message: Withdraw) -> None:
        """Cancel what nobody waits for any more."""
        if (asking := worker.asking.pop(message.number, None)) is not None:
            asking.cancel()

    def write_off(self, match: str) -> None:
        """Count the calls of a match as paid that its worker, which was lost, has left without an answer."""
        for call in self.allowed.pop(
            match, ()
        ):  # one that was answered is in flight no more, and ending it does nothing
            self._context.release(call, is_paid=True)

    def forget(self, match: str) -> None:
        """Drop what was kept for a match that will not be played again."""
        self.answers.pop(match, None)
        self.allowed.pop(match, None)

    def trip(self, message: Trip) -> None:
        """Allow no more requests to a backend."""
        self._throttle.trip_key(message.key, message.why)

    async def connect(self, worker: WorkerHandle, message: Connect) -> None:
        """Load a model for all workers, once; a later worker tries again what failed."""
        backend = self._backend(message)
        model = self._models.get(message.key)
        if model is None or (model.done() and model.exception() is not None):
            model = self._models[message.key] = asyncio.ensure_future(self._opened(backend))
        try:
            await asyncio.wait([model])  # unlike awaiting it, being cancelled here leaves the others' model alone
        finally:
            worker.asking.pop(message.number, None)
        error = model.exception()
        if error is not None and not isinstance(error, ArenaError):
            raise error
        worker.tell(LeaseGranted(message.number, error))

    async def complete(self, worker: WorkerHandle, message: Complete) -> None:
        """Ask a model that was loaded for all workers."""
        backend, model = self._backends[message.key], self._models[message.key].result()
        try:
            completion = await completed(backend, model, message.request, message.call)
        except (ArenaError, TimeoutError) as error:
            known = error if isinstance(error, ArenaError) else BackendTimedOut(str(error) or "no answer in time")
            worker.tell(LeaseGranted(message.number, known))
        else:
            worker.tell(LeaseGranted(message.number, completion=completion))
        finally:
            worker.asking.pop(message.number, None)

    async def close(self) -> None:
        """Close the models that were loaded."""
        for model in self._models.values():
            if model.done() and not model.cancelled() and model.exception() is None:
                await model.result().close()
            else:
                model.cancel()

    async def _opened(self, backend: Backend) -> Connection:
        connection = await connected(backend)
        return Batched(self._context, backend, connection) if is_batched(backend) else connection

    def _allow(self, call: Call) -> None:
        self.allowed.setdefault(call.match, []).append(call)

    def _backend(self, message: Admit | Lease | Connect) -> Backend:
        if message.backend is not None:
            self._backends.setdefault(message.key, message.backend)
        return self._backends[message.key]


@attrs.define(eq=False)
class RemoteMatch:
    """Passes on to the worker what is to be done with a match; ``ConfigError`` if it is over there, or lost."""

    plan: MatchPlan
    _worker: WorkerHandle
    _context: RunContext

    def cancel(self) -> None:
        """End the match for good, without a result, wherever it is played by then."""
        self._context.cancelled.add(self.plan.id)
        self._worker.tell(Cancel(self.plan.id))

    async def leave(self, player: Player) -> None:
        """Let a player get up; it is recorded when this returns."""
        await self._worker.ask(self.plan.id, "leave", player)

    async def unfinished_step(self) -> tuple[Event, ...]:
        """What has happened in the step that is being played: refusals and look-ups, by player."""
        return await self._worker.ask(self.plan.id, "unfinished_step")

    async def receive(self, player: Player, message: JSON) -> JSON:
        """Hand a message to the agent of a player, and return its answer."""
        return await self._worker.ask(self.plan.id, "receive", player, message)

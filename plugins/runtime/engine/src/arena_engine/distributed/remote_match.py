"""A match that a worker plays, as whoever controls the run sees it."""

import attrs
from arena.record import JSON, Event, MatchPlan, Player

from arena_engine.distributed.messages import Cancel
from arena_engine.distributed.worker_handle import WorkerHandle
from arena_engine.running.context import RunContext


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

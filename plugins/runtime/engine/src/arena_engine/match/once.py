"""Calls a function of an agent once in the life of a match: what it gave is in the journal, and is given again."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

import attrs
from arena.agent import Outside
from arena.record import JSON, MatchPlan, Player, canonical_json

from arena_engine.journal.entries import JournalEntry
from arena_engine.journal.escaping import escaped_json
from arena_engine.match.calling import AgentCalls
from arena_engine.match.checked_reply import plain
from arena_engine.match.outside_player import asked_outside
from arena_engine.models.completions import RecordedCompletions
from arena_engine.running.context import RunContext


@attrs.define(eq=False)
class OnceCalls:
    """What ``seat.once`` of one player does.

    ``recorded`` are the entries of an earlier attempt at the match. Where somebody ``outside`` plays, ``leave`` lets
    the player get up.
    """

    context: RunContext
    plan: MatchPlan
    player: Player
    calls: AgentCalls
    completions: RecordedCompletions
    recorded: Mapping[str, JournalEntry]
    outside: Outside | None
    leave: Callable[[], Coroutine[Any, Any, None]]

    async def call(self, name: str, function: Callable[[], JSON | Awaitable[JSON]]) -> JSON:
        """What the journal has of a call, or what the function gives, which is in the journal then."""
        scope = self.completions.take_scope(f"once:{name}/")
        if entry := self.recorded.get(scope):
            return json.loads(entry.value)
        if self.completions.timed_out_here:
            raise asyncio.CancelledError
        given = escaped_json(await self._given(function))
        value = plain(self.calls.name, f"what once({name!r}, …) gave,", given)
        await self.context.record(
            JournalEntry(match=self.plan.id, scope=scope, kind="once", value=canonical_json(value))
        )
        return value

    async def _given(self, function: Callable[[], JSON | Awaitable[JSON]]) -> JSON:
        """What a function of the agent gives, perhaps after somebody outside was waited for."""
        asking, loop = self.calls.call(function), asyncio.get_running_loop()
        if self.outside is None:
            return await self.context.unless_stopped(asking)
        who = (self.plan, self.player, self.outside)
        return await asked_outside(self.context, *who, asking, lambda: loop.create_task(self.leave()))

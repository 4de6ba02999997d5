"""What holds within one try: what is asked, so many seconds, and functions that are called once in a match."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import attrs
from arena.agent import Outside, Refusal, RefusalKind
from arena.game import ABSENT, Decision, Form, PlayerView, Query
from arena.options import unshared
from arena.record import JSON, GameEvent, MatchPlan, Player, canonical_json

from arena_engine.foundation.json_values import escaped_json
from arena_engine.job.context import RunContext
from arena_engine.job.stopping import Interrupted
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.match.calling import AgentCalls, asked_outside
from arena_engine.match.checks import plain
from arena_engine.models.completions import RecordedCompletions
from arena_engine.models.pool import Deadline


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


class FirstTry(Decision):
    """A decision of a game as a player is asked it who has never been refused; quicker to make than by ``asked``.

    What the game has said is copied when it is read. ``more`` is what all players are told who have not been refused.
    """

    __slots__ = ("_decision", "_more")

    attempt = refusals = 0
    rejected = ()

    def __init__(
        self, decision: Decision, view: PlayerView, turn: int, news: Sequence[GameEvent], more: "NeverRefused"
    ) -> None:
        self._decision = decision
        self._view = view
        self._turn = turn
        self._news = news
        self._more = more
        queries = decision.queries
        self._queries = tuple([query.offered() for query in queries]) if queries else ()

    def asked(self, view: PlayerView, *, queries: tuple[Query, ...] | None = None, **more: Any) -> Decision:
        return self._decision.asked(view, queries=self._queries if queries is None else queries, **more)

    @property
    def forms(self) -> Mapping[str, Form]:
        return self._more.forms


@attrs.frozen
class NeverRefused:
    """The forms of a game, and with how many refusals the policy for illegal actions acts."""

    forms: Mapping[str, Form]
    refusals_left: int


def _copied(name: str) -> Callable[[Any], Any]:
    """What reads a field of the game's decision, as a copy that shares nothing with it."""

    def read(first: Any) -> Any:
        value: Any = getattr(first._decision, name)
        if callable(value):  # hides the object that it may be a method of
            hidden: Callable[[Any], Any] = lambda argument: value(argument)  # noqa: E731
            return hidden
        return value if value is ABSENT else unshared(value)

    return read


for _name, _where in {
    **{name: f"_decision._{name}" for name in ("player", "phase", "options")},
    "refusals_left": "_more.refusals_left",
}.items():
    setattr(FirstTry, _name, property(attrgetter(_where)))
for _name in ("action_schema", "sampler", "aliases", "skip"):
    setattr(FirstTry, _name, property(_copied(_name)))
FirstTry.__name__ = "Decision"  # what an author sees in an error

T = TypeVar("T")


class TryOver(Exception):
    """The time of a try is over."""


async def within(
    limit: float | None, acting: Coroutine[Any, Any, T], completions: RecordedCompletions, context: RunContext
) -> T:
    """Await an answer for at most ``limit`` seconds; raises ``TryOver`` if the time was over.

    What ``completions`` wait for in the engine's own queues does not count.
    """
    if limit is None:
        return await acting
    timeout = asyncio.timeout(limit)
    try:
        async with timeout:
            deadline = completions.deadline = Deadline(timeout)
            response = await acting
            # An agent that never gives way comes back before the time-out can act.
            if not deadline.is_over(asyncio.get_running_loop().time()):
                return response
    except TimeoutError:
        if not timeout.expired():
            raise
    except Interrupted:
        context.check_stopped()
    finally:
        completions.deadline = None
    raise TryOver


def late_refusal(limit: float | None) -> Refusal:
    """The refusal of a try whose time was over."""
    allowed = "" if limit is None else f" of {limit:g} seconds"
    return Refusal(kind=RefusalKind.LATE, reason=f"the time{allowed} for this try was over")

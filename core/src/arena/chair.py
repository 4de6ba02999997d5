"""One player at the table, from the referee's side: its turns, tries, news and questions."""

import asyncio
import functools
import inspect
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from random import Random
from typing import TYPE_CHECKING, cast

import attrs

from arena.agent import PlayerAgent, Refusal, Reply, Seat, Turn
from arena.chance import Chance
from arena.completions import Line
from arena.connections import Connections
from arena.errors import PluginError, RuleError
from arena.executor import Answer
from arena.game import ABSENT, GONE, Decision, Gone, Illegal, Query, Rejected, State
from arena.record import JSON, Action, Event, GameEvent, Player, RefusalKind, canonical, digest, stream
from arena.threads import in_thread

if TYPE_CHECKING:
    from arena.referee import Match


class Clock:
    """The time of one try; waiting in our own queues is given back."""

    def __init__(self, timeout: asyncio.Timeout) -> None:
        self._timeout = timeout

    def extend(self, seconds: float) -> None:
        """Move the deadline, unless it has passed."""
        when = self._timeout.when()
        if when is not None and not self._timeout.expired():
            self._timeout.reschedule(when + seconds)


class Chair:
    """One player of one match.

    After ``ask``, ``decision`` and ``events`` are those of the turn, and ``refusal`` is the kind of its last refusal.
    """

    def __init__(self, match: "Match", player: Player, known: Mapping[str, Answer], connections: Connections) -> None:
        self.match = match
        self.player = player
        self.inbox: list[GameEvent] = []
        self.events: list[Event] = []
        self.decision: Decision | None = None
        self.refusal: RefusalKind | None = None
        self._known = known
        self._offered: tuple[Query, ...] = ()
        self._turn = 0
        self._refusals = 0
        self._policy = match.table.policy
        self._asked: Counter[tuple[str, str]] = Counter()
        self._line = Line(match.desk, connections, match.plan.id, known, player)
        plan, work, table = match.plan, match.work, match.table
        seat = Seat(
            player=player,
            players=len(plan.agents),
            name=table.seats[player],
            game=table.game,
            rules=table.rules,
            agents=plan.agents if work.tells_agents else None,
            completions=self._line,
            query=self._query,
            once=self._once,
            imagine=self._imagine,
            make_rng=self._make_rng,
        )
        self.mind = work.agents[plan.agents[player]].join(seat)
        self._is_async = _acts_async(type(self.mind))
        # the way of nearly every turn: no thread, no time limit, nothing to replay
        self._is_plain = self._is_async and work.limits.turn_seconds is None and not known

    async def ask(self, events: list[Event]) -> Action | Gone:
        """Ask until there is an action that can be played; ``GONE`` when the policy's tries are spent.

        What is to be written down goes into ``events``.
        """
        match = self.match
        decision = self.decision = match.state.decision(self.player)
        decision.forms = match.table.forms
        decision.turn = self._turn
        decision.news, self.inbox = tuple(self.inbox), []
        self.events = events
        decision.refusals = self._refusals
        decision.refusals_left = self._left(0)
        self._offered = decision.queries
        if self._asked:
            decision.queries = self._still_open()
        attempt = 0
        while True:
            if match.hears_decisions:
                match.desk.hooks.decision_asked(plan=match.plan, decision=decision)
            self._line.place = (self._turn, attempt)
            if self._is_plain:
                turn = await cast("Awaitable[Turn]", self.mind.act(decision))
            else:
                turn = await self._try(decision)
            self._check_turn(turn)
            illegal = None
            if isinstance(turn, Reply):
                illegal = match.state.check(self.player, turn.action)
                if illegal is None:
                    return self._accept(decision, turn, attempt)
            self._refuse(decision, turn, illegal, attempt)
            attempt += 1
            decision.attempt = attempt
            decision.refusals, decision.refusals_left = self._refusals, self._left(attempt)
            if decision.refusals_left <= 0:
                return self._give_up(decision, attempt)
            if match.answers_left is not None and attempt >= match.answers_left:
                match.is_spent = True
                return GONE

    @property
    def answers(self) -> int:
        """How many answers were taken from this player, refused ones included."""
        return self._turn + self._refusals

    def _left(self, attempt: int) -> int:
        """How many refusals from now it takes until the policy acts."""
        total, left = self._policy.total, self._policy.retries + 1 - attempt
        return left if total is None else min(left, total + 1 - self._refusals)

    async def _try(self, decision: Decision) -> Turn:
        limit = self.match.work.limits.turn_seconds
        self._line.is_cut_off = f"{self._line.prefix}/late" in self._known
        if self._line.is_cut_off:
            return await self._late_again(decision)
        if limit is None:
            return await self._act(decision)
        timeout = asyncio.timeout(limit)
        try:
            async with timeout:
                self._line.clock = Clock(timeout)
                return await self._act(decision)
        except TimeoutError:
            if not timeout.expired():
                raise
            late = Answer(match=self.match.plan.id, scope=f"{self._line.prefix}/late", kind="late")
            await self.match.desk.keep(late)
            return _late(limit)
        finally:
            self._line.clock = None

    async def _late_again(self, decision: Decision) -> Turn:
        """Replay a try that ran out of time: as far as its recorded answers go, and no further."""
        task = asyncio.ensure_future(self._act(decision))
        await asyncio.wait([task])
        if not task.cancelled() and (error := task.exception()):
            raise error
        return _late(self.match.work.limits.turn_seconds)

    async def _act(self, decision: Decision) -> Turn:
        if self._is_async:
            return await cast("Awaitable[Turn]", self.mind.act(decision))
        turn = await in_thread(partial(self.mind.act, decision))
        return await turn if inspect.isawaitable(turn) else turn

    def _check_turn(self, turn: Turn) -> None:
        if self._line.failure:  # swallowed by the agent; a failure never becomes a move
            raise self._line.failure
        if not isinstance(turn, Reply | Refusal):  # pyright: ignore[reportUnnecessaryIsInstance]  # authors err
            raise PluginError(f"{type(self.mind).__name__}.act returned {turn!r}; expected a Reply or a Refusal")

    def _refuse(self, decision: Decision, turn: Turn, illegal: Illegal | None, attempt: int) -> None:
        match = self.match
        if isinstance(turn, Refusal):
            kind, rejected = turn.kind, Rejected(str(turn.kind), turn.reason)
        else:
            assert illegal is not None
            kind, rejected = RefusalKind.ILLEGAL, Rejected(illegal.kind, illegal.reason, turn.action)
        data: dict[str, JSON] = {"kind": str(kind), "reason": rejected.reason, "turn": self._turn, "try": attempt}
        if isinstance(turn, Reply):
            data |= {"rule": rejected.kind, "action": turn.action}
        elif turn.text:
            data["text"] = turn.text
        if turn.reasoning:
            data["reasoning"] = turn.reasoning
        self.refusal = kind
        self._refusals += 1
        self.events.append(Event(match.waves, "referee", "refused", self.player, data, (self.player,)))
        if self._policy.feedback:
            decision.rejected = (*decision.rejected, rejected)
        if "action_refused" in match.desk.heard:
            match.desk.hooks.action_refused(plan=match.plan, decision=decision, turn=turn, reason=rejected.reason)

    def _accept(self, decision: Decision, reply: Reply, attempt: int, by: str = "agent") -> Action:
        action = reply.action
        data: dict[str, JSON] = {"action": action, "turn": self._turn, "try": attempt, "by": by}
        if decision.options is not None:
            data["label"] = decision.options.label(action)
        if reply.reasoning:
            data["reasoning"] = reply.reasoning
        if reply.note is not None:
            data["note"] = reply.note
        self.events.append(Event(self.match.waves, "referee", "played", self.player, data, (self.player,)))
        self._turn += 1
        return action

    def _give_up(self, decision: Decision, attempt: int) -> Action | Gone:
        then = self._policy.then
        if then == "random":
            rng = stream("substitute", self.match.work.seed, self.match.plan.id, self.player, self._turn)
            return self._accept(decision, Reply(action=decision.sample(rng)), attempt, "random")
        if then == "skip" and decision.skip is not ABSENT:
            return self._accept(decision, Reply(action=cast("Action", decision.skip)), attempt, "skip")
        self._turn += 1
        return GONE

    def _still_open(self) -> tuple[Query, ...]:
        """The queries of a new turn with what their periods have left of them."""
        self._asked = Counter({key: times for key, times in self._asked.items() if key[0]})
        left = ((query, query.limit - self._asked[query.period, query.name]) for query in self._offered)
        return tuple(
            query if limit == query.limit else attrs.evolve(query, limit=limit) for query, limit in left if limit > 0
        )

    async def _query(self, name: str, arguments: JSON) -> JSON | Illegal:
        if self.decision is None:
            raise RuleError("a query can be asked only while the player is to act")
        queries = {query.name: query for query in self._offered}
        answer: JSON | Illegal
        if name not in queries:
            answer = Illegal("unknown-query", f"there is no query {name!r} (there is: {', '.join(queries) or 'none'})")
        elif self._asked[key := (queries[name].period, name)] >= queries[name].limit:
            within = f"in {queries[name].period}" if queries[name].period else "per turn"
            answer = Illegal("budget", f"{name!r} may be asked {queries[name].limit} times {within}")
        else:
            self._asked[key] += 1
            answer = queries[name].answer(arguments)
        told: JSON = {"illegal": answer.reason} if isinstance(answer, Illegal) else answer
        data: JSON = {"name": name, "arguments": arguments, "answer": told}
        self.events.append(Event(self.match.waves, "referee", "queried", self.player, data, (self.player,)))
        return answer

    async def _once(self, name: str, function: Callable[[], JSON]) -> JSON:
        scope = self._line.take_scope(f"once:{name}/")
        if answer := self._known.get(scope):
            return json.loads(answer.value)
        if self._line.is_cut_off:
            raise asyncio.CancelledError
        value = await self.match.desk.unless_stopped(in_thread(function))
        await self.match.desk.keep(Answer(match=self.match.plan.id, scope=scope, kind="once", value=canonical(value)))
        return value

    def _make_rng(self) -> Random:
        return stream("agent", self.match.work.seed, self.match.plan.id, self.player)

    def _imagine(self, seed: int) -> State | None:
        if not self.match.work.imagines:
            return None
        chance = Chance(digest("imagine", self.match.work.seed, self.match.plan.id, self.player, seed))
        state = self.match.state
        return state.imagine(self.player, chance) or (state.clone() if self.match.table.facts.is_open else None)


@functools.cache
def _acts_async(kind: type[PlayerAgent]) -> bool:
    return inspect.iscoroutinefunction(kind.act)


def _late(limit: float | None) -> Refusal:
    allowed = "" if limit is None else f" of {limit:g} seconds"
    return Refusal(kind=RefusalKind.LATE, reason=f"the time{allowed} for this try was over")

"""One player at the table, from the referee's side: its turns, tries, news and questions."""

import asyncio
import inspect
import json
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from arena.agent import PlayerAgent, Refusal, Reply, Seat, Turn
from arena.chance import Chance
from arena.completions import Line
from arena.connections import Connections
from arena.errors import PluginError, RuleError
from arena.executor import Answer
from arena.game import ABSENT, GONE, Decision, Gone, Illegal, Rejected, State
from arena.record import JSON, Action, Event, GameEvent, Player, RefusalKind, canonical, digest, stream
from arena.threads import in_thread

if TYPE_CHECKING:
    from arena.referee import Match

_is_async: dict[type[PlayerAgent], bool] = {}


@attrs.frozen(kw_only=True)
class Verdict:
    """What came of one player's turn: an action, or ``GONE`` with the kind of the last refusal; and its events."""

    player: Player
    decision: Decision
    action: Action | Gone
    events: list[Event]
    refusal: RefusalKind | None = None


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
    """One player of one match."""

    def __init__(self, match: "Match", player: Player, known: Mapping[str, Answer], connections: Connections) -> None:
        self.match = match
        self.player = player
        self.inbox: list[GameEvent] = []
        self.known = known
        self.turn = 0
        self.refusals = 0
        self._prefix = ""
        self._decision: Decision | None = None
        self._asked: Counter[str] = Counter()
        self._events: list[Event] = []
        self.line = Line(match.desk, connections, match.plan.id, known)
        self.line.begin(f"{player}/join")
        self.mind = self._join()

    def _join(self) -> PlayerAgent:
        match, plan, work = self.match, self.match.plan, self.match.work
        seat = Seat(
            player=self.player,
            players=len(plan.agents),
            name=match.table.seats[self.player],
            game=match.table.game,
            rules=match.table.rules,
            agents=plan.agents if work.tells_agents else None,
            completions=self.line,
            query=self._query,
            once=self._once,
            imagine=self._imagine,
            make_rng=partial(stream, "agent", work.seed, plan.id, int(self.player)),
        )
        mind = work.agents[plan.agents[self.player]].join(seat)
        if type(mind) not in _is_async:
            _is_async[type(mind)] = inspect.iscoroutinefunction(type(mind).act)
        return mind

    async def ask(self) -> Verdict:
        """Ask until there is an action that can be played, or the policy's tries are spent."""
        match, work = self.match, self.match.work
        decision = match.state.decision(self.player)
        decision.forms = match.table.game.forms
        decision.turn = self.turn
        decision.news, self.inbox = tuple(self.inbox), []
        self._decision, self._events = decision, []
        if self._asked:
            self._asked.clear()
        policy = work.illegal_actions
        heard = match.desk.heard
        attempt = 0
        while True:
            decision.attempt = attempt
            self._prefix = f"{self.player}/{self.turn}/{attempt}"
            if "decision_asked" in heard:
                match.desk.hooks.decision_asked(plan=match.plan, decision=decision)
            turn = await self._try()
            if isinstance(turn, Refusal):
                kind, rejected = turn.kind, Rejected(str(turn.kind), turn.reason)
            else:
                illegal = match.state.check(self.player, turn.action)
                if illegal is None:
                    return self._accept(decision, turn, attempt)
                kind, rejected = RefusalKind.ILLEGAL, Rejected(illegal.kind, illegal.reason, turn.action)
            self._refuse(turn, kind, rejected, attempt)
            if "action_refused" in heard:
                match.desk.hooks.action_refused(plan=match.plan, decision=decision, turn=turn, reason=rejected.reason)
            if policy.feedback:
                decision.rejected = (*decision.rejected, rejected)
            attempt += 1
            if attempt > policy.retries or (policy.total is not None and self.refusals > policy.total):
                return self._give_up(decision, kind, attempt)

    async def _try(self) -> Turn:
        limit = self.match.work.limits.turn_seconds
        is_late = bool(self.known) and f"{self._prefix}/late" in self.known
        self.line.begin(self._prefix, is_cut_off=is_late)
        if is_late:
            return await self._late_again()
        if limit is None:
            return await self._act()
        timeout = asyncio.timeout(limit)
        try:
            async with timeout:
                self.line.clock = Clock(timeout)
                return await self._act()
        except TimeoutError:
            if not timeout.expired():
                raise
            late = Answer(match=self.match.plan.id, scope=f"{self._prefix}/late", kind="late")
            await self.match.desk.keep(late)
            return _late(limit)
        finally:
            self.line.clock = None

    async def _late_again(self) -> Turn:
        """Replay a try that ran out of time: as far as its recorded answers go, and no further."""
        task = asyncio.ensure_future(self._act())
        await asyncio.wait([task])
        if not task.cancelled() and (error := task.exception()):
            raise error
        return _late(self.match.work.limits.turn_seconds)

    async def _act(self) -> Turn:
        assert self._decision is not None
        if _is_async[type(self.mind)]:
            turn = await self.mind.act(self._decision)  # type: ignore[misc]  # known to be a coroutine function
        else:
            turn = await in_thread(partial(self.mind.act, self._decision))
            if inspect.isawaitable(turn):
                turn = await turn
        if self.line.failure:  # swallowed by the agent; a failure never becomes a move
            raise self.line.failure
        if not isinstance(turn, Reply | Refusal):  # pyright: ignore[reportUnnecessaryIsInstance]  # authors err
            raise PluginError(f"{type(self.mind).__name__}.act returned {turn!r}; expected a Reply or a Refusal")
        return turn

    def _refuse(self, turn: Turn, kind: RefusalKind, rejected: Rejected, attempt: int) -> None:
        data: dict[str, JSON] = {"kind": str(kind), "reason": rejected.reason, "turn": self.turn, "try": attempt}
        if isinstance(turn, Reply):
            data |= {"rule": rejected.kind, "action": turn.action}
        elif turn.text:
            data["text"] = turn.text
        if turn.reasoning:
            data["reasoning"] = turn.reasoning
        self.refusals += 1
        self._events.append(Event(self.match.waves, "referee", "refused", self.player, data, (self.player,)))

    def _accept(self, decision: Decision, reply: Reply, attempt: int, by: str = "agent") -> Verdict:
        data: dict[str, JSON] = {"action": reply.action, "turn": self.turn, "try": attempt, "by": by}
        if decision.options is not None:
            data["label"] = decision.options.label(reply.action)
        if reply.reasoning:
            data["reasoning"] = reply.reasoning
        if reply.note is not None:
            data["note"] = reply.note
        self._events.append(Event(self.match.waves, "referee", "played", self.player, data, (self.player,)))
        self.turn += 1
        return Verdict(player=self.player, decision=decision, action=reply.action, events=self._events)

    def _give_up(self, decision: Decision, kind: RefusalKind, attempt: int) -> Verdict:
        then = self.match.work.illegal_actions.then
        if then == "random":
            rng = stream("substitute", self.match.work.seed, self.match.plan.id, int(self.player), self.turn)
            return self._accept(decision, Reply(action=decision.sample(rng)), attempt, "random")
        if then == "skip" and decision.skip is not ABSENT:
            return self._accept(decision, Reply(action=decision.skip), attempt, "skip")
        self.turn += 1
        return Verdict(player=self.player, decision=decision, action=GONE, events=self._events, refusal=kind)

    async def _query(self, name: str, arguments: JSON) -> JSON | Illegal:
        if self._decision is None:
            raise RuleError("a query can be asked only while the player is to act")
        queries = {query.name: query for query in self._decision.queries}
        answer: JSON | Illegal
        if name not in queries:
            answer = Illegal("unknown-query", f"there is no query {name!r} (there is: {', '.join(queries) or 'none'})")
        elif self._asked[name] >= queries[name].limit:
            answer = Illegal("budget", f"{name!r} may be asked {queries[name].limit} times per turn")
        else:
            self._asked[name] += 1
            answer = queries[name].answer(arguments)
        told: JSON = {"illegal": answer.reason} if isinstance(answer, Illegal) else answer
        data = {"name": name, "arguments": arguments, "answer": told}
        self._events.append(Event(self.match.waves, "referee", "queried", self.player, data, (self.player,)))
        return answer

    async def _once(self, name: str, function: Callable[[], JSON]) -> JSON:
        scope = self.line.take_scope(f"once:{name}/")
        if answer := self.known.get(scope):
            return json.loads(answer.value)
        if self.line.is_cut_off:
            raise asyncio.CancelledError
        value: Any = await self.match.desk.unless_stopped(in_thread(function))
        kept = Answer(match=self.match.plan.id, scope=scope, kind="once", value=canonical(value))
        await self.match.desk.keep(kept)
        return value

    def _imagine(self, seed: int) -> State | None:
        if not self.match.work.imagines:
            return None
        chance = Chance(digest("imagine", self.match.work.seed, self.match.plan.id, int(self.player), seed))
        return self.match.state.imagine(self.player, chance)


def _late(limit: float | None) -> Refusal:
    allowed = "" if limit is None else f" of {limit:g} seconds"
    return Refusal(kind=RefusalKind.LATE, reason=f"the time{allowed} for this try was over")

"""Runs one player's turns: asks its agent, checks the reply, asks again, applies the policy for illegal ones."""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import attrs
from arena.agent import PlayerAgent, Refusal, RefusalKind, Reply, Response
from arena.calls import PluginCall
from arena.errors import PluginError, RuleError, StopRun
from arena.game import ABSENT, FORFEITED, Decision, Forfeited, Illegal, PlayerView, Rejected
from arena.options import unshared
from arena.record import JSON, Action, Ending, Event, GameEvent, MatchPlan, Player, derive_rng

from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import TaskCaller, awaiting, call_of
from arena_engine.job.stopping import Interrupted, uncancelled
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.match.calling import AgentCalls, acts_async
from arena_engine.match.checks import (
    UNCHANGING,
    CheckedState,
    blame,
    checked_response,
    event_of,
    plain,
    rejection,
    thought,
)
from arena_engine.match.setup import Lookups, MatchSetup
from arena_engine.match.tries import OnceCalls, TryOver, late_refusal, within
from arena_engine.models.completions import RecordedCompletions
from arena_engine.models.pool import BackendPool

T = TypeVar("T")


class _GotUp(Exception):
    """The player has left the match."""


@attrs.frozen
class GivenAnswer:
    """A first try that an agent has answered: the game's ``decision``, as it was ``asked``, and the ``response``.

    The decision reads through ``view``, with these ``news``. The response may be one that is still to be awaited.
    """

    decision: Decision
    view: PlayerView
    news: Sequence[GameEvent]
    asked: Decision
    response: Any


class MatchPlayer:
    """One player of one match, as the referee handles it; ``agent`` makes its choices.

    ``view`` is the one through which the decision of its last turn reads, ``refusal`` the kind of its last refusal, and
    ``unseen_events`` are those since then. ``has_left`` says that it got up, ``answer_limit_reached`` that the match
    may take no more answers. ``agent_name`` is the agent's name in the benchmark.
    """

    view: PlayerView | None = None
    refusal: RefusalKind | None = None
    answer_limit_reached = False
    has_left = False
    _caller: TaskCaller | None = None
    _decision: Decision | None = None
    _lookups: Lookups | None = None
    _step = _turn = _refusals = 0

    def __init__(
        self,
        setup: MatchSetup,
        state: CheckedState,
        plan: MatchPlan,
        player: Player,
        context: RunContext,
        pool: BackendPool,
        recorded: Mapping[str, JournalEntry],
    ) -> None:
        self.player = player
        self.unseen_events: list[GameEvent] = []
        self._setup = setup
        self._state = state
        self._plan = plan
        self._context = context
        self._recorded = recorded
        self._events: list[Event] = []
        self._policy = policy = setup.policy
        self._usually_left = policy.retries + 1 if policy.max_refusals is None else None
        self._has_decision_listeners = "decision_asked" in context.active_hooks
        self.agent_name = plan.agents[player]
        self.log = context.log.bind(match=plan.id, player=player, agent=self.agent_name)
        self.completions = RecordedCompletions(context, pool, plan.id, recorded, player, self.log)

    def begin(self, agent: PlayerAgent, turn: int, unseen: list[GameEvent]) -> None:
        """Let an agent that has joined choose from here on, after so many turns, with the events since the last one."""
        self.agent, self._turn, self.unseen_events = agent, turn, unseen
        self._act_here: Callable[[Decision], Any] = agent.act
        self._is_async = is_async = acts_async(type(agent))
        # nearly every turn: no thread, no time limit and nothing to replay, so the checks for them are skipped
        has_limit = self._setup.job.limits.turn_seconds is not None
        self._is_plain = (is_async or agent.is_quick) and not has_limit and not self._recorded

    @cached_property
    def calls(self) -> AgentCalls:
        """The calls of its agent."""
        return AgentCalls(self.agent, self.agent_name, self._context, self.log)

    @cached_property
    def once(self) -> OnceCalls:
        """The calls of ``seat.once`` that the player makes."""
        player, calls, completions = self.player, self.calls, self.completions
        outside = self._setup.job.agents[self.agent_name].outside
        return OnceCalls(self._context, self._plan, player, calls, completions, self._recorded, outside, self.leave)

    async def take_turn(
        self,
        step: int,
        events: list[Event],
        answers_left: int | None,
        caller: TaskCaller,
        given: GivenAnswer | None = None,
    ) -> Action | Forfeited:
        """Ask until the agent gives a legal action. Returns ``FORFEITED`` when no tries are left.

        The referee's events are appended to ``events``. ``answers_left`` is how many answers the match may still take.
        ``caller`` is the current task, ``given`` what the agent has answered already.
        """
        self._caller = caller
        caller.player = self
        state, here = self._state, self._state.here
        try:
            self._step, self._events = step, events
            if given is None:
                decision = state.decision(self.player)
                view = PlayerView(state, self.player)
                news, self.unseen_events = tuple(self.unseen_events), []
            else:
                decision, view, news = given.decision, given.view, tuple(given.news)
            self.view, self._decision = view, decision
            queries = None if self._lookups is None else self._lookups.still_open(decision.queries)
            rejected: tuple[Rejected, ...] = ()
            attempt, left = 0, self._usually_left or self._left(0)
            while True:
                if given is None:
                    asked = decision.asked(
                        view,
                        turn=self._turn,
                        attempt=attempt,
                        news=news,
                        rejected=rejected,
                        refusals=self._refusals,
                        refusals_left=left,
                        forms=self._setup.forms,
                        queries=queries,
                    )
                    if self._has_decision_listeners:
                        here.call = None
                        self._context.hooks.decision_asked(plan=self._plan, decision=asked)
                else:
                    asked = given.asked
                here.call = None
                self.completions.position = (self._turn, attempt)
                try:
                    if given is not None:
                        acting, given = given.response, None
                        response: Response = await acting if inspect.isawaitable(acting) else acting
                    elif self._is_plain:
                        acting = self._act_here(asked)
                        response = await acting if self._is_async or inspect.isawaitable(acting) else acting
                    else:
                        response = await self._try(asked)
                except (_GotUp, asyncio.CancelledError):
                    if not self.has_left:
                        raise
                    return self._get_up()
                except SystemExit as error:  # it would end the whole run
                    raise PluginError(f"{self.who} tried to end the process: SystemExit({error.code!r})") from error
                except Exception as error:
                    blame(self.agent_name, f"act in turn {self._turn + 1}", error)
                if self.has_left:  # it has answered while it was written down that it leaves in this try
                    return self._get_up()
                if self.completions.failure:  # the agent swallowed it, but an error must never become a move
                    raise self.completions.failure
                if (
                    type(response) is not Reply
                    or type(response.action) not in UNCHANGING
                    or response.note
                    or response.reasoning
                ):
                    response = checked_response(self.agent_name, response)
                illegal = None
                if isinstance(response, Reply):
                    here.call = state.calls.check
                    illegal = state.legality(self.player, response.action)
                    if illegal is None:
                        return self._accept(decision, response, attempt)
                refused = self._refuse(asked, response, illegal)
                if self._policy.feedback:
                    rejected = (*rejected, refused)
                attempt += 1
                left = self._left(attempt)
                if left <= 0:
                    return self._give_up(decision, attempt)
                if answers_left is not None and attempt >= answers_left:
                    self.answer_limit_reached = True
                    return FORFEITED
        except Exception as error:
            state.broke_off(error)
            raise
        finally:
            caller.player = here.call = None

    async def leave(self) -> None:
        """Let the player get up: what it is asked is cut off, or it leaves as soon as it is to act.

        That it leaves, and where, is in the journal when this returns.
        """
        if self.has_left:
            return
        asked_in = self.task
        self.has_left, self._is_plain = True, False
        # Who is asked leaves in that try; else the agent is not asked again, so that a replay does not ask it either.
        where = f"{self.player}/{self._turn}" if asked_in is None else self.completions.prefix
        await self._context.record(JournalEntry(match=self._plan.id, scope=f"{where}/left", kind="left"))
        if asked_in is not None and asked_in is self.task:
            asked_in.cancel()

    def _get_up(self) -> Forfeited:
        uncancelled()
        self._turn += 1
        self.log.player_left(turn=self._turn)
        if "player_left" in self._context.active_hooks:
            self._context.hooks.player_left(plan=self._plan, player=self.player)
        return FORFEITED

    @property
    def task(self) -> "asyncio.Task[Any] | None":
        """The task in which it is taking its turn, if it is."""
        return self._caller.task if self._caller is not None and self._caller.player is self else None

    @property
    def acting(self) -> PluginCall:
        """The call of its agent that it takes its turn by."""
        return self.calls.acting

    @property
    def answers(self) -> int:
        """The number of answers that this player has given, refused ones included."""
        return self._turn + self._refusals

    @property
    def waits_outside(self) -> bool:
        """Whether somebody outside is waited for who plays for it."""
        return self._context.seats.waits(self._plan.id, self.player)

    @property
    def who(self) -> str:
        """The player's agent by its name and its function, for messages."""
        return self.calls.who

    @property
    def waits_for_answers(self) -> bool:
        """Whether the agent has asked a model that has not answered."""
        return self.completions.is_busy

    def is_over_time(self, now: float) -> bool:
        """Whether the time for this try was over at ``now``, by the clock of the event loop."""
        deadline = self.completions.deadline
        return deadline is not None and deadline.is_over(now)

    def extend(self, seconds: float) -> None:
        """Move the time limit of this try, if there is one."""
        if self.completions.deadline is not None:
            self.completions.deadline.extend(seconds)

    def _left(self, attempt: int) -> int:
        """The number of further refusals until the policy acts."""
        total, left = self._policy.max_refusals, self._policy.retries + 1 - attempt
        return left if total is None else min(left, total + 1 - self._refusals)

    async def _try(self, asked: Decision) -> Response:
        limit, completions = self._setup.job.limits.turn_seconds, self.completions
        if self.has_left or f"{self.player}/{asked.turn}/left" in self._recorded:
            self.has_left = True
            raise _GotUp
        leaves_here = f"{completions.prefix}/left" in self._recorded
        completions.timed_out_here = leaves_here or f"{completions.prefix}/late" in self._recorded
        if completions.timed_out_here:
            with suppress(TryOver):
                await within(limit, self.calls.act_late(asked), completions, self._context)
            if leaves_here:
                self.has_left = True
                raise _GotUp
            return late_refusal(limit)
        try:
            return await within(limit, self.calls.act(asked), completions, self._context)
        except TryOver:
            self.log.turn_timed_out(turn=asked.turn + 1, attempt=asked.attempt + 1, limit_s=limit)
            over = JournalEntry(match=self._plan.id, scope=f"{completions.prefix}/late", kind="late")
            await self._context.record(over)
            return late_refusal(limit)

    def _refuse(self, asked: Decision, response: Response, illegal: Illegal | None) -> Rejected:
        reply = None if isinstance(response, Refusal) else response
        illegal = reply and self._state.reason(reply.action, illegal, asked.options)
        rejected, data = rejection(asked, response, illegal)
        kind = RefusalKind(str(data["kind"]))
        self.refusal = kind
        self.log.action_refused(kind=kind, turn=asked.turn + 1, attempt=asked.attempt + 1)
        self._refusals += 1
        self._write("refused", data | thought(self.agent_name, response.reasoning, response.note))
        if "action_refused" in self._context.active_hooks:
            self._context.hooks.action_refused(plan=self._plan, decision=asked, turn=response, reason=rejected.reason)
        return rejected

    def _accept(self, decision: Decision, reply: Reply, attempt: int, by: str = "agent") -> Action:
        action = reply.action
        data: dict[str, JSON] = {"action": action, "turn": self._turn, "try": attempt, "by": by}
        if (options := decision._options) is not None:  # pyright: ignore[reportPrivateUsage]  # quicker, in each turn
            self._state.here.call = self._state.calls.label
            data["label"] = options.label(action)
        if reply.reasoning:
            data["reasoning"] = reply.reasoning
        if reply.note is not None:
            data["note"] = reply.note
        player = self.player
        self._events.append(event_of((self._step, "referee", "played", player, data, (player,))))
        self._turn += 1
        return action

    def _write(self, kind: str, data: JSON) -> None:
        self._events.append(Event(self._step, "referee", kind, self.player, data, (self.player,)))

    def _give_up(self, decision: Decision, attempt: int) -> Action | Forfeited:
        then = self._policy.then
        if then == "random":
            rng = derive_rng("substitute", self._setup.job.seed, self._plan.id, self.player, self._turn)
            self._state.here.call = self._state.calls.sample
            return self._accept(decision, Reply(action=decision.sample(rng)), attempt, "random")
        if then == "skip" and decision.skip is not ABSENT:
            return self._accept(decision, Reply(action=decision.skip), attempt, "skip")
        self._turn += 1
        return FORFEITED

    async def query(self, name: str, arguments: JSON, reasoning: str, note: JSON) -> JSON | Illegal:
        """Answer a query of the decision that the player is asked, and write it down."""
        arguments = plain(self.agent_name, f"the arguments of query {name!r},", arguments)
        beside = thought(self.agent_name, reasoning, note)
        if self._decision is None:
            raise RuleError("a query can be asked only while the player is to act")
        self._lookups, offered = self._lookups or Lookups(), self._decision.queries
        answer = self._lookups.answer(name, offered, lambda query: self._state.answer(query, unshared(arguments)))
        told = {"illegal": answer.reason} if isinstance(answer, Illegal) else unshared(answer)
        self._write("queried", {"name": name, "arguments": arguments, "answer": told, **beside})
        return answer


_FORFEITS: dict[RefusalKind | None, Ending] = {
    RefusalKind.ILLEGAL: Ending.FORFEIT_ILLEGAL,
    RefusalKind.LATE: Ending.FORFEIT_TIME,
}


def forfeit_of(player: MatchPlayer) -> Ending:
    """How a match ends that a player has forfeited."""
    return Ending.FORFEIT_LEFT if player.has_left else _FORFEITS.get(player.refusal, Ending.FORFEIT_FORMAT)


def withheld(event: Event) -> Event:
    """Mark an action as not applied, because the match ended in this step; other events stay as they are."""
    return event._replace(kind="withheld") if event.source == "referee" and event.kind == "played" else event


async def close_agents(players: Sequence[MatchPlayer], context: RunContext) -> None:
    """Close each player's agent; an error becomes a warning of the run and changes no result."""
    failed: list[str] = []
    for player in players:
        close = type(player.agent).close
        if close is PlayerAgent.close:  # most agents hold nothing
            continue
        try:
            with awaiting(call_of("agent", player.agent_name, close)):
                closing = player.agent.close()
                if closing is not None and inspect.isawaitable(closing):
                    with context.tasks.ended_on_stop(lambda: True):
                        await closing
        except (StopRun, Interrupted):
            failed.append(f"{player.who}, player {player.player}: cut off")
        except Exception as error:
            player.log.close_failed(error=error)
            who = f"agent {player.agent_name!r} ({player.calls.kind})"
            failed.append(f"{who}, player {player.player}: {type(error).__name__}: {error}")
    if failed:
        context.warn(f"close failed: {'; '.join(failed)}")

"""The referee of a match: asks the players to act, checks and applies their actions, records what happened.

It never guesses what an agent meant. An answer that cannot be played is refused with a reason and asked for again; an
action that the policy for illegal actions plays instead is marked as a substitute. Events of simultaneous players are
merged in player order, so the record does not depend on who was faster.
"""

import asyncio
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from arena.errors import BackendError, ConfigError, JournalError, PluginError, StopRun
from arena.game import FORFEITED, Forfeited
from arena.record import (
    EVERYONE,
    JSON,
    Action,
    Ending,
    Event,
    Failure,
    GameEvent,
    MatchPlan,
    MatchRecord,
    Player,
)

from arena_engine.job.context import RunContext
from arena_engine.job.executor import Job
from arena_engine.job.plugin_calls import TaskCaller, call_of
from arena_engine.job.stopping import AGAIN_S, Interrupted, uncancelled
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.match.at_once import all_begun
from arena_engine.match.checks import CheckedState, event_of
from arena_engine.match.player import MatchPlayer, close_agents, forfeit_of, withheld
from arena_engine.match.setup import MatchSetup
from arena_engine.models.pool import BackendPool
from arena_engine.workers.player_messages import WorkerLost
from arena_engine.workers.player_process import WorkerPool


class Showing:
    """The matches that nobody sees yet, each by the function that shows it, which is called after ``after_s``."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._due: dict[Callable[[], None], float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, show: Callable[[], None]) -> None:
        """Have a match shown later, unless it ends before."""
        loop = asyncio.get_running_loop()
        self._due[show] = loop.time() + self._after_s
        if self._timer is None:
            self._timer = loop.call_later(self._after_s, self._show)

    def end(self, show: Callable[[], None]) -> None:
        """Forget a match that is over."""
        self._due.pop(show, None)

    def _show(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for show, due in list(self._due.items()):  # the oldest is the first
            if due > loop.time():
                self._timer = loop.call_at(due, self._show)
                break
            del self._due[show]
            show()


VISIBLE_AFTER_S = 1.0
"""Seconds after which readers of the journal see what has happened in a match that is still being played."""


class Referee:
    """Plays matches of one ``Job``, several at the same time if asked to; ``workers`` must be closed afterwards."""

    def __init__(self, work: Job, context: RunContext, connections: BackendPool) -> None:
        self.work = work
        self.context = context
        self.connections = connections
        self.workers = WorkerPool()
        self.showing = Showing(VISIBLE_AFTER_S)
        self._setups: dict[tuple[str, int], MatchSetup] = {}

    def setup(self, game_name: str, players: int) -> MatchSetup:
        """What all matches of a game with this number of players share; computed once."""
        key = (game_name, players)
        if key not in self._setups:
            self._setups[key] = MatchSetup.of(self.work, game_name, players)
        return self._setups[key]

    async def play(self, plan: MatchPlan) -> MatchRecord:
        """Play one match to its end.

        ``StopRun`` and ``JournalError`` pass and leave the match unfinished. A backend that cannot be reached, or a
        plugin's bug, ends it without a result. However it ends, every agent that joined is closed.
        """
        active_hooks = self.context.active_hooks
        log, began = self.context.log.bind(match=plan.id), time.monotonic()
        log.match_started()
        if "match_started" in active_hooks:
            self.context.hooks.match_started(plan=plan)
        match = None
        try:
            known = self.context.recorded(plan.id)
            if known:
                log.match_resumed(answers=len(known))
            else:  # otherwise the recorded answers may suffice, without asking a backend
                self.connections.check(self.work.agents[agent] for agent in plan.agents)
            if plan.id in self.context.cancelled:
                raise asyncio.CancelledError
            match = self.context.playing[plan.id] = Match(self, plan, known)
            with self.context.tasks.ended_on_stop(match.waits_for_answers, match.players) as task:
                record = await match.play(task)
        except asyncio.CancelledError:
            if plan.id not in self.context.cancelled:
                raise
            uncancelled()
            record = self._broken(plan, match, Ending.CANCELLED, None)
        except (StopRun, JournalError) as error:
            log.match_left(error=error)
            raise
        except Interrupted as error:
            log.match_left(error=error)
            raise StopRun(str(self.context.reason)) from None
        except (BackendError, ConfigError, WorkerLost) as error:
            log.match_failed(ending=Ending.INFRASTRUCTURE_FAILURE, error=error)
            record = self._broken(plan, match, Ending.INFRASTRUCTURE_FAILURE, Failure(str(error)))
        except PluginError as error:
            log.match_failed(ending=Ending.FAILED, error=error)
            record = self._broken(plan, match, Ending.FAILED, Failure(str(error), traceback.format_exc()))
        except Exception as error:
            log.match_failed(ending=Ending.FAILED, error=error)
            reason = None if match is None else match.state.game_fault(error)
            failure = Failure(reason or f"{type(error).__name__}: {error}", traceback.format_exc())
            record = self._broken(plan, match, Ending.FAILED, failure)
        finally:
            if match is not None:
                del self.context.playing[plan.id]
                await match.close()
        if record.failure is None:
            log.match_finished(ending=record.ending, steps=record.steps, seconds=time.monotonic() - began)
        if "match_finished" in active_hooks:
            self.context.hooks.match_finished(record=record)
        return record

    @staticmethod
    def _broken(plan: MatchPlan, match: "Match | None", ending: Ending, failure: Failure | None) -> MatchRecord:
        events = tuple(match.events) if match else ()
        steps = match.steps if match else 0
        return MatchRecord(
            plan=plan, seats=(), ending=ending, returns=None, steps=steps, events=events, failure=failure
        )


class Match:
    """One match in progress; the caller of ``play`` must ``close`` it, however the match ended."""

    def __init__(self, referee: Referee, plan: MatchPlan, known: Mapping[str, JournalEntry]) -> None:
        self.plan = plan
        self._referee = referee
        self.context = referee.context
        self.setup = referee.setup(plan.game, len(plan.agents))
        self.steps = 0
        self.events: list[Event] = []
        self.gone: list[Player] = []
        self.answers_left = self.setup.policy.max_answers
        self.players: list[MatchPlayer] = []
        self._shown: int | None = None  # how many events readers have; None: the match is too young to be shown
        self._complete = 0  # how many events there were before the step that is being played
        self._together: list[list[Event]] = []  # the events of players who are asked at the same time
        self._pool = referee.connections
        self._workers = referee.workers
        self._known = known
        setup = self.setup
        players = len(plan.agents)
        self.state = CheckedState(setup.game, setup.facts, plan.game, players, plan.chance_seed, setup.begun)
        self._has_step_rewards = self.state.has_step_rewards
        self._caller = TaskCaller()

    async def play(self, task: "asyncio.Task[Any] | None" = None) -> MatchRecord:
        """Let the agents join, then play until the match is over, and return its record.

        The current ``task`` need not be given.
        """
        self._referee.showing.begin(self.show)
        self._caller.begin(task)
        try:
            return await self._play()
        except Exception as error:
            self.state.broke_off(error)
            raise
        finally:
            self._caller.end()
            self.state.here.call = None
            self._referee.showing.end(self.show)

    def show(self) -> None:
        """Let readers see the steps that are complete and that they have not seen yet."""
        shown, is_first = self._shown or 0, self._shown is None
        if self._complete > shown or is_first:
            events = self.events[shown : self._complete]
            self.context.progress(self.plan.id, self.steps, events, is_first=is_first)
        self._shown = self._complete

    async def _play(self) -> MatchRecord:
        for p in range(len(self.plan.agents)):
            self.players.append(self._player(Player(p)))
        self._by_number = dict(enumerate(self.players))  # unlike a list, it knows no player -1
        state, context, players, limit = self.state, self.context, self.players, self.setup.max_steps
        everybody, here, calls = self._by_number, state.here, state.calls
        if state.opening:
            here.call = call_of("game", self.plan.game, type(self.setup.game).start)
            self._publish(state.opening)
            here.call = None
        has_step_listeners = "actions_applied" in context.active_hooks
        if has_step_listeners and self.events:
            context.hooks.actions_applied(plan=self.plan, events=self.events[:])
        while True:
            here.call = calls.to_act
            acting = state.to_act()
            if not acting:
                break
            try:
                is_usual = len(acting) == 1 and acting[0] in everybody
            except (LookupError, TypeError):
                is_usual = False
            if not is_usual:
                acting = state.refuse_turn(acting)
            if self.steps >= limit:
                return self._record(Ending.TURN_LIMIT, state.returns(self.events, is_over=False))
            if self.answers_left is not None and not self._count_answers():
                return self._record(Ending.TURN_LIMIT, state.returns(self.events, is_over=False))
            start = self._complete = len(self.events)
            if self._shown is not None:
                self.show()
            here.call = None
            if time.monotonic() >= context.turn_due:
                await context.turn()
            if context.is_held:
                await context.may_go_on()
            actions: dict[Player, Action | Forfeited]
            if is_usual and not self.gone:
                player = acting[0]
                action = await players[player].take_turn(self.steps, self.events, self.answers_left, self._caller)
                actions = {player: action}
                is_complete = action is not FORFEITED
            else:
                actions = await self._ask_together([p for p in acting if p not in self.gone])
                is_complete = FORFEITED not in actions.values()
            if self.answers_left is not None and any(player.answer_limit_reached for player in players):
                self.events[start:] = map(withheld, self.events[start:])
                return self._record(Ending.TURN_LIMIT, state.returns(self.events, is_over=False))
            if not is_complete:
                failed = [p for p, action in actions.items() if action is FORFEITED]
                self._eliminate(failed, start)
                if self.setup.facts.on_forfeit == "end":
                    return self._forfeit(failed)
            self._apply(acting, actions)
            if has_step_listeners:
                context.hooks.actions_applied(plan=self.plan, events=self.events[start:])
        return self._record(Ending.RULES, state.returns(self.events))

    def waits_for_answers(self) -> bool:
        """Whether some player has asked a model that has not answered."""
        return any(player.waits_for_answers for player in self.players)

    async def close(self) -> None:
        """Close each agent that joined, once; an error becomes a warning of the run and changes no result."""
        players, self.players = self.players, []
        await close_agents(players, self.context)

    def cancel(self) -> None:
        """End the match for good; where its agents go on although they are cancelled, they are cancelled again."""
        self.context.cancelled.add(self.plan.id)
        if self.context.playing.get(self.plan.id) is self:
            for task in {self._caller.task, *filter(None, (player.task for player in self.players))}:
                task.cancel()
            asyncio.get_running_loop().call_later(AGAIN_S, self.cancel)

    async def leave(self, player: Player) -> None:
        """Let a player get up: what it is asked is cut off, or it leaves as soon as it is to act."""
        await self.players[player].leave()

    async def receive(self, player: Player, message: JSON) -> JSON:
        """Hand a message to the agent of a player, and return its answer."""
        return await self.players[player].agent.receive(message)

    async def unfinished_step(self) -> tuple[Event, ...]:
        """What has happened in the step that is being played: refusals and look-ups, by player."""
        own = [*self.events[self._complete :], *(event for events in self._together for event in events)]
        return tuple(own)

    def _player(self, player: Player) -> MatchPlayer:
        setup, context = self.setup, self.context
        return MatchPlayer(setup, self.state, self.plan, player, context, self._pool, self._known, self._workers)

    def _count_answers(self) -> int:
        """The number of answers that may still be given; counted between steps, so speed makes no difference."""
        self.answers_left = (self.setup.policy.max_answers or 0) - sum(player.answers for player in self.players)
        return max(self.answers_left, 0)

    async def _ask_together(self, players: Sequence[Player]) -> dict[Player, Action | Forfeited]:
        """Ask several players at the same time; their events are recorded in player order."""
        events: list[list[Event]] = [[] for _ in players]
        self._together = events
        found = await all_begun([self._take_turn(p, own) for p, own in zip(players, events, strict=True)])
        errors = [error for error in found if isinstance(error, BaseException)]
        if errors:  # raised after all have finished, so no answer in flight is lost; what stops the run goes first
            raise min(errors, key=lambda e: not isinstance(e, StopRun | JournalError | asyncio.CancelledError))
        for own in events:
            self.events.extend(own)
        self._together = []
        return dict(zip(players, cast("list[Action | Forfeited]", found), strict=True))

    async def _take_turn(self, player: Player, events: list[Event]) -> Action | Forfeited:
        """Let a player take its turn in a task of its own."""
        caller = TaskCaller()
        caller.begin()
        try:
            return await self.players[player].take_turn(self.steps, events, self.answers_left, caller)
        finally:
            caller.end()

    def _apply(self, acting: Sequence[Player], actions: dict[Player, Action | Forfeited]) -> None:
        if len(actions) < len(acting):
            actions = {p: actions.get(p, FORFEITED) for p in acting}
        state = self.state
        state.here.call = state.calls.apply
        happened = state.apply(actions)
        self.steps += 1
        state.steps += 1
        for p in actions:
            if view := self.players[p].view:
                view.is_open = False
        self._publish(happened)
        if not self._has_step_rewards:
            return
        state.here.call = state.calls.rewards
        rewards = state.rewards()
        if rewards is not None:
            earned = state.checked_rewards(rewards)
            self.events.append(Event(self.steps, "referee", "rewarded", None, earned, EVERYONE))

    def _publish(self, happened: Sequence[GameEvent]) -> None:
        steps, players, events = self.steps, self.players, self.events
        try:
            for event in happened:
                to = event.to
                if to is None:
                    for player in players:
                        player.unseen_events.append(event)
                else:
                    for p in to:
                        self._by_number[p].unseen_events.append(event)
                events.append(event_of((steps, "game", event.kind, None, event.data, to)))
        except (AttributeError, LookupError, TypeError) as error:
            self.state.refuse_events(happened, error)

    def _eliminate(self, failed: Sequence[Player], start: int) -> None:
        if self.setup.facts.on_forfeit == "end":  # the actions that were ready are not applied
            self.events[start:] = map(withheld, self.events[start:])
        for p in failed:
            self.gone.append(p)
            data = {"kind": "left" if self.players[p].has_left else str(self.players[p].refusal)}
            self.events.append(Event(self.steps, "referee", "gone", p, data, EVERYONE))

    def _forfeit(self, failed: Sequence[Player]) -> MatchRecord:
        first = self.players[failed[0]]
        if self.setup.policy.then == "disqualify" and not first.has_left:
            return self._record(Ending.DISQUALIFIED, None)
        facts = self.setup.facts
        returns = [facts.forfeit_return if p in failed else facts.others_return for p in range(len(self.players))]
        return self._record(forfeit_of(first), returns)

    def _record(self, ending: Ending, returns: Sequence[float] | None) -> MatchRecord:
        return MatchRecord(
            plan=self.plan,
            seats=self.setup.seats,
            ending=ending,
            returns=None if returns is None else tuple(map(float, returns)),
            forfeited=tuple(self.gone),
            steps=self.steps,
            events=tuple(self.events),
        )

"""One match in progress, and the loop that plays it while it waits for agents.

It never guesses what an agent meant. An answer that cannot be played is refused with a reason and asked for again; an
action that the policy for illegal actions plays instead is marked as a substitute. Events of simultaneous players are
merged in player order, so the record does not depend on who was faster.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

import attrs
from arena.agent import PlayerAgent, Seat
from arena.chance import Chance
from arena.errors import JournalError, StopRun
from arena.game import FORFEITED, Forfeited, State
from arena.record import (
    EVERYONE,
    JSON,
    Action,
    Ending,
    Event,
    GameEvent,
    MatchPlan,
    MatchRecord,
    Player,
    derive_rng,
    derive_seed,
)

from arena_engine.foundation.shared_timer import SharedTimer
from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import TaskCaller, call_of
from arena_engine.job.stopping import AGAIN_S
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.match.at_once import all_begun
from arena_engine.match.checks import CheckedState, event_of, joined
from arena_engine.match.player import GivenAnswer, MatchPlayer, close_agents, forfeit_of, withheld
from arena_engine.match.process_player import ProcessPlayer
from arena_engine.match.setup import MatchSetup
from arena_engine.models.completions import CompletionBranch
from arena_engine.models.pool import BackendPool
from arena_engine.workers.player_process import WorkerPool, WorkerProcess


class Officiating(Protocol):
    """What a match uses of the referee that plays it: of its run, of its models and of its other matches."""

    context: RunContext
    connections: BackendPool
    workers: WorkerPool
    showing: SharedTimer

    def setup(self, game_name: str, players: int) -> MatchSetup:
        """What all matches of a game with this number of players share."""
        ...


@attrs.frozen
class BegunStep:
    """A step in which all who were asked have answered at once so far: who is ``acting``, and what they have ``given``.

    If nobody acts, the step has not begun.
    """

    acting: Sequence[Player] = ()
    given: Mapping[Player, GivenAnswer] = attrs.field(factory=dict[Player, GivenAnswer])


class Match:
    """One match in progress; the caller must ``close`` it, however the match ended.

    ``agents`` are those that have joined, by player. ``turns`` counts the turns that each player has taken, and
    ``unseen`` are the events since then that it may see, as long as there are no ``players``: these are made when an
    agent first uses its seat or has to wait. ``holds_something`` says that an agent has something to close; most have
    nothing.
    """

    holds_something = False
    _shown: int | None = None  # how many events readers have; None: the match is too young to be shown
    _complete = 0  # how many events there were before the step that is being played
    _together: Sequence[list[Event]] = ()  # the events of players who are asked at the same time
    _caller: TaskCaller | None = None

    def __init__(self, referee: Officiating, plan: MatchPlan, known: Mapping[str, JournalEntry]) -> None:
        self.plan = plan
        self.context = referee.context
        self.setup = setup = referee.setup(plan.game, len(plan.agents))
        self.steps = 0
        self.events: list[Event] = []
        self.gone: list[Player] = []
        self.agents: list[PlayerAgent] = []
        self.players: list[MatchPlayer] = []
        self.answers_left = setup.policy.max_answers
        self._referee = referee
        self._known = known
        players = len(plan.agents)
        self.turns = [0] * players
        self.unseen: list[list[GameEvent]] = [[] for _ in plan.agents]
        self.state = CheckedState(setup.game, setup.facts, plan.game, players, plan.chance_seed, setup.begun)

    def join(self, player: Player) -> PlayerAgent:
        """Let the agent of a player join; those of the players before it have joined."""
        name = self.plan.agents[player]
        agent = self.setup.job.agents[name]
        if agent.plays_in_own_process and WorkerProcess.is_possible:
            made: PlayerAgent = ProcessPlayer(
                agent,
                name,
                self._seat(player),
                self._referee.workers,
                lambda seconds: self.player(player).extend(seconds),
            )
        else:
            limit = self.setup.job.limits.turn_seconds
            made = joined(name, agent, self._seat(player), self.state.here, self.context, self._caller, limit)
        self.agents.append(made)
        if type(made).close is not PlayerAgent.close:
            self.holds_something = True
        return made

    def player(self, number: Player) -> MatchPlayer:
        """A player as the loop below handles it, with the turns that it has taken until now."""
        if not self.players:
            context, pool = self.context, self._referee.connections
            for p in range(len(self.plan.agents)):
                self.players.append(
                    MatchPlayer(self.setup, self.state, self.plan, Player(p), context, pool, self._known)
                )
        return self.players[number]

    async def play(self, task: "asyncio.Task[Any] | None" = None, begun: BegunStep | None = None) -> MatchRecord:
        """Play until the match is over, and return its record.

        The current ``task`` need not be given. Without ``begun`` nothing has been played; the agents join if they have
        not.
        """
        self._referee.showing.begin(self.show)
        self._caller = TaskCaller()
        self._caller.begin(task)
        try:
            return await self._play(begun)
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

    async def _play(self, begun: BegunStep | None) -> MatchRecord:
        self.player(Player(0))
        for p in range(len(self.agents), len(self.plan.agents)):
            self.join(Player(p))
        for player, agent, turn, unseen in zip(self.players, self.agents, self.turns, self.unseen, strict=True):
            player.begin(agent, turn, unseen)
        self._by_number = dict(enumerate(self.players))  # unlike a list, it knows no player -1
        state, context, players, limit = self.state, self.context, self.players, self.setup.max_steps
        everybody, here, calls = self._by_number, state.here, state.calls
        has_step_listeners = "actions_applied" in context.active_hooks
        if begun is None:
            begun = BegunStep()
            if state.opening:
                here.call = call_of("game", self.plan.game, type(self.setup.game).start)
                self._publish(state.opening)
                here.call = None
            if has_step_listeners and self.events:
                context.hooks.actions_applied(plan=self.plan, events=self.events[:])
        while True:
            acting, given = begun.acting, begun.given
            if acting:
                begun = BegunStep()
                is_usual = len(acting) == 1
                start = self._complete = len(self.events)
            else:
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
                caller, first = self._caller, given.get(player)
                assert caller is not None  # the task in which this is called
                action = await players[player].take_turn(self.steps, self.events, self.answers_left, caller, first)
                actions = {player: action}
                is_complete = action is not FORFEITED
            else:
                actions = await self._ask_together([p for p in acting if p not in self.gone], given)
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
        if self.holds_something:
            for player, agent in enumerate(self.agents):
                self.player(Player(player)).agent = agent
            await close_agents(self.players[: len(self.agents)], self.context)
        self.agents, self.players = [], []

    def cancel(self) -> None:
        """End the match for good; where its agents go on although they are cancelled, they are cancelled again."""
        self.context.cancelled.add(self.plan.id)
        if self.context.playing.get(self.plan.id) is self:
            for task in filter(None, {self._caller and self._caller.task, *(player.task for player in self.players)}):
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

    def _seat(self, player: Player) -> Seat:
        """The seat of a player. Its functions are lambdas because a bound method would give the agent the match."""
        plan, job = self.plan, self.setup.job
        return Seat(
            player=player,
            players=len(plan.agents),
            name=self.setup.seats[player],
            game=self.setup.game,
            rules=self.setup.rules,
            agents=plan.agents if job.reveal_agents else None,
            completions=CompletionBranch(lambda: self.player(player).completions, ""),
            query=lambda name, arguments, reasoning="", note=None: self.player(player).query(
                name, arguments, reasoning, note
            ),
            once=lambda name, function: self.player(player).once.call(name, function),
            resample_hidden=lambda number: self._resample_hidden(player, number),
            make_rng=lambda: derive_rng("agent", job.seed, plan.id, player),
        )

    def _resample_hidden(self, player: Player, number: int) -> State | None:
        job = self.setup.job
        if not job.resample_hidden:
            return None
        return self.state.resample_hidden(
            player, Chance(derive_seed("imagine", job.seed, self.plan.id, player, number))
        )

    def _count_answers(self) -> int:
        """The number of answers that may still be given; counted between steps, so speed makes no difference."""
        self.answers_left = (self.setup.policy.max_answers or 0) - sum(player.answers for player in self.players)
        return max(self.answers_left, 0)

    async def _ask_together(
        self, players: Sequence[Player], given: Mapping[Player, GivenAnswer]
    ) -> dict[Player, Action | Forfeited]:
        """Ask several players at the same time; their events are recorded in player order."""
        events: list[list[Event]] = [[] for _ in players]
        self._together = events
        found = await all_begun([self._take_turn(p, own, given.get(p)) for p, own in zip(players, events, strict=True)])
        errors = [error for error in found if isinstance(error, BaseException)]
        if errors:  # raised after all have finished, so no answer in flight is lost; what stops the run goes first
            raise min(errors, key=lambda e: not isinstance(e, StopRun | JournalError | asyncio.CancelledError))
        for own in events:
            self.events.extend(own)
        self._together = ()
        return dict(zip(players, cast("list[Action | Forfeited]", found), strict=True))

    async def _take_turn(self, player: Player, events: list[Event], given: GivenAnswer | None) -> Action | Forfeited:
        """Let a player take its turn in a task of its own."""
        caller = TaskCaller()
        caller.begin()
        try:
            return await self.players[player].take_turn(self.steps, events, self.answers_left, caller, given)
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
        if not state.has_step_rewards:
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

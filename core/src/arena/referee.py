"""The referee plays one match: it asks, checks, asks again, applies, and writes down what happened.

It decides nothing by guess. What cannot be played is refused with a reason and asked again; what the policy for illegal
actions puts in its place is marked as a substitute. Events of simultaneous players are merged in player order, so that
the record does not depend on who was faster.
"""

import asyncio
import traceback
from collections.abc import Mapping, Sequence
from typing import cast

import attrs

from arena.chair import Chair
from arena.chance import Chance
from arena.connections import Connections
from arena.errors import BackendError, ConfigError, JournalError, StopRun
from arena.executor import Answer, Desk, IllegalActions, Work
from arena.game import GONE, Form, Game, GameFacts, Gone, State
from arena.record import (
    EVERYONE,
    Action,
    Ending,
    Event,
    Failure,
    GameEvent,
    MatchPlan,
    MatchRecord,
    Player,
    RefusalKind,
)

_FORFEITS: dict[RefusalKind | None, Ending] = {
    RefusalKind.ILLEGAL: Ending.FORFEIT_ILLEGAL,
    RefusalKind.LATE: Ending.FORFEIT_TIME,
}


@attrs.frozen
class Table:
    """What all matches of one game with one number of players have in common."""

    game: Game
    facts: GameFacts
    seats: tuple[str, ...]
    rules: str
    forms: Mapping[str, Form]
    wave_limit: int
    policy: IllegalActions


class Referee:
    """Plays matches of one ``Work``."""

    def __init__(self, work: Work, desk: Desk, connections: Connections) -> None:
        self.work = work
        self.desk = desk
        self.connections = connections
        self._tables: dict[tuple[str, int], Table] = {}

    def table(self, game_name: str, players: int) -> Table:
        """The facts of a game, looked up once."""
        key = (game_name, players)
        if key not in self._tables:
            game = self.work.games[game_name]
            facts = game.facts(players)
            limit = min(facts.wave_limit, self.work.limits.waves or facts.wave_limit)
            policy = self.work.illegal_actions.of(game, players)
            self._tables[key] = Table(game, facts, tuple(game.seats(players)), game.rules, game.forms, limit, policy)
        return self._tables[key]

    async def play(self, plan: MatchPlan) -> MatchRecord:
        """Play one match to its end.

        ``StopRun`` and ``JournalError`` pass, and leave the match unfinished; a backend that cannot be reached and a
        plugin's bug end it without a result.
        """
        heard = self.desk.heard
        if "match_started" in heard:
            self.desk.hooks.match_started(plan=plan)
        match = None
        try:
            known = self.desk.known(plan.id)
            if not known:  # what is known may be enough, without asking anybody
                self.connections.check(self.work.agents[agent] for agent in plan.agents)
            match = Match(self, plan, known)
            record = await match.play()
            match.leave()
        except (StopRun, JournalError):
            raise
        except (BackendError, ConfigError) as error:
            record = self._broken(plan, match, Ending.INFRASTRUCTURE_FAILURE, Failure(str(error)))
        except Exception as error:
            failure = Failure(f"{type(error).__name__}: {error}", traceback.format_exc())
            record = self._broken(plan, match, Ending.FAILED, failure)
        if "match_finished" in heard:
            self.desk.hooks.match_finished(record=record)
        return record

    @staticmethod
    def _broken(plan: MatchPlan, match: "Match | None", ending: Ending, failure: Failure) -> MatchRecord:
        events = tuple(match.events) if match else ()
        waves = match.waves if match else 0
        return MatchRecord(
            plan=plan, seats=(), ending=ending, returns=None, waves=waves, events=events, failure=failure
        )


class Match:
    """One match in progress."""

    def __init__(self, referee: Referee, plan: MatchPlan, known: Mapping[str, Answer]) -> None:
        self.plan = plan
        self.work = referee.work
        self.desk = referee.desk
        self.table = referee.table(plan.game, len(plan.agents))
        self.waves = 0
        self.events: list[Event] = []
        self.gone: list[Player] = []
        self.answers_left = self.table.policy.answers
        self.is_spent = False
        self.hears_decisions = "decision_asked" in self.desk.heard
        self.state, opening = self.table.game.start(Chance(plan.chance_seed), len(plan.agents))
        self.chairs = [Chair(self, Player(p), known, referee.connections) for p in range(len(plan.agents))]
        self._pays_as_it_goes = type(self.state).rewards is not State.rewards
        self._hear(opening)

    async def play(self) -> MatchRecord:
        """Play wave after wave."""
        state, desk, chairs, limit = self.state, self.desk, self.chairs, self.table.wave_limit
        hears_waves = "actions_applied" in desk.heard
        while acting := state.to_act():
            if self.waves >= limit:
                return self._record(Ending.TURN_LIMIT, state.returns())
            if self.answers_left is not None and not self._count_answers():
                return self._record(Ending.TURN_LIMIT, state.returns())
            desk.check()
            start = len(self.events)
            actions: dict[Player, Action | Gone]
            if len(acting) == 1 and not self.gone:
                player = acting[0]
                actions = {player: await chairs[player].ask(self.events)}
            else:
                actions = await self._ask_together([p for p in acting if p not in self.gone])
            if self.is_spent:
                self.events[start:] = map(_withheld, self.events[start:])
                return self._record(Ending.TURN_LIMIT, state.returns())
            if GONE in actions.values():
                failed = [p for p, action in actions.items() if action is GONE]
                self._put_out(failed, start)
                if self.table.facts.on_forfeit == "end":
                    return self._forfeit(failed)
            self._apply(acting, actions)
            if hears_waves:
                desk.hooks.actions_applied(plan=self.plan, events=self.events[start:])
        return self._record(Ending.RULES, state.returns())

    def leave(self) -> None:
        """Let the agents go."""
        for chair in self.chairs:
            chair.mind.left()

    def _count_answers(self) -> int:
        """How many answers may still be given; counted between waves, so that it does not matter who is faster."""
        self.answers_left = (self.table.policy.answers or 0) - sum(chair.answers for chair in self.chairs)
        return max(self.answers_left, 0)

    async def _ask_together(self, players: Sequence[Player]) -> dict[Player, Action | Gone]:
        """Ask several at once; what happens is written down in player order, whoever is faster."""
        events: list[list[Event]] = [[] for _ in players]
        asked = [self.chairs[p].ask(own) for p, own in zip(players, events, strict=True)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        errors = [error for error in found if isinstance(error, BaseException)]
        if errors:  # all have finished, so that nothing in flight is lost; what stops the run goes first
            raise min(errors, key=lambda e: not isinstance(e, StopRun | JournalError | asyncio.CancelledError))
        for own in events:
            self.events.extend(own)
        return dict(zip(players, cast("list[Action | Gone]", found), strict=True))

    def _apply(self, acting: Sequence[Player], actions: dict[Player, Action | Gone]) -> None:
        if len(actions) < len(acting):
            actions = {p: actions.get(p, GONE) for p in acting}
        happened = self.state.apply(actions)
        self.waves += 1
        for p in actions:
            if decision := self.chairs[p].decision:
                decision.is_stale = True
        self._hear(happened)
        if self._pays_as_it_goes and (rewards := self.state.rewards()) is not None:
            data = [float(r) for r in rewards]
            self.events.append(Event(self.waves, "referee", "rewarded", None, data, EVERYONE))

    def _hear(self, happened: Sequence[GameEvent]) -> None:
        waves, chairs, events = self.waves, self.chairs, self.events
        for event in happened:
            to = event.to
            events.append(Event(waves, "game", event.kind, None, event.data, to))
            if to is None:
                for chair in chairs:
                    chair.inbox.append(event)
            else:
                for p in to:
                    chairs[p].inbox.append(event)

    def _put_out(self, failed: Sequence[Player], start: int) -> None:
        if self.table.facts.on_forfeit == "end":  # the actions that were ready are not applied
            self.events[start:] = map(_withheld, self.events[start:])
        for p in failed:
            self.gone.append(p)
            data = {"kind": str(self.chairs[p].refusal)}
            self.events.append(Event(self.waves, "referee", "gone", p, data, EVERYONE))

    def _forfeit(self, failed: Sequence[Player]) -> MatchRecord:
        if self.table.policy.then == "disqualify":
            return self._record(Ending.DISQUALIFIED, None)
        facts = self.table.facts
        returns = [facts.forfeit_return if p in failed else facts.others_return for p in range(len(self.chairs))]
        refusal = self.chairs[failed[0]].refusal
        return self._record(
            _FORFEITS.get(refusal, Ending.FORFEIT_FORMAT) if refusal else Ending.FORFEIT_FORMAT, returns
        )

    def _record(self, ending: Ending, returns: Sequence[float] | None) -> MatchRecord:
        return MatchRecord(
            plan=self.plan,
            seats=self.table.seats,
            ending=ending,
            returns=None if returns is None else tuple(map(float, returns)),
            gone=tuple(self.gone),
            waves=self.waves,
            events=tuple(self.events),
        )


def _withheld(event: Event) -> Event:
    """An action that was ready but is not applied, since the match ended in this wave."""
    return event._replace(kind="withheld") if event.source == "referee" and event.kind == "played" else event

"""Prove that an agent keeps its contract."""

import inspect
import random
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.game import Decision, Game
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending, MatchRecord, Player, canonical_json, derive_rng
from arena_engine.foundation import json_fault

from arena_testing.fixtures.fakes import RANDOM
from arena_testing.fixtures.play_match import PlayedMatch, play
from arena_testing.foundation.conformance import ConformanceError

_POLICY = IllegalActionPolicy(retries=2, then="random")


@attrs.frozen(kw_only=True)
class AgentReport:
    """What the agent did in ``matches``: its decisions, its replies, and how many of them were legal.

    ``asked`` counts its turns, ``refusals`` its own refusals by kind, ``illegal`` its actions that were not legal,
    ``completions`` its requests to backends. ``quick_s`` is the median of the CPU seconds of its decisions if it says
    that it ``is_quick``, else ``None``. ``untested`` says what could not be checked, and why.
    """

    agent: str
    matches: int
    asked: int
    replies: int
    illegal: int
    refusals: Mapping[str, int]
    completions: int
    quick_s: float | None = None
    untested: tuple[str, ...] = ()


def check_agent(
    agent: Agent, game: Game, players: int | None = None, *, matches: int = 2, seed: int = 0, is_legal: bool = False
) -> AgentReport:
    """Play matches of ``game`` with ``agent`` in every seat, against random players and against itself.

    The real referee plays the matches, with real answers of the agent's own backends; some good answers are refused on
    purpose. Each match is then replayed from its recorded answers: the agent must do the same again without further
    requests. ``is_legal`` demands that every action is legal. ``ConformanceError`` says what was found.

    Not to be called inside a running event loop.
    """
    count = min(game.player_counts()) if players is None else players
    _check_demands(agent, game, count)
    notes = _Notes()
    alone = [[p] for p in range(count)]
    with tempfile.TemporaryDirectory() as place:
        for number, own in enumerate(alone + ([list(range(count))] if count > 1 else [])):
            for match in range(matches):
                directory = Path(place) / f"{number}-{match}"
                _check_match(agent, game, count, own, seed + match, directory, notes)
    if is_legal and notes.illegal:
        raise ConformanceError("legal", f"{notes.illegal[0]}", player=notes.where)
    return AgentReport(
        agent=repr(agent),
        matches=matches * (count + (count > 1)),
        asked=notes.asked,
        replies=notes.replies,
        illegal=len(notes.illegal),
        refusals=dict(notes.refusals),
        completions=notes.completions,
        quick_s=median(notes.quick_s) if notes.quick_s else None,
        untested=() if notes.replies else ("actions: the agent never had one; give it answers it can read",),
    )


@attrs.define(eq=False)
class _Notes:
    """What was observed of the agent; ``fault`` is its first breach of the contract."""

    asked: int = 0
    replies: int = 0
    completions: int = 0
    illegal: list[str] = attrs.field(factory=list[str])
    refusals: Counter[str] = attrs.field(factory=Counter[str])
    quick_s: list[float] = attrs.field(factory=list[float])
    where: Player | None = None
    fault: ConformanceError | None = None


@attrs.frozen
class _Watched(Agent):
    """Wraps an agent to observe what it does."""

    agent: Agent
    notes: _Notes
    seed: int

    def join(self, seat: Seat) -> PlayerAgent:
        agent = self.agent.join(seat)
        if not isinstance(agent, PlayerAgent):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConformanceError("join", f"join returned {agent!r}, which is no PlayerAgent", player=seat.player)
        return _WatchedPlayer(agent, self.notes, seat.player, derive_rng("refuse", self.seed, seat.player))


@attrs.define(eq=False)
class _WatchedPlayer(PlayerAgent):
    agent: PlayerAgent
    notes: _Notes
    player: Player
    rng: random.Random

    async def act(self, decision: Decision) -> Response:
        before, state, random_state = _look(decision), _state(decision), random.getstate()
        began = time.thread_time()
        turn = self.agent.act(decision)
        if self.agent.is_quick:
            self.notes.quick_s.append(time.thread_time() - began)
        if inspect.isawaitable(turn):
            turn = await turn
        self.notes.asked += 1
        if random.getstate() != random_state:
            self._report("luck", "random numbers come from the global generator; draw them from seat.rng")
        if _state(decision) != state:
            self._report("state", f"the match is changed while the agent chooses: {decision.phase}; only apply may")
        elif _look(decision) != before:
            self._report("decision", f"the decision or what it shows is changed by looking at it: {decision.phase}")
        self._check_turn(decision, turn)
        if isinstance(turn, Reply) and decision.attempt == 0 and self.rng.random() < 0.25:
            return Refusal(kind=RefusalKind.AMBIGUOUS, reason="the answer can be read in two ways; say it again")
        return turn

    def close(self) -> Awaitable[None] | None:
        return self.agent.close()

    def _check_turn(self, decision: Decision, turn: object) -> None:
        if isinstance(turn, Refusal):
            self.notes.refusals[str(turn.kind)] += 1
            if not turn.reason.strip():
                self._report("refusal", f"a refusal of kind {turn.kind!r} has no reason")
        elif isinstance(turn, Reply):
            self.notes.replies += 1
            if fault := json_fault(turn.action, "the action") or json_fault(turn.note, "the note"):
                self._report("reply", f"{fault}, so it cannot be written down")
            elif refused := decision.check(turn.action):
                self.notes.where = self.player
                self.notes.illegal.append(f"{canonical_json(turn.action)} is not legal: {refused.reason}")
        else:
            self._report("reply", f"act returned {turn!r}; expected a Reply or a Refusal")

    def _report(self, check: str, what: str) -> None:
        if self.notes.fault is None:
            self.notes.fault = ConformanceError(check, what, player=self.player)


def _look(decision: Decision) -> str:
    options = None if decision.options is None else [[o.action, o.label] for o in decision.options]
    news = [list(event) for event in decision.news]
    rejected = [[r.kind, r.reason] for r in decision.rejected]
    return canonical_json([decision.phase, options, decision.action_schema, news, rejected, decision.observation])


def _state(decision: Decision) -> str:
    """What the state behind a decision shows.

    Agents cannot reach that state unless they go through private attributes.
    """
    state: Any = decision._view._state  # pyright: ignore[reportPrivateUsage]  # to find out who does
    return canonical_json([list(state.to_act()), *(state.observe(player) for player in (decision.player, None))])


def _check_demands(agent: Agent, game: Game, players: int) -> None:
    if lacking := sorted(agent.forms() - set(game.forms)):
        raise ConformanceError("forms", f"the agent asks for the form {lacking[0]!r}, which {game!r} does not have")
    if strangers := sorted(set(agent.needs(game, players)) - set(agent.backends())):
        raise ConformanceError(
            "needs", f"needs speaks of the backend {strangers[0]!r}, and the agent has none so called"
        )


def _check_match(
    agent: Agent, game: Game, players: int, own: Sequence[int], seed: int, directory: Path, notes: _Notes
) -> None:
    def seated(notes: _Notes) -> list[Agent]:
        return [_Watched(agent, notes, seed) if p in own else RANDOM for p in range(players)]

    first = play(game, seated(notes), directory, seed=seed, illegal_actions=_POLICY)
    record = _over(first, notes)
    notes.completions += sum(answer.kind == "completion" for answer in first.answers)
    again_notes = _Notes()
    again = play(
        game,
        seated(again_notes),
        directory.with_name(f"{directory.name}-again"),
        seed=seed,
        illegal_actions=_POLICY,
        answers=first.answers,
    )
    replayed = _over(again, again_notes)
    if [answer.scope for answer in again.answers] != [answer.scope for answer in first.answers]:
        raise ConformanceError("replay", f"a replayed match of {game!r} asks for more than was recorded")
    if (difference := _difference(record, replayed)) is not None:
        raise ConformanceError("replay", f"a replayed match of {game!r} goes on differently: {difference}")


def _over(played: PlayedMatch, notes: _Notes) -> MatchRecord:
    if notes.fault is not None:
        raise notes.fault
    record = played.over
    if record.ending in (Ending.FAILED, Ending.INFRASTRUCTURE_FAILURE) and record.failure is not None:
        raise ConformanceError("crash", f"{record.failure.reason}\n{record.failure.traceback}".strip())
    return record


def _difference(one: MatchRecord, two: MatchRecord) -> str | None:
    for was, now in zip(one.events, two.events, strict=False):
        if canonical_json(list(was)) != canonical_json(list(now)):
            return f"was {canonical_json(list(was))}, is {canonical_json(list(now))}"
    return None if one.returns == two.returns else f"returns were {one.returns!r}, are {two.returns!r}"

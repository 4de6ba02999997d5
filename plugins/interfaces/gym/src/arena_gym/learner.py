"""Matches in which one agent's actions come from outside, one match after another."""

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import ABSENT, Absent, Decision, Game
from arena.record import Action, MatchPlan, MatchRecord
from arena_engine import CompletionCache, Job
from arena_engine.match import InMemoryRun, Match, Referee
from arena_engine.models import BackendPool

T = TypeVar("T")

LEARNER: Final = "learner"
"""The name of the agent whose actions come from outside; the others are ``opponent-0``, ``opponent-1`` and so on."""


class LearnerMatches:
    """Plays one match at a time; it stays suspended within the learner's ``act`` between two calls of ``go_on``.

    It knows nothing of the environment that plays it, so that ``close`` can be called when that is gone.
    """

    def __init__(self, game: Game, opponents: Sequence[Agent], cache: Path | str | None) -> None:
        self._loop = asyncio.new_event_loop()
        self._learner = _Learner()
        agents = {LEARNER: self._learner, **{f"opponent-{i}": agent for i, agent in enumerate(opponents)}}
        context = InMemoryRun()
        work = Job(plans=(), games={"game": game}, agents=agents, seed=0)
        self._connections = BackendPool(context, CompletionCache.at(None if cache is None else Path(cache), work.seed))
        self._referee = Referee(work, context, self._connections)
        self._playing: asyncio.Task[MatchRecord] | None = None
        self._match: Match | None = None

    @property
    def match(self) -> Match:
        """The match that was dealt last."""
        assert self._match is not None
        return self._match

    def decision(self) -> Decision | None:
        """The decision that the learner is asked, or ``None`` if no match is being played."""
        return self._learner.decision

    def deal(self, plan: MatchPlan) -> None:
        """Begin another match, in place of the one that may be open."""
        self.leave()
        self._match = Match(self._referee, plan, {})

    def go_on(self, action: Action | Absent = ABSENT) -> MatchRecord | None:
        """Play on, with the learner's action, until it must act again (``None``) or the match is over (its record)."""
        self._run(self._until_asked(action))
        if self._playing is None or not self._playing.done():
            return None
        playing, self._playing = self._playing, None
        return playing.result()

    def leave(self) -> None:
        """Cancel the match if it is not over; its result does not count."""
        self._learner.decision = None
        if self._playing is not None:
            self._playing.cancel()
            self._run(asyncio.wait((self._playing,)))
            self._playing = None
        if self._match is not None:
            self._run(self._match.close())

    def close(self) -> None:
        """End the match, and close the opponents' backends; further calls do nothing."""
        if not self._loop.is_closed():
            self.leave()
            self._referee.workers.close()
            self._run(self._connections.close())
            self._loop.close()

    async def _until_asked(self, action: Action | Absent) -> None:
        asked = self._learner.listen()
        if action is ABSENT:
            self._playing = asyncio.ensure_future(self.match.play())
        else:
            self._learner.answer(action)
        assert self._playing is not None
        await asyncio.wait((self._playing, asked), return_when=asyncio.FIRST_COMPLETED)

    def _run(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, in a thread if this one already has a running loop (as in a notebook)."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._loop.run_until_complete(waiting)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(self._loop.run_until_complete, waiting).result()


@attrs.define(eq=False)
class _Learner(Agent, PlayerAgent):
    """An agent whose actions come from outside, through ``answer``."""

    decision: Decision | None = None
    _asked: "asyncio.Future[None] | None" = None
    _answer: "asyncio.Future[Action] | None" = None

    def join(self, seat: Seat) -> PlayerAgent:
        """Return this learner itself: the environment plays one match at a time."""
        self.decision = None
        return self

    def listen(self) -> "asyncio.Future[None]":
        """Return a future that is done when the learner is next asked to act."""
        self._asked = asyncio.get_running_loop().create_future()
        return self._asked

    def answer(self, action: Action) -> None:
        """Play ``action`` in the decision that is open."""
        assert self._answer is not None
        self.decision = None
        self._answer.set_result(action)

    async def act(self, decision: Decision) -> Reply:
        self.decision = decision
        self._answer = asyncio.get_running_loop().create_future()
        assert self._asked is not None
        self._asked.set_result(None)
        return Reply(action=await self._answer)

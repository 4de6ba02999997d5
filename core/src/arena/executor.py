"""The contract of an executor: where matches are played, in one process or on a cluster.

The driver owns the journal. An executor plays the plans of a ``Work`` and hands every answer from outside to the
``Desk`` before the agent sees it; it yields each finished match.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import attrs
from attrs.validators import ge, gt, optional

from arena.agent import Agent
from arena.backend import Backend
from arena.errors import StopRun
from arena.game import Game
from arena.hookspecs import Hooks
from arena.record import JSON, MatchPlan, MatchRecord

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class IllegalActions:
    """What happens to an answer that cannot be played.

    A player may try again ``retries`` times in one turn, and ``total`` times in one match where that is given. After
    that: ``forfeit`` (the others win), ``disqualify`` (nobody wins), ``random`` (a uniformly drawn legal action is
    played and marked as such) or ``skip`` (the game's do-nothing action, marked; forfeit where it has none).
    ``feedback`` tells the agent what was wrong. A match that needs more than ``answers`` of all players, refused ones
    included, ends there with ``Ending.TURN_LIMIT``.

    Subclasses are plugins (entry points ``arena.disciplines``): policies by name, which may depend on the game.
    """

    retries: int = attrs.field(default=3, validator=ge(0), metadata={"help": "further tries per turn"})
    total: int | None = attrs.field(
        default=None, validator=optional(ge(0)), metadata={"help": "refusals per player and match, over all turns"}
    )
    then: Literal["forfeit", "disqualify", "random", "skip"] = attrs.field(
        default="forfeit", metadata={"help": "what happens after the last try"}
    )
    feedback: bool = True
    answers: int | None = attrs.field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "answers of all players in one match, refused ones too"},
    )

    def of(self, game: Game, players: int) -> "IllegalActions":
        """What holds in matches of ``game``: the same in all games, unless a subclass says otherwise."""
        return self


@attrs.frozen(kw_only=True)
class Limits:
    """Bounds of a run. ``turn_seconds`` is the time for one try, waiting in our own queues not counted."""

    concurrency: int = attrs.field(default=32, validator=ge(1), metadata={"help": "matches played at once"})
    turn_seconds: float | None = attrs.field(default=None, validator=optional(gt(0)))
    waves: int | None = attrs.field(default=None, validator=optional(ge(1)), metadata={"help": "waves per match"})
    budget_usd: float | None = attrs.field(default=None, validator=optional(ge(0)))
    budget_tokens: int | None = attrs.field(default=None, validator=optional(ge(0)))
    budget_calls: int | None = attrs.field(default=None, validator=optional(ge(0)))


@attrs.frozen(kw_only=True)
class Work:
    """Matches to play and all it takes to play them.

    ``plain`` is the resolved benchmark as plain data, from which a worker elsewhere builds the same games and agents.
    ``cache`` is the directory of answers that runs share.
    ``seed`` feeds the agents' own streams. ``tells_agents`` says whether seats know the other agents' names,
    ``imagines`` whether search agents get ``seat.imagine``.
    """

    plans: Sequence[MatchPlan]
    games: Mapping[str, Game]
    agents: Mapping[str, Agent]
    seed: int
    illegal_actions: IllegalActions = IllegalActions()
    limits: Limits = Limits()
    tells_agents: bool = False
    imagines: bool = True
    plain: JSON = None
    cache: Path | None = None


@attrs.frozen(kw_only=True)
class Answer:
    """Something that came from outside, as it is kept in the journal.

    ``scope`` is its place in the match, ``player/turn/try/branch…/number`` for an agent's completions. ``kind`` is
    ``completion``, ``cached`` (a completion from another run, paid for there), ``once`` (any other input) or ``late``
    (the try ran out of time here). ``request_hash`` says what
    was asked; ``request`` and ``value`` are JSON texts. Tokens and cost are repeated here so that they can be summed.
    """

    match: str
    scope: str
    kind: Literal["completion", "cached", "once", "late"]
    request_hash: str = ""
    request: str = ""
    value: str = "null"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


class Desk(ABC):
    """The driver's side of a run, as an executor sees it. Made inside the event loop that plays."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._stopped = asyncio.Event()

    @property
    @abstractmethod
    def hooks(self) -> Hooks:
        """The moments that observers watch."""

    @property
    @abstractmethod
    def heard(self) -> frozenset[str]:
        """The hooks that somebody implements; the others need not be called."""

    @abstractmethod
    def known(self, match: str) -> Mapping[str, Answer]:
        """Answers of an earlier, unfinished attempt at a match, by scope."""

    @abstractmethod
    async def keep(self, answer: Answer) -> None:
        """Write an answer down; it is durable when this returns. Raises ``StopRun`` or ``JournalFull``."""

    @abstractmethod
    async def admit(self, backend: Backend) -> None:
        """Wait until one more completion may be asked; raises ``StopRun`` when none may be any more."""

    def stop(self, reason: str) -> None:
        """Let the run end: answers in flight are kept, nothing more is asked. The first reason counts."""
        if self.reason is None:
            self.reason = reason
            self._stopped.set()

    def check(self) -> None:
        """Raise ``StopRun`` when the run is to end; asked before every wave."""
        if self.reason is not None:
            raise StopRun(self.reason)

    async def unless_stopped(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Wait for something that costs nothing to ask again; raises ``StopRun`` as soon as the run is to end."""
        task = asyncio.ensure_future(waiting)
        stop = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                self.check()
            return await task
        finally:
            task.cancel()
            stop.cancel()


class Executor(ABC):
    """A way to play many matches: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def play(self, work: Work, desk: Desk) -> AsyncIterator[MatchRecord]:
        """Play all plans, in any order, and yield each match as it ends.

        A match that breaks is yielded with ``Ending.FAILED`` or ``Ending.INFRASTRUCTURE_FAILURE``. ``StopRun`` ends the
        iteration: matches not yielded are simply unfinished.
        """

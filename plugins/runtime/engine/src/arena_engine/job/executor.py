"""The contract of an executor, which plays matches in one process or on a cluster.

The driver owns the journal. An executor plays the plans of a ``Job``, passes every answer from outside to the
``RunContext`` before the agent sees it, and yields each finished match.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

import attrs
from arena.agent import Agent
from arena.catalog import InstalledPlugin
from arena.game import Game
from arena.illegal_actions import IllegalActionPolicy
from arena.record import JSON, MatchPlan, MatchRecord
from attrs.validators import ge, gt, optional

from arena_engine.job.context import RunContext
from arena_engine.journal.encoded_match import EncodedMatch


@attrs.frozen(kw_only=True)
class Limits:
    """The limits of a run; ``None`` is unlimited.

    ``turn_seconds`` is the time for one try, not counting the time a request waits for limits or retries.
    """

    concurrency: int = attrs.field(default=32, validator=ge(1), metadata={"help": "matches played at once"})
    turn_seconds: float | None = attrs.field(default=None, validator=optional(gt(0)))
    max_steps: int | None = attrs.field(default=None, validator=optional(ge(1)), metadata={"help": "steps per match"})
    budget_usd: float | None = attrs.field(default=None, validator=optional(ge(0)))
    budget_tokens: int | None = attrs.field(default=None, validator=optional(ge(0)))
    budget_calls: int | None = attrs.field(default=None, validator=optional(ge(0)))


class MatchPlans(Protocol):
    """How many plans there are, and these one after another: a tuple, or what reads them as they are asked for."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[MatchPlan]: ...


class PlanQueue:
    """The plans that are left to begin, in order, of which none is held before it is taken; iterating takes them."""

    def __init__(self, plans: MatchPlans) -> None:
        self._untaken = iter(plans)
        self._left = len(plans)
        self._put_back: deque[MatchPlan] = deque()

    def __len__(self) -> int:
        return self._left

    def __iter__(self) -> Iterator[MatchPlan]:
        while self._left:
            yield self.take()

    def take(self) -> MatchPlan:
        """Take the first plan; there must be one."""
        plan = self._put_back.popleft() if self._put_back else next(self._untaken)
        self._left -= 1
        return plan

    def put_back(self, plan: MatchPlan) -> None:
        """Put a plan before all others."""
        self._put_back.appendleft(plan)
        self._left += 1

    def clear(self) -> None:
        """Leave no plan to begin."""
        self._put_back.clear()
        self._left = 0


@attrs.frozen(kw_only=True)
class Job:
    """Matches to play, with everything needed to play them.

    ``plans`` are to be asked for once: those of a long run are read from its journal meanwhile, and never all held.
    ``plain`` is the composed benchmark as plain data, from which a worker elsewhere builds the same games and agents;
    ``plugins`` are those it uses, so that a worker with other versions can be refused. ``cache`` is the directory of
    completions shared between runs. ``seed`` seeds the agents' random streams. ``reveal_agents`` says whether seats
    know the other agents' names, ``resample_hidden`` whether search agents may use ``seat.resample_hidden``.
    """

    plans: MatchPlans
    games: Mapping[str, Game]
    agents: Mapping[str, Agent]
    seed: int
    illegal_actions: IllegalActionPolicy = attrs.field(factory=IllegalActionPolicy)
    limits: Limits = Limits()
    reveal_agents: bool = False
    resample_hidden: bool = True
    plain: JSON = None
    plugins: Sequence[InstalledPlugin] = ()
    cache: Path | None = None


class Executor(ABC):
    """A way to play many matches: best a ``@attrs.frozen`` class whose fields are its parameters.

    ``waits_outside`` says that agents whom somebody outside plays can be asked: it plays in the process of the run, and
    gives the places of matches that wait to others.
    """

    waits_outside: ClassVar[bool] = False

    @abstractmethod
    def play(self, job: Job, context: RunContext) -> AsyncIterator[MatchRecord | EncodedMatch]:
        """Play all plans, in any order, and yield each match as it ends: its record, or what encodes it.

        A match that fails is yielded with ``Ending.FAILED`` or ``Ending.INFRASTRUCTURE_FAILURE``. ``StopRun`` ends the
        iteration; matches not yielded by then are unfinished and are played when the run is resumed.
        """

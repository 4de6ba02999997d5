"""What a run and a worker process tell each other about the player who lives there; each message is pickled."""

import builtins
import traceback
from collections.abc import Mapping
from random import Random
from types import ModuleType
from typing import Any, Final, NoReturn

import arena.errors
import attrs
from arena.agent import Agent
from arena.errors import ArenaError
from arena.game import Absent, Decision, Game, Query, Rejected
from arena.record import JSON, Action, GameEvent, Player

READY: Final = "ready"
"""What a worker says first, once it has started."""


@attrs.frozen(kw_only=True)
class Join:
    """Let an agent join a match; the fields are those of ``arena.agent.Seat``, and its random stream."""

    agent: Agent
    game: Game
    player: Player
    players: int
    name: str
    rules: str
    agents: tuple[str, ...] | None
    rng: Random


@attrs.frozen(kw_only=True)
class Act:
    """Ask the player to act: what a decision holds, save what the worker asks for when it is read."""

    phase: str
    actions: tuple[Action, ...] | None
    action_schema: JSON
    has_sampler: bool
    has_aliases: bool
    skip: Action | Absent
    queries: tuple[Query, ...]
    turn: int
    attempt: int
    news: tuple[GameEvent, ...]
    rejected: tuple[Rejected, ...]
    refusals: int
    refusals_left: int | None

    @classmethod
    def of(cls, decision: Decision, news: tuple[GameEvent, ...]) -> "Act":
        """Copy a decision that is open, with other news."""
        options = decision.options
        return cls(
            phase=decision.phase,
            actions=None if options is None else tuple(options.actions),
            action_schema=decision.action_schema,
            has_sampler=decision.sampler is not None,
            has_aliases=decision.aliases is not None,
            skip=decision.skip,
            queries=tuple(attrs.evolve(query, answer=_elsewhere) for query in decision.queries),
            turn=decision.turn,
            attempt=decision.attempt,
            news=news,
            rejected=decision.rejected,
            refusals=decision.refusals,
            refusals_left=decision.refusals_left,
        )


def _elsewhere(arguments: Any) -> NoReturn:
    raise NotImplementedError  # a worker puts a function in its place that asks the run


@attrs.frozen
class Close:
    """End the player's match; the worker is free for the next one."""


@attrs.frozen
class Asked:
    """A worker asks the run for something that only the match knows; it gets ``Done`` or ``Raised``."""

    what: str
    arguments: tuple[Any, ...]


@attrs.frozen
class Done:
    """What the other side returned when it was told or asked something."""

    value: Any = None


@attrs.frozen
class Raised:
    """An error that something raised, by its class and text, since few errors of plugins can be pickled."""

    name: str
    module: str
    bases: tuple[tuple[str, str], ...]
    text: str
    trace: str
    code: Any = None

    @classmethod
    def of(cls, error: BaseException) -> "Raised":
        """Describe an error that is being handled."""
        kind = type(error)
        code: Any = error.code if isinstance(error, SystemExit) else None
        return cls(
            name=kind.__name__,
            module=kind.__module__,
            bases=tuple((base.__module__, base.__name__) for base in kind.__mro__),
            text=str(error),
            trace="".join(traceback.format_exception(error)),
            code=code if isinstance(code, int | str | None) else str(code),
        )

    def error(self) -> BaseException:
        """An error with the same name and text, of the nearest class that Arena or Python knows."""

        def said(_: BaseException) -> str:
            return self.text

        known = (_KNOWN[place] for place in self.bases if place in _KNOWN)
        for base in (*known, Exception):
            try:
                error = type(self.name, (base,), {"__module__": self.module, "__str__": said})(self.text)
            except TypeError:  # its constructor asks for more than a text
                continue
            if isinstance(error, SystemExit):
                error.code = self.code
            error.__cause__ = WorkerTraceback(self.trace)
            return error
        raise AssertionError(self)


class WorkerLost(ArenaError):
    """A worker process was ended from outside, by the system or by a person: no fault of the agent."""


class WorkerTraceback(Exception):
    """The traceback of an error in a worker process, as text; the error's cause."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _errors(module: ModuleType) -> Mapping[tuple[str, str], type[BaseException]]:
    values: list[Any] = list(vars(module).values())
    kinds = [value for value in values if isinstance(value, type) and issubclass(value, Exception | SystemExit)]
    return {(kind.__module__, kind.__name__): kind for kind in kinds}


_KNOWN: Final = {**_errors(builtins), **_errors(arena.errors)}

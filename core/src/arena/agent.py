"""The contract of an agent: configuration that joins a match and then chooses actions.

An ``Agent`` is an immutable value; ``join`` makes a ``PlayerAgent`` for one player of one match, which holds
whatever is remembered during the match and is thrown away after it. Nothing is shared between players.

Everything that comes from outside goes through the seat, because a resumed match is replayed: completions through
``seat.completions``, anything else (a person, an engine with a clock) through ``seat.once``, randomness from
``seat.rng``. An agent that keeps to this does the same again when it is replayed.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Protocol, TypeAlias

import attrs

from arena.backend import Backend, Completion, CompletionRequest
from arena.game import Decision, Game, Illegal, State
from arena.record import JSON, Action, Player, RefusalKind


class Completions(Protocol):
    """Completions that are written down before the agent sees them, and never asked twice.

    Calls of one branch come one after another and are numbered; an agent that wants several at once takes one
    branch for each. A second call in flight on one branch raises ``RuleError``.
    """

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Ask ``backend``; ``BackendError`` only after all retries are spent. Let that one pass."""
        ...

    def branch(self, name: str) -> "Completions":
        """Completions numbered on their own under ``name``."""
        ...


@attrs.frozen(kw_only=True)
class Reply:
    """The action an agent means to play.

    ``reasoning`` is what it says about it and ``note`` any JSON it wants in the record; both are for the record
    alone, no other player sees them.
    """

    action: Action
    reasoning: str = ""
    note: JSON = None


@attrs.frozen(kw_only=True)
class Refusal:
    """The agent has no action: its model said nothing, was cut off, or cannot be understood.

    Never guess instead. ``reason`` is shown to the agent on its next try, ``text`` is what was said.
    """

    kind: RefusalKind
    reason: str
    text: str = ""
    reasoning: str = ""


Turn: TypeAlias = Reply | Refusal


@attrs.define(eq=False, kw_only=True)
class Seat:
    """A player's place in one match and its only door to the outside.

    ``name`` is the seat's name in the game, ``agents`` the names of all agents by player where the benchmark tells
    them (``None`` otherwise). ``rng`` is the player's own stream.

    ``imagine(number)`` gives a state that the player cannot tell from the real one, hidden parts and luck to come
    drawn anew for each number, to think on; ``None`` where the benchmark does not allow it or the game cannot do it.
    A plugin that can do nothing without it says so with the capability ``imagines``.
    """

    player: Player
    players: int
    name: str
    game: Game
    rules: str
    agents: tuple[str, ...] | None = None
    completions: Completions
    query: Callable[[str, JSON], Awaitable["JSON | Illegal"]] = attrs.field(repr=False)
    once: Callable[[str, Callable[[], JSON]], Awaitable[JSON]] = attrs.field(repr=False)
    imagine: Callable[[int], State | None] = attrs.field(repr=False)
    make_rng: Callable[[], Random] = attrs.field(repr=False)
    _rng: Random | None = attrs.field(default=None, init=False, repr=False)

    @property
    def rng(self) -> Random:
        """The player's own random stream; two players never share one."""
        if self._rng is None:
            self._rng = self.make_rng()
        return self._rng


class PlayerAgent(ABC):
    """One player of one match."""

    @abstractmethod
    def act(self, decision: Decision) -> Turn | Awaitable[Turn]:
        """Choose. Usually ``async def``; a plain ``def`` is for slow engines and runs in a thread.

        Called again with the reasons in ``decision.rejected`` when the action was refused. ``BackendError`` passes
        through; every other exception is a bug and ends this match as failed.
        """

    def left(self) -> None:  # noqa: B027 -- most agents have nothing to let go of
        """The match is over; let go of what was held."""


class Agent(ABC):
    """Configuration of an agent: best a ``@attrs.frozen`` class whose fields are its parameters.

    A field annotated ``Backend`` is written ``{use: NAME, …}`` in a benchmark file.
    """

    @abstractmethod
    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down as one player of one match."""

    def backends(self) -> Mapping[str, Backend]:
        """The backends this agent asks, by the name of their field."""
        fields = attrs.fields(type(self)) if attrs.has(type(self)) else ()
        values = {f.name: getattr(self, f.name) for f in fields}
        return {name: value for name, value in values.items() if isinstance(value, Backend)}

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """What its backends must be able to do to play ``game``, by field: checked before anything is played.

        ``ConfigError`` where it cannot play ``game`` at all, saying why.
        """
        return {}

    def forms(self) -> frozenset[str]:
        """The forms of observation this agent asks of a game, checked before anything is played."""
        return frozenset()

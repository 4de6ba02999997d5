"""The contract of an agent: configuration that joins a match and then chooses actions.

An ``Agent`` is an immutable value; ``join`` creates a ``PlayerAgent`` for one player of one match, which holds all
memory of the match and is discarded after it. Nothing is shared between players.

Everything from outside comes through the seat, because a resumed match is replayed: completions through
``seat.completions``, anything else (a person, an engine with a clock) through ``seat.once``, randomness from
``seat.rng``. An agent that follows this rule acts the same when it is replayed.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from random import Random
from typing import ClassVar, Final, Literal, Protocol, TypeAlias

import attrs

from arena.backend import Backend, Completion, CompletionRequest
from arena.errors import RuleError
from arena.game import Decision, Game, Illegal, State
from arena.record import JSON, Action, Player


class Completions(Protocol):
    """Completions that are journaled before the agent sees them, so a resumed run never asks twice.

    The calls of one branch are numbered in order; an agent that wants several at once uses one branch for each. A
    second call in flight on the same branch raises ``RuleError``.
    """

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Ask ``backend``; raises ``BackendError`` after the last retry, which the agent must not catch."""
        ...

    def branch(self, name: str) -> "Completions":
        """Return completions that are numbered separately, under ``name``."""
        ...


@attrs.frozen(kw_only=True)
class Reply:
    """The action that an agent chose.

    ``reasoning`` is what it says about it, and ``note`` any JSON it wants in the record; no other player sees them.
    """

    action: Action
    reasoning: str = ""
    note: JSON = None


class RefusalKind(StrEnum):
    """The reasons why an answer was not played."""

    EMPTY = "empty"
    """The model said nothing."""
    TRUNCATED = "truncated"
    """The model was cut off by its token limit before the answer was complete."""
    DECLINED = "declined"
    """The model refused to answer, as far as its server says so."""
    UNREADABLE = "unreadable"
    """No structured answer could be found."""
    AMBIGUOUS = "ambiguous"
    """The answer can be read in two ways."""
    ILLEGAL = "illegal"
    """The answer is clear and the rules forbid it."""
    TOO_LONG = "too-long"
    """The prompt was longer than the model accepts."""
    LATE = "late"
    """The turn's time was over."""


@attrs.frozen(kw_only=True)
class Refusal:
    """An agent's answer without an action, returned rather than guess: it was empty, cut off, declined or unreadable.

    ``reason`` is shown to it on its next try, ``text`` is what was said. ``reasoning`` and ``note``: as in ``Reply``.
    """

    kind: RefusalKind
    reason: str
    text: str = ""
    reasoning: str = ""
    note: JSON = None


Response: TypeAlias = Reply | Refusal

LAST_OF_SEVERAL: Final = "last-of-several"
"""What ``answer`` in a reply's note says of an action that was the last of several different answers."""


class LookUp(Protocol):
    """Asks the game one of the decision's queries; ``reasoning`` and ``note`` are recorded, as in ``Reply``."""

    def __call__(
        self, name: str, arguments: JSON, *, reasoning: str = "", note: JSON = None
    ) -> Awaitable[JSON | Illegal]:
        """The answer to the query, or why there is none."""
        ...


@attrs.define(eq=False, kw_only=True)
class Seat:
    """One player's seat in one match: what it knows from the start, and all it may use of the outside world.

    ``name`` is the seat's name in the game; ``agents`` are the names of all agents by player, or ``None`` unless the
    benchmark reveals them. ``query`` looks up; ``once`` calls a function, plain or async, and journals its result.

    ``resample_hidden(number)`` returns a state that the player cannot tell from the real one, with hidden parts and
    future chance drawn anew for each number; ``None`` if the benchmark forbids it or the game cannot do it. A plugin
    that needs it has the capability ``resample-hidden``.
    """

    player: Player
    players: int
    name: str
    game: Game
    rules: str
    agents: tuple[str, ...] | None = None
    completions: Completions
    query: LookUp = attrs.field(repr=False)
    once: Callable[[str, Callable[[], JSON | Awaitable[JSON]]], Awaitable[JSON]] = attrs.field(repr=False)
    resample_hidden: Callable[[int], State | None] = attrs.field(repr=False)
    make_rng: Callable[[], Random] = attrs.field(repr=False)
    _rng: Random | None = attrs.field(default=None, init=False, repr=False)

    @property
    def rng(self) -> Random:
        """The player's own random stream; two players never share one."""
        if self._rng is None:
            self._rng = self.make_rng()
        return self._rng


@attrs.frozen(kw_only=True)
class Outside:
    """How a run waits for somebody outside who plays for an agent: a person, or a program.

    Once nothing else is left to be played and nobody watches, a run ends without the matches that wait, and resuming it
    waits again. ``absent`` says what happens otherwise when nobody answers: ``"wait"`` for ever, ``"leave"`` after
    ``absent_s`` seconds, watched or not, which is a forfeit, or ``"pause"``: from then on it counts as if nobody
    watched. The agent takes part in ``at_once`` matches at the same time.
    """

    absent: Literal["wait", "leave", "pause"] = "wait"
    absent_s: float = 86_400.0
    at_once: int = 1


class PlayerAgent(ABC):
    """An agent as one player of one match, with its memory of that match."""

    is_quick: ClassVar[bool] = False
    """Whether a plain ``act`` takes less than a millisecond, so that it is called without a thread."""

    @abstractmethod
    def act(self, decision: Decision) -> Response | Awaitable[Response]:
        """Choose an action. Usually ``async def``; a plain ``def`` runs in a thread, unless it ``is_quick``.

        A plain ``def`` may return an awaitable. Called again if the action was refused, with the reasons in
        ``decision.rejected``. ``BackendError`` passes through; other exceptions are bugs and end this match as failed.
        """

    async def receive(self, message: JSON) -> JSON:
        """Answer a message that somebody outside sends to this player of a match; most agents take none.

        What is sent is not recorded: an agent records what it plays by, with ``seat.once``.
        """
        raise RuleError(f"{type(self).__name__} takes no messages; send them to an agent that somebody outside plays")

    def close(self) -> Awaitable[None] | None:  # noqa: B027 -- most agents hold nothing that must be released
        """Release resources; called once when the match ends, however it ends. May be ``async``.

        The record of the match exists by then. An error becomes a warning of the run and changes no result.
        """


class Agent(ABC):
    """Configuration of an agent: best a ``@attrs.frozen`` class whose fields are its parameters.

    A field annotated ``Backend`` is written ``{use: NAME, …}`` in a benchmark file. A class whose players compute for a
    long time and ask no models sets ``plays_in_own_process``: each lives in a worker process, which ends if it is late.
    """

    plays_in_own_process: ClassVar[bool] = False

    @abstractmethod
    def join(self, seat: Seat) -> PlayerAgent:
        """Create the player that will act in one match."""

    @property
    def outside(self) -> Outside | None:
        """How its players are waited for, where somebody outside chooses their actions; ``None`` for all others.

        Such an agent is asked in the event loop, and waits in ``seat.once`` and nowhere else: a match that waits there
        takes none of the places of ``limits.concurrency``.
        """
        return None

    def backends(self) -> Mapping[str, Backend]:
        """The backends this agent uses, by the name of the field that holds them."""
        names = attrs.fields_dict(type(self)) if attrs.has(type(self)) else ()
        return {name: value for name in names if isinstance(value := getattr(self, name), Backend)}

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """The capabilities its backends need to play ``game``, by field; checked before anything is played.

        ``ConfigError`` says why if the agent cannot play ``game`` at all.
        """
        return {}

    def forms(self) -> frozenset[str]:
        """The forms of observation this agent needs from a game; checked before anything is played."""
        return frozenset()

    def prompt_version(self) -> str:
        """A short text that changes with the texts of its prompts; empty for an agent that asks no model."""
        return ""

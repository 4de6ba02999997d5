"""The messages between driver and worker: values that travel as bytes, in batches, in order."""

import os
import pickle
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, Literal, Self, TypeAlias

import attrs
from arena.backend import Backend, Completion, CompletionRequest, Secret
from arena.errors import ArenaError, ConfigError, RuleError
from arena.game import Decision, Form, Illegal, Options, PlayerView, Rejected
from arena.record import JSON, Action, Event, GameEvent, MatchPlan, Player, canonical_json

from arena_engine.foundation.run_log import RunLog
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Job
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call
from arena_engine.models.keys import SentKey, sent_keys
from arena_engine.models.throttle import TokenEstimate


@attrs.frozen
class _Shown:
    """Takes the place of the match's state: it holds what the player saw, and knows no rules."""

    observation: JSON

    def observe(self, player: Player | None) -> JSON:
        return self.observation

    def check(self, player: Player, action: Action) -> Illegal | None:
        raise RuleError("the match is played in another process; actions are checked there")


@attrs.frozen(kw_only=True)
class RemoteDecision:
    """A decision as the player saw it, without its queries, its sampler and the game's state."""

    observation: JSON
    player: Player
    phase: str
    actions: Sequence[Action] | None
    labels: Mapping[str, str]
    schema: JSON
    skip: Any
    turn: int
    attempt: int
    news: tuple[GameEvent, ...]
    rejected: tuple[Rejected, ...]

    @classmethod
    def of(cls, decision: Decision) -> "RemoteDecision":
        """Copy a decision that is still open."""
        options = decision.options
        return cls(
            observation=decision.observation,
            player=decision.player,
            phase=decision.phase,
            actions=None if options is None else tuple(options.actions),
            labels={canonical_json(option.action): option.label for option in options or ()},
            schema=decision.action_schema,
            skip=decision.skip,
            turn=decision.turn,
            attempt=decision.attempt,
            news=decision.news,
            rejected=decision.rejected,
        )

    def decision(self, forms: Mapping[str, Form]) -> Decision:
        """Rebuild the decision, without queries; sampling works only if it lists its options."""
        options = None
        if self.actions is not None:
            options = Options(self.actions, lambda action: self.labels[canonical_json(action)])
        decision = Decision(
            player=self.player, phase=self.phase, options=options, action_schema=self.schema, skip=self.skip
        )
        return decision.asked(
            PlayerView(_Shown(self.observation), self.player),
            forms=forms,
            turn=self.turn,
            attempt=self.attempt,
            news=self.news,
            rejected=self.rejected,
        )


Method: TypeAlias = Literal["leave", "receive", "unfinished_step"]
"""What the driver may call of a match that a worker plays; see ``MatchInPlay``."""


@attrs.frozen
class WorkerSetup:
    """What a worker needs to build the benchmark and play.

    ``plain`` is the benchmark, ``active_hooks`` are the hooks that an observer on the driver listens to. Relative paths
    are resolved against ``directory``. ``secrets`` are values by the names of their environment variables; they are
    never shown. ``kept`` are those of a ``.env``, and ``keys`` may be sent, since the driver has checked them.
    ``at_once`` is how many matches a worker plays at once; more that it is given wait there.
    With ``asks_driver``, models that would be held in each worker are held by the driver, once for all of them.
    ``log_level`` is the least of events that the driver's log takes.
    """

    plain: Mapping[str, JSON]
    active_hooks: frozenset[str]
    directory: str
    secrets: Mapping[str, str] = attrs.field(repr=False)
    kept: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    keys: tuple[SentKey, ...] = ()
    at_once: int = 1
    asks_driver: bool = False
    log_level: int = RunLog().level

    @classmethod
    def of(cls, job: Job, context: RunContext, at_once: int, *, asks_driver: bool = False) -> Self:
        """What the workers of a job need; ``ConfigError`` if it does not hold the plain data of its benchmark."""
        if not isinstance(job.plain, Mapping):
            raise ConfigError("executor: workers build the benchmark from its plain data, which this job does not hold")
        backends = [backend for agent in job.agents.values() for backend in agent.backends().values()]
        variables = {secret.variable for backend in backends for secret in backend.secrets()}
        return cls(
            plain=dict(job.plain),
            active_hooks=context.active_hooks,
            directory=os.getcwd(),
            secrets={name: os.environ[name] for name in variables if name in os.environ},
            kept={name: Secret.kept[name] for name in variables if name in Secret.kept},
            keys=tuple(key for backend in backends for key in sent_keys(backend)),
            at_once=at_once,
            asks_driver=asks_driver,
            log_level=context.log.level,
        )


@attrs.frozen
class PlayMatches:
    """To a worker: play these matches in this order; the answers from an earlier attempt are ``known``, by match."""

    plans: tuple[MatchPlan, ...]
    known: Mapping[str, Mapping[str, JournalEntry]]

    def __reduce__(self) -> tuple[Any, ...]:
        # A plan travels as the tuple of its values; attrs would pickle names, too, which takes four times as long.
        return _play_matches, (tuple(map(_values, self.plans)), self.known)


@attrs.frozen
class LeaseGranted:
    """To a worker: the request with this ``number`` is granted, or refused with ``error``.

    A request to a model that the driver holds is granted with its ``completion``.
    """

    number: int
    error: ArenaError | None = None
    completion: Completion | None = None


@attrs.frozen
class Stop:
    """To a worker: start no more requests; see ``RunContext.stop``."""

    reason: str
    within_s: float | None = None


@attrs.frozen
class Pause:
    """To a worker: ask nothing new."""


@attrs.frozen
class Proceed:
    """To a worker: go on after a pause."""


@attrs.frozen
class Cancel:
    """To a worker: end this match for good, whether it has begun there or not."""

    match: str


@attrs.frozen
class Ask:
    """To a worker: call the ``method`` of this match in progress, and send an ``Answered`` of the same number."""

    number: int
    match: str
    method: Method
    arguments: tuple[Any, ...] = ()


@attrs.frozen
class Answered:
    """From a worker: what the method gave that was asked for, or why it gave nothing."""

    number: int
    value: Any = None
    error: ArenaError | None = None


@attrs.frozen
class Keep:
    """From a worker: record this answer in the journal."""

    number: int
    answer: JournalEntry


@attrs.frozen
class Admit:
    """From a worker: may one more completion be requested? ``backend`` is sent only the first time its ``key`` is."""

    number: int
    key: str
    backend: Backend | None
    call: Call


@attrs.frozen
class Released:
    """From a worker: a completion that was admitted has no answer; see ``RunContext.release``."""

    call: Call
    is_paid: bool


@attrs.frozen
class Lease:
    """From a worker: may one more request be sent? ``backend`` is sent only the first time its ``key`` is."""

    number: int
    key: str
    backend: Backend | None
    weight: TokenEstimate
    call: Call
    is_retry: bool


@attrs.frozen
class Return:
    """From a worker: the request leased as ``number`` is over or not wanted any more; see ``Throttle.release``."""

    number: int
    was_overloaded: bool | None = None
    tokens: int | None = None
    is_paid: bool | None = True


@attrs.frozen
class Trip:
    """From a worker: this backend has failed for good and must get no more requests."""

    key: str
    why: str


@attrs.frozen
class Connect:
    """From a worker: load this model in the driver; answered by a ``LeaseGranted``."""

    number: int
    key: str
    backend: Backend | None


@attrs.frozen
class Complete:
    """From a worker: ask a model that the driver holds; answered by a ``LeaseGranted``."""

    number: int
    key: str
    request: CompletionRequest
    call: Call


@attrs.frozen
class Withdraw:
    """From a worker: nobody waits any more for what was asked with this number."""

    number: int


@attrs.frozen
class HookCalled:
    """From a worker: call this hook of the driver's observers."""

    hook: str
    arguments: Mapping[str, Any]


@attrs.frozen
class Progressed:
    """From a worker: what has happened in a match that is still being played; see ``RunContext.progress``."""

    match: str
    step: int
    events: tuple[Event, ...]
    is_first: bool


@attrs.frozen
class Warned:
    """From a worker: a warning for the user; no result changes."""

    text: str


@attrs.frozen
class Logged:
    """From a worker: an event for the driver's log, with the fields that are bound on the worker."""

    level: int
    event: str
    fields: Mapping[str, JSON]


@attrs.frozen
class Finished:
    """From a worker: these matches have ended."""

    matches: tuple[EncodedMatch, ...]


@attrs.frozen
class MatchAbandoned:
    """From a worker: this match was left unfinished, because of ``error``."""

    match: str
    error: ArenaError


_PLAN_FIELDS: Final = tuple(field.name for field in attrs.fields(MatchPlan))
_values = attrgetter(*_PLAN_FIELDS)


def _play_matches(plans: Iterable[tuple[Any, ...]], known: Mapping[str, Mapping[str, JournalEntry]]) -> PlayMatches:
    return PlayMatches(tuple(MatchPlan(**dict(zip(_PLAN_FIELDS, each, strict=True))) for each in plans), known)


ToWorker: TypeAlias = PlayMatches | LeaseGranted | Stop | Pause | Proceed | Cancel | Ask
ToDriver: TypeAlias = (
    Keep
    | Admit
    | Released
    | Lease
    | Return
    | Trip
    | Connect
    | Complete
    | Withdraw
    | HookCalled
    | Progressed
    | Warned
    | Logged
    | Answered
    | Finished
    | MatchAbandoned
)


def packed(message: ToDriver) -> bytes | None:
    """The message as bytes, or ``None`` for a hook call that cannot be pickled."""
    try:
        return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    except Exception:
        if isinstance(message, HookCalled):
            return None
        raise


def unpacked(message: bytes) -> ToDriver:
    """Turn the bytes that ``packed`` made back into the message."""
    return pickle.loads(message)

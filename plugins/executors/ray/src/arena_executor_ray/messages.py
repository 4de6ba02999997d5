"""What driver and worker say to each other: values that travel as bytes, in batches, in order."""

import pickle
from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs
from arena.backend import Backend
from arena.errors import ArenaError
from arena.executor import Answer
from arena.quota import Weight
from arena.record import JSON, Ending, Failure, MatchPlan, MatchRecord


@attrs.frozen
class Orders:
    """How a worker is to play.

    ``plain`` is the benchmark, ``heard`` are the hooks that somebody on the driver hears. Relative paths belong to
    ``directory``. ``secrets`` are values by the names of their environment variables; they are shown nowhere.
    """

    plain: Mapping[str, JSON]
    heard: frozenset[str]
    directory: str
    secrets: Mapping[str, str] = attrs.field(repr=False)


@attrs.frozen
class Play:
    """To a worker: play this match, whose earlier answers are ``known``."""

    plan: MatchPlan
    known: Mapping[str, Answer]


@attrs.frozen
class Granted:
    """To a worker: what it asked for under ``number`` is done, or why it is not."""

    number: int
    error: ArenaError | None = None


@attrs.frozen
class Stop:
    """To a worker: ask nothing more."""

    reason: str


@attrs.frozen
class Keep:
    """From a worker: make this answer durable."""

    number: int
    answer: Answer


@attrs.frozen
class Admit:
    """From a worker: may one more completion be asked? ``backend`` is there the first time its ``key`` is."""

    number: int
    key: str
    backend: Backend | None


@attrs.frozen
class Lease:
    """From a worker: may one more request be sent? ``backend`` is there the first time its ``key`` is."""

    number: int
    key: str
    backend: Backend | None
    weight: Weight
    is_again: bool


@attrs.frozen
class Return:
    """From a worker: the request leased under ``number`` is over, or not wanted any more; as for ``Lanes.leave``."""

    number: int
    is_overload: bool | None = None
    tokens: int | None = None


@attrs.frozen
class Shut:
    """From a worker: no request to this backend will be answered."""

    key: str
    why: str


@attrs.frozen
class Happened:
    """From a worker: a hook's moment."""

    hook: str
    arguments: Mapping[str, Any]


@attrs.frozen
class Finished:
    """From a worker: a match is over."""

    record: MatchRecord


@attrs.frozen
class Left:
    """From a worker: a match was left unfinished, and why."""

    match: str
    error: ArenaError


ToWorker: TypeAlias = Play | Granted | Stop
ToDriver: TypeAlias = Keep | Admit | Lease | Return | Shut | Happened | Finished | Left


def packed(message: ToDriver) -> bytes | None:
    """The message as bytes.

    A record that cannot travel becomes a failed one, since the journal could not take it either; a hook's moment that
    cannot is ``None``.
    """
    try:
        return pickle.dumps(message)
    except Exception as error:
        if isinstance(message, Finished):
            failure = Failure(f"something that is no JSON was to be recorded: {error}")
            plan = message.record.plan
            record = MatchRecord(plan=plan, seats=(), ending=Ending.FAILED, returns=None, failure=failure)
            return pickle.dumps(Finished(record))
        if isinstance(message, Happened):
            return None
        raise


def unpacked(message: bytes) -> ToDriver:
    """Undo ``packed``."""
    return pickle.loads(message)

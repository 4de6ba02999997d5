"""Tells what happens in a run as events in the past tense, to whoever listens; by default nobody does.

The events are the methods of ``RunLog``. They carry names, numbers and places, and no text that a model, a server or a
plugin has written: such a text may repeat a prompt, an answer or a key. The journal has the texts.
"""

import functools
import traceback
from collections.abc import Callable, Iterator, Mapping
from logging import DEBUG, ERROR, INFO, WARNING
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar, cast

from arena.backend import Backend
from arena.errors import ArenaError
from arena.record import JSON

F = TypeVar("F", bound=Callable[..., None])

Sink: TypeAlias = Callable[[int, str, Mapping[str, JSON]], None]
"""Takes each event: its level as in ``logging``, its name and its fields. Called in any thread; never raises."""


class EventLogger(Protocol):
    """What takes events as structlog's loggers do: by the level that ``logging`` gives it, its name and its fields."""

    def log(self, level: int, event: str, **fields: Any) -> Any:
        """Take one event; called in any thread."""


BOUND: Final[Mapping[str, str]] = {
    "run": "the id of the run, which its journal has too",
    "match": "the id of the match",
    "player": "the number of the player in the match, from 0",
    "agent": "the agent's name in the benchmark",
    "backend": "the class of the backend, and its model if it has one",
    "scope": "the place of a call in its match, as the journal names it",
}
"""What the fields say that an event has where it happens inside such a thing."""

FIELDS: Final[Mapping[str, str]] = {
    "answered": "how many requests of a batch have an answer, or an error of their own",
    "batch": "the provider's id of a batch",
    "requests": "how many requests a batch has",
    "answers": "how many answers of an earlier attempt are recorded",
    "attempt": "the number of the try, from 1",
    "attempts": "how many tries were made",
    "calls": "how many calls to models were made, earlier attempts included",
    "cap": "the key of the benchmark that sets the cap",
    "completion_tokens": "tokens written, as they are counted for caps",
    "cost_usd": "US dollars, if they are known",
    "counted": "who counted the tokens: `provider`, `larger` of two counts of its own, or `estimated` from above",
    "directory": "the directory of the run",
    "done": "how many matches have a result already",
    "ending": "how the match ended, as its record says",
    "error": "the class of the error, with `place` and `stack` if it is no error of Arena's own",
    "failed": "how many matches have no result",
    "finish_reason": "why the model stopped writing",
    "finished": "how many matches have a result",
    "first_token_s": "seconds from sending the request to the first token, if the answer was streamed",
    "hook": "the hook that was called",
    "is_stopped": "whether the run ended early",
    "kind": "the kind of refusal",
    "limit": "how many requests may be in flight now",
    "limit_s": "the seconds allowed",
    "matches": "how many matches there are",
    "metric": "the metric's name in the benchmark",
    "name": "the name of the benchmark",
    "observer": "the observer's name in the benchmark",
    "place": "the file and line in which the error arose",
    "prompt_tokens": "tokens sent, as they are counted for caps",
    "reason": "the sentence that the command prints about it",
    "running": "how many abandoned turns of this agent are still running",
    "seconds": "how long it took, waits included",
    "source": "where the answer came from: `backend` or `cache`",
    "stack": "the functions in which the error arose, the innermost one last",
    "steps": "how many steps were played",
    "turn": "the number of the turn, from 1",
    "wait_s": "seconds until the next try",
    "waited_s": "seconds that the call waited for limits, caps and a connection",
    "worker": "the number of the worker, from 1",
}
"""What the other fields say."""


def _event(level: int) -> Callable[[F], F]:
    """Make a method tell the event that is called like it, with its arguments as fields."""

    def made(described: F) -> F:
        name = described.__name__

        @functools.wraps(described)
        def told(self: "RunLog", **fields: Any) -> None:
            if level >= self.level:
                self.tell(level, name, fields)

        vars(told)["level"] = level
        return cast("F", told)

    return made


class RunLog:
    """The log of a run: each public method that is named in the past tense tells one event.

    ``sink`` takes the events of ``level`` and above. Without one the log is silent, and telling it something costs a
    call. What the events and their fields mean is on the page *Events of a run*.
    """

    def __init__(self, sink: Sink | None = None, level: int = DEBUG, bound: Mapping[str, JSON] | None = None) -> None:
        self.level = ERROR + 1 if sink is None else level
        self._sink = sink
        self._bound = bound or {}

    @classmethod
    def over(cls, logger: "EventLogger | RunLog | None") -> "RunLog":
        """The log that tells all events to a logger, such as one of structlog's; silent without one."""
        if isinstance(logger, RunLog):
            return logger
        return SILENT if logger is None else cls(lambda level, event, fields: logger.log(level, event, **fields))

    def bind(self, **fields: Any) -> "RunLog":
        """The same log, whose events have these fields too."""
        if self._sink is None:
            return self
        return RunLog(self._sink, self.level, {**self._bound, **_plain(fields)})

    def cleaned(self, clean: Callable[[Any], Any]) -> "RunLog":
        """The same log, with every event's fields passed through ``clean``."""
        if (sink := self._sink) is None:
            return self
        return RunLog(lambda level, name, fields: sink(level, name, clean(fields)), self.level, self._bound)

    def tell(self, level: int, name: str, fields: Mapping[str, Any]) -> None:
        """Tell an event by its name; events that another process has sent are told so."""
        if self._sink is not None:
            self._sink(level, name, {**self._bound, **_plain(fields)})

    @_event(INFO)
    def run_started(self, *, name: str, directory: object, matches: int) -> None:
        """A new run has begun to play."""

    @_event(INFO)
    def run_resumed(self, *, name: str, directory: object, matches: int, done: int, attempt: int) -> None:
        """A run that was played before goes on, or was extended."""

    @_event(INFO)
    def run_finished(self, *, finished: int, failed: int, calls: int, is_stopped: bool, seconds: float) -> None:
        """Everything is played and judged, or the run has stopped early; its journal is written."""

    @_event(WARNING)
    def run_stopped(self, *, reason: str) -> None:
        """A signal, a cap or an observer asked the run to end; what is in flight may still be answered."""

    @_event(ERROR)
    def run_failed(self, *, error: BaseException) -> None:
        """An error ended the run, such as a journal that takes no more."""

    @_event(WARNING)
    def run_held_up(self, *, reason: str) -> None:
        """A plugin has blocked all matches, or goes on although the run is to end."""

    @_event(WARNING)
    def cap_reached(self, *, cap: str) -> None:
        """A call does not fit into what is left of a cap, so the run ends."""

    @_event(DEBUG)
    def match_started(self) -> None:
        """A match has begun."""

    @_event(INFO)
    def match_resumed(self, *, answers: int) -> None:
        """A match was begun by an earlier attempt and is played again with its recorded answers."""

    @_event(INFO)
    def match_finished(self, *, ending: str, steps: int, seconds: float) -> None:
        """A match has a result."""

    @_event(ERROR)
    def match_failed(self, *, ending: str, error: BaseException) -> None:
        """A match ended without a result, by the fault of a plugin or a server."""

    @_event(INFO)
    def match_left(self, *, error: BaseException) -> None:
        """A match was left unfinished because the run ends; it is played when the run is resumed."""

    @_event(INFO)
    def action_refused(self, *, kind: str, turn: int, attempt: int) -> None:
        """An answer could not be played."""

    @_event(INFO)
    def player_left(self, *, turn: int) -> None:
        """A player has got up and left its match."""

    @_event(WARNING)
    def turn_timed_out(self, *, turn: int, attempt: int, limit_s: float | None) -> None:
        """The time for a try was over before its answer came."""

    @_event(WARNING)
    def turn_abandoned(self, *, running: int) -> None:
        """Nobody waits any more for a function of an agent that still runs in its thread."""

    @_event(INFO)
    def abandoned_turn_ended(self, *, running: int) -> None:
        """A function that was abandoned has come back after all."""

    @_event(WARNING)
    def close_failed(self, *, error: BaseException) -> None:
        """An agent could not be closed at the end of its match."""

    @_event(DEBUG)
    def call_sent(self, *, attempt: int, waited_s: float) -> None:
        """A request was sent to a backend."""

    @_event(DEBUG)
    def call_answered(
        self,
        *,
        source: str,
        finish_reason: str,
        prompt_tokens: int,
        completion_tokens: int,
        cost_usd: float | None,
        counted: str,
        seconds: float,
        first_token_s: float | None,
    ) -> None:
        """A completion is in the journal, and its agent gets it."""

    @_event(INFO)
    def batch_sent(self, *, batch: str, requests: int) -> None:
        """A batch of requests was sent to a provider, whose id of it is in the journal."""

    @_event(INFO)
    def batch_ended(self, *, batch: str, requests: int, answered: int) -> None:
        """A batch has ended at the provider, with answers or errors to so many of its requests."""

    @_event(DEBUG)
    def call_replayed(self) -> None:
        """A completion was recorded by an earlier attempt; nobody was asked."""

    @_event(WARNING)
    def call_retried(self, *, error: BaseException, attempt: int, wait_s: float) -> None:
        """A request failed in a way that may pass, and is sent again after a wait."""

    @_event(ERROR)
    def call_failed(self, *, error: BaseException, attempts: int) -> None:
        """A request failed and is not sent again."""

    @_event(WARNING)
    def call_cancelled(self) -> None:
        """Nobody waits any more for a call: the time of its turn was over, or the run ends."""

    @_event(WARNING)
    def usage_estimated(self) -> None:
        """An answer came with no count of tokens that can be true, so they are estimated from above."""

    @_event(DEBUG)
    def connection_opened(self, *, seconds: float) -> None:
        """A backend was connected: its model is loaded, or its server answers."""

    @_event(ERROR)
    def connection_failed(self, *, error: BaseException) -> None:
        """A backend could not be connected."""

    @_event(ERROR)
    def backend_given_up(self, *, error: BaseException) -> None:
        """A backend fails every request, so none is sent to it any more."""

    @_event(INFO)
    def concurrency_changed(self, *, limit: int) -> None:
        """The number of requests that a backend may have in flight was lowered by overloads, or raised again."""

    @_event(ERROR)
    def observer_failed(self, *, observer: str, hook: str, error: BaseException) -> None:
        """An observer raised and was switched off."""

    @_event(ERROR)
    def metric_failed(self, *, metric: str, error: BaseException) -> None:
        """A metric raised when it measured or judged a match."""

    @_event(INFO)
    def worker_started(self, *, worker: int) -> None:
        """A process that plays matches for this run is ready."""

    @_event(WARNING)
    def worker_lost(self, *, worker: int, matches: int, error: BaseException) -> None:
        """A process that plays matches ended; its matches are played elsewhere."""


SILENT: Final = RunLog()
"""The log that nobody listens to."""


def backend_name(backend: Backend) -> str:
    """A backend as the log names it: its class, and its model if it has one."""
    model = getattr(backend, "model", None)
    return f"{type(backend).__name__} {model}" if isinstance(model, str) else type(backend).__name__


def _plain(fields: Mapping[str, Any]) -> dict[str, JSON]:
    return {name: value for key, given in fields.items() for name, value in _values(key, given)}


def _values(key: str, value: Any) -> Iterator[tuple[str, JSON]]:
    if isinstance(value, BaseException):
        yield from _fault(value)
    elif isinstance(value, float):
        yield key, round(value, 6)
    elif isinstance(value, int | list) or type(value) is str:
        yield key, cast("JSON", value)
    elif value is not None:
        yield key, str(value)


def _fault(error: BaseException) -> Iterator[tuple[str, JSON]]:
    """What the log says of an error: the class of its first cause, and where that arose; never its text."""
    while error.__cause__ is not None:
        error = error.__cause__
    yield "error", type(error).__name__
    if isinstance(error, ArenaError):
        return
    frames = traceback.extract_tb(error.__traceback__)
    stack = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    if stack:
        yield "place", stack[-1].partition(" ")[0]
        yield "stack", cast("JSON", stack)

"""The exceptions that Arena raises on purpose, as one tree.

::

    ArenaError
    ├── PluginError              a plugin that was asked for cannot be used
    ├── ConfigError              a benchmark, option or parameter does not fit; carries every mistake
    ├── RuleError                a game was used against its contract (a bug of the caller)
    │   └── StaleDecision        a decision was read after its step had been applied
    ├── SolverError              a solver gave up: the game or the position is too much for it
    ├── BackendError             a model could not be reached, or answered with an error
    │   ├── TransientBackendError    asking again may help, after retry_after_s where the provider said so
    │   │   ├── BackendOverloaded    … and so may asking less at once: a rate limit
    │   │   │   └── BackendTimedOut      … or a time-out, after which the request may have been paid for
    │   │   └── BackendUnreachable   … and if no attempt helps, the backend counts as unavailable
    │   ├── RequestRejected          this request is refused; others may be answered
    │   └── BackendUnavailable       every request to this backend would end the same
    │       └── QuotaExhausted           … until its account is filled up or a day begins: the agent stops as at a cap
    ├── JournalError             a journal cannot be opened, read or written
    │   ├── ReplayMismatch       a recorded answer belongs to another request than the one asked now
    │   └── JournalFull          the journal takes no more; everything acknowledged before is safe
    └── StopRun                  the one exception an observer may raise: end the run, keep everything

A message says where, what was wrong with which value, and what to do. ``InputWarning`` is no error: what somebody gave
is used, and the warning says how.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, Self


class ArenaError(Exception):
    """The root of all exceptions that Arena raises on purpose."""


class PluginError(ArenaError):
    """A plugin that was asked for cannot be used; the message says why and what to do."""


class ConfigError(ArenaError):
    """Configuration that does not fit, one line for each mistake."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


class InputWarning(UserWarning):
    """What somebody gave can be read in two ways, or only in part; the message says where, and how it is used."""


class RuleError(ArenaError):
    """A game was used against its contract: an unchecked action, a player who is not to act."""


class StaleDecision(RuleError):
    """A decision was read after its step had been applied; its position is gone."""


class SolverError(ArenaError):
    """A solver gave up; the message says what was too much for it and what to do."""


class BackendError(ArenaError):
    """A model could not be reached or answered with an error.

    The class says what follows from it, so raise the one that fits; ``BackendError`` itself counts as
    ``RequestRejected``. A subclass keeps its class, text and fields on the way to another process.
    """

    def reworded(self, text: str) -> Self:
        """Return an error of the same class, with the same fields, that says ``text``."""
        error = type(self).__new__(type(self), text)
        error.__dict__.update(self.__dict__)
        return error

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle class, text and fields; a subclass's constructor may ask for more than its text."""
        return _rebuilt, (type(self), *self.args), self.__dict__


class TransientBackendError(BackendError):
    """Asking again may help: a server's error, an answer that broke off.

    ``retry_after_s`` are the seconds that the provider asks to wait, or ``None`` if it does not say.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class BackendOverloaded(TransientBackendError):
    """The backend was asked too much at once: a rate limit or a time-out. Fewer requests at once may help as well."""


class BackendTimedOut(BackendOverloaded):
    """No answer came in time; the request may have been computed and paid for all the same."""


class BackendUnreachable(TransientBackendError):
    """Nobody answers at the backend's address; after the last attempt the backend counts as unavailable."""


class RequestRejected(BackendError):
    """This request is refused, however often it is sent; other requests may be answered."""


class BackendUnavailable(BackendError):
    """Every request to this backend would end the same: its key is refused, its model unknown, nobody answers."""


class QuotaExhausted(BackendUnavailable):
    """The account behind the backend has nothing left: its agents stop as at a cap, and the run can be resumed."""


def _rebuilt(kind: type[BackendError], *args: Any) -> BackendError:
    """Make an error without its constructor."""
    return kind.__new__(kind, *args)


class JournalError(ArenaError):
    """A journal cannot be opened, read or written."""


class ReplayMismatch(JournalError):
    """A recorded answer belongs to another request than the one asked now: a prompt or plugin changed."""


class JournalFull(JournalError):
    """The journal takes no more, because its disk is full or failed. What was acknowledged before is safe; resume."""


class StopRun(ArenaError):
    """End the run cleanly: calls in flight are kept, everything can be resumed."""


_LISTED: Final = 40
"""The most known words that a message lists."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the closest known word, or else a list of known words."""
    words = list(known)
    if close := get_close_matches(word, words, n=1):
        return f" (did you mean {close[0]!r}?)"
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return f" (there is: {', '.join(words[:_LISTED])}{more})" if words else ""

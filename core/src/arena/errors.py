"""Everything that can go wrong, as one tree.

::

    ArenaError
    ├── PluginError              a plugin that was asked for cannot be used
    ├── ConfigError              a benchmark, option or parameter does not fit; carries every mistake
    ├── RuleError                a game was used against its contract (a bug of the caller)
    │   └── StaleDecision        a decision was read after its wave had been applied
    ├── Unsolved                 a solver gave up: the game or the position is too much for it
    ├── BackendError             a model could not be reached, or answered with an error
    ├── JournalError             a journal cannot be opened, read or written
    │   ├── ReplayMismatch       a recorded answer belongs to another request than the one asked now
    │   └── JournalFull          the disk took no more; everything acknowledged before is safe
    └── StopRun                  the one exception an observer may raise: end the run, keep everything

A message says where, what was wrong with which value, and what to do.
"""

from collections.abc import Iterable


class ArenaError(Exception):
    """The root: whatever Arena raises on purpose."""


class PluginError(ArenaError):
    """A plugin that was asked for cannot be used; the message says why and what to do."""


class ConfigError(ArenaError):
    """Configuration that does not fit, one line for each mistake."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


class RuleError(ArenaError):
    """A game was used against its contract: an unchecked action, a player who is not to act."""


class StaleDecision(RuleError):
    """A decision was read after its wave had been applied; its position is gone."""


class Unsolved(ArenaError):
    """A solver gave up; the message says what was too much for it and what to do."""


class BackendError(ArenaError):
    """A model could not be reached or answered with an error.

    ``is_transient`` says whether asking again may help (rate limit, time-out, server error).
    ``retry_after_s`` is what the provider asked us to wait, where it said so. ``is_overload`` says that it was asked
    too much at once: a rate limit or a time-out. ``is_lasting`` says that every other request to the same backend would
    end the same way: a key that is refused, a model that is unknown, no server at the address.
    """

    def __init__(
        self,
        message: str,
        *,
        is_transient: bool = False,
        retry_after_s: float | None = None,
        is_overload: bool = False,
        is_lasting: bool = False,
    ) -> None:
        super().__init__(message)
        self.is_transient = is_transient
        self.retry_after_s = retry_after_s
        self.is_overload = is_overload
        self.is_lasting = is_lasting


class JournalError(ArenaError):
    """A journal cannot be opened, read or written."""


class ReplayMismatch(JournalError):
    """A recorded answer belongs to another request than the one asked now: a prompt or plugin changed."""


class JournalFull(JournalError):
    """The disk took no more. What was acknowledged before is safe; free space and resume."""


class StopRun(ArenaError):
    """End the run cleanly: calls in flight are kept, everything can be resumed."""

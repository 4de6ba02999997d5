"""Believes a server that says no request of a backend can succeed, unless it has just answered others."""

from arena.backend import Backend
from arena.errors import BackendError, BackendUnavailable, TransientBackendError

from arena_engine.models.request_text import backend_key

IN_A_ROW = 3
"""How often a server that has answered before must say it, with no answer between."""


class StandingFailures:
    """What the servers of one process have answered, as far as it says whether a failure holds for every request."""

    def __init__(self) -> None:
        self._in_a_row: dict[str, int] = {}  # by backend, once it has answered

    def answered(self, backend: Backend) -> None:
        """Note that a backend has answered a request."""
        self._in_a_row[backend_key(backend)] = 0

    def judged(self, backend: Backend, error: BackendError) -> BackendError:
        """The error as it is, or as one that may pass if the backend is said to be unavailable and has just answered.

        It is believed if it is the first thing the backend says, or the third time in a row.
        """
        key = backend_key(backend)
        if not isinstance(error, BackendUnavailable) or key not in self._in_a_row:
            return error
        self._in_a_row[key] += 1
        return error if self._in_a_row[key] >= IN_A_ROW else TransientBackendError(str(error))

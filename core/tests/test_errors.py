"""Errors of backends: which class is which, what they carry, and how they travel."""

import pickle

import pytest
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendUnavailable,
    BackendUnreachable,
    RequestRejected,
    TransientBackendError,
)

KEY = "sk-canary-42"


class OutOfPaper(BackendOverloaded):
    """An error of a plugin, which is made otherwise than from its text."""

    def __init__(self, printer: str, sheets: int) -> None:
        super().__init__(f"{printer} has {sheets} sheets", retry_after_s=9.0)
        self.sheets = sheets


ERRORS = [
    BackendError(f"no {KEY}"),
    TransientBackendError(f"no {KEY}", retry_after_s=7.5),
    BackendOverloaded(f"no {KEY}"),
    BackendUnreachable(f"no {KEY}", retry_after_s=0.0),
    RequestRejected(f"no {KEY}"),
    BackendUnavailable(f"no {KEY}"),
    OutOfPaper(KEY, 3),
]


def test_only_what_may_pass_is_transient():
    """A rate limit and a missing server may pass; a refused request and an unavailable backend do not."""
    assert issubclass(BackendOverloaded, TransientBackendError)
    assert issubclass(BackendUnreachable, TransientBackendError)
    assert not issubclass(RequestRejected, TransientBackendError)
    assert not issubclass(BackendUnavailable, TransientBackendError)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_backend_error_travels_as_it_is(error):
    """An error that went through bytes has the same class, text and fields, however it is made."""
    found = pickle.loads(pickle.dumps(error))

    assert type(found) is type(error)
    assert (str(found), vars(found)) == (str(error), vars(error))

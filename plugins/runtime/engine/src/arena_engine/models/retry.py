"""Decides how long to wait before a failed request is retried."""

from arena.backend import Backend, CompletionRequest
from arena.errors import BackendError, TransientBackendError
from arena.record import derive_seed

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0


def backoff_s(backend: Backend, error: TransientBackendError, attempt: int, request: CompletionRequest) -> float:
    """Seconds until the next attempt: what the provider asks for, or else doubling from one attempt to the next."""
    # Jitter keeps requests that failed together from being retried together; it is derived, so replays agree.
    spread = derive_seed("wait", attempt, str(request.sampling.seed), request.messages[-1].text) / 2**64
    if error.retry_after_s is not None:
        return error.retry_after_s * (1 + spread / 10)
    longest = min(LONGEST_WAIT_S, backend.max_retry_wait_s)
    return min(longest, FIRST_WAIT_S * 2.0 ** (attempt - 1)) * (0.5 + spread / 2)


def refuse_long_wait(backend: Backend, error: BackendError) -> str | None:
    """Why a request is not retried because the provider asks for too long a wait, or ``None`` if it does not."""
    asked, most = error.retry_after_s if isinstance(error, TransientBackendError) else None, backend.max_retry_wait_s
    if asked is None or asked <= most:
        return None
    return f"it asks to wait {asked:g} s and max-retry-wait-s is {most:g}; raise that or resume the run later"

"""How long a backend that failed is waited for."""

from arena.backend import Backend, CompletionRequest
from arena.errors import BackendError
from arena.record import digest

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0


def wait_s(backend: Backend, error: BackendError, attempt: int, request: CompletionRequest) -> float:
    """Seconds until the next try: what the provider asks for, else doubling, spread so that crowds disperse."""
    spread = digest("wait", attempt, str(request.sampling.seed), request.messages[-1].text) / 2**64
    if error.retry_after_s is not None:
        return error.retry_after_s * (1 + spread / 10)
    longest = min(LONGEST_WAIT_S, backend.longest_wait_s)
    return min(longest, FIRST_WAIT_S * 2.0 ** (attempt - 1)) * (0.5 + spread / 2)


def too_long(backend: Backend, error: BackendError) -> str | None:
    """Why a provider is not waited for, where it asks for too long a wait."""
    asked, most = error.retry_after_s, backend.longest_wait_s
    if not error.is_transient or asked is None or asked <= most:
        return None
    return f"it asks to wait {asked:g} s and longest-wait-s is {most:g}; raise that or resume the run later"

"""The faults of a model's server that can be simulated."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import attrs
from arena.backend import Completion, Secret
from arena.errors import BackendError, BackendOverloaded, RequestRejected, TransientBackendError
from attrs.validators import and_, deep_iterable, ge, le, optional

Kind: TypeAlias = Literal[
    "timeout",
    "rate-limit",
    "server-error",
    "connection",
    "bad-request",
    "leak",
    "hang",
    "truncated",
    "empty",
    "not-json",
    "wrong-encoding",
    "megabyte",
]

_PROSE: Final = "I have looked at every possibility and feel good about the one in the middle. "


@attrs.frozen(kw_only=True)
class Fault:
    """Something that goes wrong with a share of the calls, or with the calls of these numbers.

    ``timeout``, ``rate-limit``, ``server-error`` and ``connection`` are errors that may pass, ``bad-request`` and
    ``leak`` (whose text gives the API key away) errors that do not. ``hang`` never answers. The others spoil the
    answer: ``truncated`` cuts it in half, ``empty`` says nothing, ``not-json`` is prose, ``wrong-encoding`` reads it as
    UTF-8 where it is UTF-16, and ``megabyte`` writes a megabyte of prose before it.

    A share is drawn by the request and how often this connection was asked it; calls are counted from 1.
    """

    kind: Kind
    share: float | None = attrs.field(
        default=None, validator=optional(and_(ge(0), le(1))), metadata={"help": "how many of all calls, 0 to 1"}
    )
    calls: tuple[int, ...] = attrs.field(
        default=(), validator=deep_iterable(ge(1)), metadata={"help": "numbers of calls, the first is 1"}
    )
    retry_after_s: float | None = attrs.field(
        default=None, validator=optional(ge(0)), metadata={"help": "seconds an error asks to wait"}
    )


def check_shares(faults: Sequence[Fault]) -> None:
    """Raise ``ValueError`` unless each fault has either a share or calls, and shares add up to at most 1."""
    for fault in faults:
        if (fault.share is None) == (not fault.calls):
            raise ValueError(f"a fault of kind {fault.kind!r} needs either share or calls")
    if (total := sum(fault.share or 0 for fault in faults)) > 1 + 1e-9:
        raise ValueError(f"the shares of all faults sum to {total:g}; they must not exceed 1")


def error_of(fault: Fault, secret: Secret | None) -> BackendError | None:
    """The error that a fault raises, or ``None`` for a fault that spoils the answer instead."""
    if fault.kind not in _ERRORS:
        return None
    kind, text = _ERRORS[fault.kind]
    if fault.kind == "leak" and secret is not None:
        text = f"{text}: {secret.reveal()}"
    if issubclass(kind, TransientBackendError):
        return kind(text, retry_after_s=fault.retry_after_s)
    return kind(text)


def spoil(kind: str, completion: Completion) -> Completion:
    """The completion after the fault ``kind`` has damaged it."""
    text = _SPOILT[kind](completion.text)
    is_cut = kind == "truncated"
    return attrs.evolve(completion, text=text, tool_calls=(), finish_reason="length" if is_cut else "stop")


_ERRORS: Final[Mapping[str, tuple[type[BackendError], str]]] = {
    "timeout": (BackendOverloaded, "the server took too long"),
    "rate-limit": (BackendOverloaded, "429 too many requests"),
    "server-error": (TransientBackendError, "500 internal server error"),
    "connection": (TransientBackendError, "connection refused"),
    "bad-request": (RequestRejected, "400 bad request"),
    "leak": (RequestRejected, "401 no such API key"),
}

_SPOILT: Final[Mapping[str, Callable[[str], str]]] = {
    "truncated": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "not-json": lambda text: _PROSE.strip(),
    "wrong-encoding": lambda text: text.encode("utf-16").decode("utf-8", "replace"),
    "megabyte": lambda text: _PROSE * (2**20 // len(_PROSE) + 1) + text,
}

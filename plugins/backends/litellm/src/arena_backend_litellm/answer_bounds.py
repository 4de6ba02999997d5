"""Bounds what LiteLLM's HTTP clients send and read of one request, whichever of its many ways that takes."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeAlias, cast

import attrs
from arena.errors import BackendError
from arena_openai_protocol import (
    AnswerTooLong,
    ErrorBody,
    answer_in,
    error_in,
    holds_choice,
    read_bounded,
    read_bounded_now,
)

from arena_backend_litellm.keys import withhold


@attrs.frozen
class Refusal:
    """An answer of a server with another status than success, with its text and headers."""

    status: int
    text: str
    headers: Mapping[str, str]


Instead: TypeAlias = Callable[[Any], Any]
"""Makes a response of ``httpx`` for a request of ``httpx``."""


@attrs.define
class AnswerBound:
    """The bounds of one request; ``error`` is set when it passes one, since LiteLLM rewords what is raised.

    ``keys`` are the only variables of the environment whose values it may hold; ``None`` for any. ``body`` is the last
    answer with a status of success, which LiteLLM may throw away for its shape; ``refusal`` the last with another one,
    of which LiteLLM tells only a part. ``instead`` makes the answer of a request that is not sent.
    """

    most_mb: float
    where: str
    keys: frozenset[str] | None = None
    instead: Instead | None = None
    error: BackendError | None = None
    body: bytes = b""
    refusal: Refusal | None = None

    def keep(self, response: Any) -> None:
        """Keep the body of a response that has been read."""
        status = response.status_code
        self.body = response.content
        is_success = status == 200 or (200 < status < 300 and holds_choice(self.sent()))
        self.body = response.content if is_success else b""
        self.refusal = None if is_success else Refusal(status, response.text, dict(response.headers))

    def sent(self) -> Any:
        """What the kept body holds, or ``None`` if it is no JSON."""
        try:
            return answer_in(self.body) if self.body else None
        except ValueError:
            return None

    def told(self) -> ErrorBody | None:
        """The error that an answer with a status of success holds, or ``None``."""
        found = self.sent()
        return error_in(cast("Mapping[str, Any]", found)) if isinstance(found, Mapping) else None

    def check(self, request: Any) -> None:
        """Raise ``BackendUnavailable`` for a request that holds another key."""
        if self.keys is not None:
            try:
                withhold(request, self.keys)
            except BackendError as error:
                self.error = error
                raise


_bound: Final[ContextVar[AnswerBound | None]] = ContextVar("bound", default=None)


@contextmanager
def bounded(
    most_mb: float, where: str, keys: frozenset[str] | None = None, instead: Instead | None = None
) -> Generator[AnswerBound]:
    """Bound every request that is sent in this context, and its answer, or what is taken ``instead`` of it."""
    bound = AnswerBound(most_mb, where, keys, instead)
    token = _bound.set(bound)
    try:
        yield bound
    finally:
        _bound.reset(token)


def install(httpx: Any) -> None:
    """Make the clients of ``httpx`` respect ``bounded``; they are as ever outside of it.

    LiteLLM makes its clients in several places and keeps them to itself, but all of them send with these methods. For
    providers that it knows no other way to ask it calls a client that blocks, in a thread with a copy of the context.
    """
    _install(httpx.AsyncClient)
    _install_now(httpx.Client)


def _install(client: Any) -> None:
    send = client.send

    async def bounded_send(self: Any, request: Any, *, stream: bool = False, **options: Any) -> Any:
        bound = _bound.get()
        if bound is not None:
            bound.check(request)
        if bound is not None and bound.instead is not None:
            response = bound.instead(request)
        else:
            response = await send(self, request, stream=stream or bound is not None, **options)
        if bound is not None and not stream:
            try:
                await read_bounded(response, bound.most_mb, bound.where)
                bound.keep(response)
            except AnswerTooLong as error:
                bound.error = error
                raise
        return response

    client.send = bounded_send


def _install_now(client: Any) -> None:
    send = client.send

    def bounded_send(self: Any, request: Any, *, stream: bool = False, **options: Any) -> Any:
        bound = _bound.get()
        if bound is not None:
            bound.check(request)
        if bound is not None and bound.instead is not None:
            response = bound.instead(request)
        else:
            response = send(self, request, stream=stream or bound is not None, **options)
        if bound is not None and not stream:
            try:
                read_bounded_now(response, bound.most_mb, bound.where)
                bound.keep(response)
            except AnswerTooLong as error:
                bound.error = error
                raise
        return response

    client.send = bounded_send

"""Reads answers of servers that may send anything: no more than a bound, and nothing of another shape."""

from collections.abc import AsyncIterable
from contextlib import AbstractContextManager
from typing import Any, Final

from arena.backend import Completion
from arena.errors import RequestRejected, TransientBackendError

MEGABYTE: Final = 1_000_000
ANSWER_MB: Final = 32
"""The most megabytes that are read of one answer if nobody says otherwise; the longest real ones have less than one."""

_MISSHAPEN: Final = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)


class AnswerTooLong(RequestRejected):
    """A server sent more than is read of one answer."""

    def __init__(self, where: str, most_mb: float) -> None:
        super().__init__(
            f"{where} answered with more than {most_mb:g} MB, and the rest was not read; raise max-answer-mb if that "
            "is meant"
        )


async def read_bounded(response: Any, most_mb: float, where: str) -> None:
    """Read the body of an open ``httpx`` response, as ``aread`` does; ``AnswerTooLong`` if it is longer than the bound.

    What counts is the body after decompression. The connection is closed if anything is raised.
    """
    try:
        body = await joined(response.aiter_bytes(), most_mb, where)
    finally:
        await response.aclose()
    _put(body, response)


def read_bounded_now(response: Any, most_mb: float, where: str) -> None:
    """Do what ``read_bounded`` does for a response of a client that blocks its thread."""
    bound = AnswerBound(most_mb, where)
    try:
        body = b"".join([bound.counted(part) for part in response.iter_bytes()])
    finally:
        response.close()
    _put(body, response)


async def joined(parts: AsyncIterable[bytes], most_mb: float, where: str) -> bytes:
    """Put the parts of a body together; ``AnswerTooLong`` once they are longer than the bound."""
    bound = AnswerBound(most_mb, where)
    return b"".join([bound.counted(part) async for part in parts])


class AnswerBound:
    """Counts what is read of one body, which may not grow beyond a bound."""

    def __init__(self, most_mb: float, where: str) -> None:
        self.most_mb = most_mb
        self.where = where
        self.size = 0

    def counted(self, part: bytes) -> bytes:
        """Return the next part of the body; ``AnswerTooLong`` if it ends beyond the bound."""
        self.size += len(part)
        if self.size > self.most_mb * MEGABYTE:
            raise AnswerTooLong(self.where, self.most_mb)
        return part


def _put(body: bytes, response: Any) -> None:
    # Where httpx itself keeps what it has read; nothing public puts a body into a response that came by a stream.
    response._content = body


def reading(where: str) -> AbstractContextManager[None]:
    """Turn errors about the shape of an answer into a ``TransientBackendError`` that names the server."""
    return _Reading(where)


class _Reading:
    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _MISSHAPEN):
            why = " ".join(str(error).split())[:100]
            raise TransientBackendError(
                f"{self._where} answered with what is no completion ({type(error).__name__}: {why})"
            ) from None


def checked(completion: Completion) -> Completion:
    """Return the completion; ``TypeError`` if something that must be text is not."""
    texts = {
        "text": completion.text,
        "reasoning": completion.reasoning,
        "model": completion.model,
        "fingerprint": completion.fingerprint or "",
        **{f"tool call {i}": call.id + call.name + call.arguments for i, call in enumerate(completion.tool_calls)},
    }
    for name, value in texts.items():
        kind = type(value)
        if kind is not str:
            raise TypeError(f"its {name} is {kind.__name__}, and no text")
    return completion

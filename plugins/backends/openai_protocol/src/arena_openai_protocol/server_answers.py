"""Reads answers of servers that may send anything: no more than a bound, in whatever form its JSON comes."""

import json
from collections.abc import AsyncIterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from arena.errors import RequestRejected

from arena_openai_protocol.error_bodies import error_in
from arena_openai_protocol.event_stream import EventReader, looks_streamed
from arena_openai_protocol.stream_assembly import StreamedCompletion

MEGABYTE: Final = 1_000_000
ANSWER_MB: Final = 32
"""The most megabytes that are read of one answer if nobody says otherwise; the longest real ones have less than one."""
DONE: Final = b"[DONE]"
"""The data of the event that ends a stream."""


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


def answer_in(body: bytes) -> Any:
    """The answer that a body holds, for ``chat_completion``: one JSON value, several in a row, or a stream of events.

    ``ValueError`` if it is no JSON, or a stream that ends before its answer does. A text in no valid UTF-8 is read with
    U+FFFD in the place of what is not.
    """
    if looks_streamed(body):
        return _streamed(body)
    text = body.decode("utf-8-sig", "replace")
    try:
        values = list(_values(text))
    except RecursionError:
        return text
    first: Any = values[0] if values else None
    if len(values) == 1 and isinstance(first, list) and first:
        values = cast("list[Any]", first)
    return values[0] if len(values) == 1 else _assembled(values)


def _streamed(body: bytes) -> Any:
    events = EventReader()
    chunks: list[Any] = []
    is_over = False
    for event in (*events.feed(body), *events.end()):
        if event.data.strip() == DONE:
            is_over = True
            break
        chunks.append(json.loads(event.data))
    return _assembled(chunks, is_over=is_over)


def _assembled(chunks: Sequence[Any], *, is_over: bool = False) -> Any:
    """What the pieces of an answer make together, or the error that is among them."""
    whole = StreamedCompletion()
    for chunk in chunks:
        if isinstance(chunk, Mapping) and error_in(cast("Mapping[str, Any]", chunk)) is not None:
            return cast("Mapping[str, Any]", chunk)
        whole.take(chunk)
    if whole.has_begun and not (is_over or whole.is_finished or whole.is_unknown):
        raise ValueError("the answer breaks off")
    return whole.response()


def _values(text: str) -> Iterator[Any]:
    """The JSON values that stand one behind the other; ``ValueError`` if there is anything else, or nothing."""
    decoder, at = json.JSONDecoder(), 0
    text = text.strip()
    while at < len(text) or not at:
        value, at = decoder.raw_decode(text, at)
        yield value
        while at < len(text) and text[at].isspace():
            at += 1

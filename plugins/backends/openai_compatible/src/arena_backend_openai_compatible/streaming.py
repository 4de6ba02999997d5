"""Reads an answer while the server writes it."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, cast

import aiohttp
from arena.errors import TransientBackendError
from arena_openai_protocol import (
    AnswerBound,
    EventReader,
    StreamedCompletion,
    StreamEvent,
    error_in,
    looks_streamed,
)

Decode = Callable[[bytes], Any]

_DONE: Final = b"[DONE]"
_END_S: Final = 1.0
"""Seconds that the end of a stream is waited for once its answer is whole, so that its socket can be used again."""


class AnswerStream:
    """One answer on its way; ``began_at`` is when its first token came, on the clock of ``time.perf_counter``."""

    def __init__(self, content: aiohttp.StreamReader, most_mb: float, where: str) -> None:
        self.began_at: float | None = None
        self._content = content
        self._bound = AnswerBound(most_mb, where)
        self._where = where
        self._events = EventReader()
        self._whole = StreamedCompletion()
        self._error: Mapping[str, Any] | None = None

    async def read(self, decode: Decode) -> Any:
        """The answer as the server would have sent it at once, or the error that came in its place.

        A server that does not stream is read all the same. An answer counts as whole once the server says so, even if
        the connection breaks off behind it; ``TransientBackendError`` if it ends before, or is no JSON.
        """
        beginning = b""
        while (is_stream := looks_streamed(beginning)) is None and (piece := await self._piece()):
            beginning += piece
        if not is_stream:
            pieces = [beginning]
            while piece := await self._piece():
                pieces.append(piece)
            return decode(b"".join(pieces))
        is_over = await self._read_events(beginning, decode)
        if self._error is not None:
            return self._error
        if not is_over and not self._whole.is_finished and not self._whole.is_unknown:
            raise TransientBackendError(f"{self._where} broke off (the stream ended before the answer did)")
        return self._whole.response()

    async def _read_events(self, piece: bytes, decode: Decode) -> bool:
        """Read to the mark of the end or to an error, and return ``True``; ``False`` if the stream just ends."""
        try:
            while piece:
                for event in self._events.feed(piece):
                    if self._is_over(event, decode):
                        await self._leave()
                        return True
                piece = await self._piece()
        except (aiohttp.ClientError, OSError):
            if not self._whole.is_finished:
                raise
        # What the end has cut off is no JSON, and no other fault than the end itself.
        with suppress(TransientBackendError):
            return any(self._is_over(event, decode) for event in self._events.end())
        return False

    def _is_over(self, event: StreamEvent, decode: Decode) -> bool:
        """Take an event; whether nothing that counts can follow it."""
        if event.data.strip() == _DONE:
            return True
        chunk = decode(event.data)
        if isinstance(chunk, dict):
            said = cast("dict[str, Any]", chunk)
            if event.kind == "message" and self._whole.take_text(said):
                return False
            if event.kind == "error" or said.get("object") == "error":
                chunk = said if "error" in said else {"error": said}
            if error_in(chunk) is not None:
                self._error = chunk
                return True
        self._whole.take(chunk)
        if self.began_at is None and self._whole.has_begun:
            self.began_at = time.perf_counter()
        return False

    async def _piece(self) -> bytes:
        return self._bound.counted(await self._content.readany())

    async def _leave(self) -> None:
        with suppress(aiohttp.ClientError, OSError):  # a TimeoutError is an OSError
            async with asyncio.timeout(_END_S):
                while await self._content.readany():
                    pass

"""Reads server-sent events, the form in which servers stream, whatever the pieces are in which their bytes come."""

import re
from collections.abc import Iterator
from typing import Final

import attrs

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_MARK: Final = b"\xef\xbb\xbf"
_BEGINNINGS: Final = (b":", b"data", b"event", b"id", b"retry", b"error")


@attrs.frozen
class StreamEvent:
    """An event: its kind, ``"message"`` if the server names none, and its lines of data."""

    kind: str
    data: bytes


def looks_streamed(body: bytes) -> bool | None:
    """Whether a body begins as a stream of events does, whatever its headers say; ``None`` if it is too short yet."""
    if _MARK.startswith(body):
        return None
    begun = body.removeprefix(_MARK).lstrip()
    if begun.startswith(_BEGINNINGS):
        return True
    return None if any(beginning.startswith(begun) for beginning in _BEGINNINGS) else False


class EventReader:
    """Takes the bytes of a stream piece by piece, and gives its events as soon as they are whole.

    Lines end as the server likes (LF, CR LF or CR), comments and unknown fields are left out, and a piece may end in
    the middle of a character. llama.cpp's old way to tell of an error, a field of that name, is an event of that kind.
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._held = b""
        self._is_begun = False
        self._kind = ""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> Iterator[StreamEvent]:
        """The events that this piece completes."""
        piece, self._held = self._held + piece, b""
        if piece.endswith(b"\r"):  # may be half of a line's end
            piece, self._held = piece[:-1], b"\r"
        lines = _LINE_END.split(piece) if b"\r" in piece else piece.split(b"\n")
        self._line.append(lines[0])
        if len(lines) == 1:
            return
        lines[0], self._line = b"".join(self._line), [lines.pop()]
        for line in lines:
            if (event := self._take(line)) is not None:
                yield event

    def end(self) -> Iterator[StreamEvent]:
        """The event that was not followed by an empty line, if any: some servers leave out the last one."""
        yield from self.feed(b"\n\n")

    def _take(self, line: bytes) -> StreamEvent | None:
        """Take a line; an empty one ends an event."""
        if not self._is_begun:
            line, self._is_begun = line.removeprefix(_MARK), True
        if not line:
            event = StreamEvent(self._kind or "message", b"\n".join(self._data)) if self._data else None
            self._kind, self._data = "", []
            return event
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"event":
            self._kind = value.decode("utf-8", "replace")
        elif field in (b"data", b"error"):
            self._data.append(value)
            self._kind = "error" if field == b"error" else self._kind
        return None

"""Puts the pieces of a streamed answer together, to the JSON that the server would have sent at once."""

from collections.abc import Mapping
from typing import Any, Final

_TEXTS: Final = ("content", "refusal", "reasoning_content", "reasoning")
_ABOUT: Final = ("model", "system_fingerprint")


class StreamedCompletion:
    """Collects the chunks of one answer; ``response`` is what ``chat_completion`` reads.

    ``has_begun`` says whether the model has written anything, ``is_finished`` whether the server has said why the
    answer ends. Chunks of another shape raise ``TypeError``, ``AttributeError`` or ``LookupError``.
    """

    def __init__(self) -> None:
        self.has_begun = False
        self._about: dict[str, Any] = {}
        self._texts: dict[str, list[str]] = {}
        self._calls: list[_StreamedCall] = []
        self._at: dict[Any, _StreamedCall] = {}
        self._logprobs: list[Any] | None = None
        self._finish: Any = None
        self._usage: Any = None
        self._has_choice = False

    @property
    def is_finished(self) -> bool:
        """Whether the server has said why the answer ends; its usage may follow."""
        return self._finish is not None

    def take(self, chunk: Mapping[str, Any]) -> None:
        """Add a chunk; of several choices the first counts."""
        self._usage = chunk.get("usage") or self._usage
        for name in _ABOUT:
            if value := chunk.get(name):
                self._about.setdefault(name, value)
        for choice in chunk.get("choices") or ():
            if not choice.get("index"):
                self._take_choice(choice)

    def response(self) -> Mapping[str, Any]:
        """The whole answer, without a choice if there was none."""
        if not self._has_choice:
            return {**self._about, "choices": [], "usage": self._usage}
        message: dict[str, Any] = {name: _joined(pieces) for name, pieces in self._texts.items()}
        message["tool_calls"] = [call.whole() for call in self._calls]
        choice: dict[str, Any] = {"message": message, "finish_reason": self._finish}
        choice["logprobs"] = None if self._logprobs is None else {"content": self._logprobs}
        return {**self._about, "choices": [choice], "usage": self._usage}

    def _take_choice(self, choice: Mapping[str, Any]) -> None:
        self._has_choice = True
        # Servers that cannot stream send the whole message as one event.
        delta: Mapping[str, Any] = (choice["delta"] if "delta" in choice else choice.get("message")) or {}
        for name in _TEXTS:
            if piece := delta.get(name):
                self._texts.setdefault(name, []).append(_text(piece, "text"))
                self.has_begun = True
        for piece in delta.get("tool_calls") or ():
            self._take_call(piece)
            self.has_begun = True
        scored: Mapping[str, Any] = choice.get("logprobs") or {}
        if scored.get("content") is not None:
            self._logprobs = [] if self._logprobs is None else self._logprobs
            self._logprobs += scored["content"]
        self._finish = choice.get("finish_reason") or self._finish

    def _take_call(self, piece: Mapping[str, Any]) -> None:
        """Add a piece to its call: by its place, or by its id where a server counts all as the first one."""
        place = piece.get("index")
        function: Mapping[str, Any] = piece.get("function") or {}
        call = self._at.get(place) if place is not None or not self._calls else self._calls[-1]
        if call is None or (piece.get("id") and function.get("name") and piece["id"] != call.id):
            call = self._at[place] = _StreamedCall()
            self._calls.append(call)
        call.take(piece, function)


class _StreamedCall:
    """A call of a tool while its pieces come."""

    def __init__(self) -> None:
        self.id = ""
        self._name: list[str] = []
        self._arguments: list[str] = []

    def take(self, piece: Mapping[str, Any], function: Mapping[str, Any]) -> None:
        self.id = self.id or piece.get("id") or ""
        name = function.get("name")
        if name and self._name[:1] != [name]:  # some servers repeat it
            self._name.append(_text(name, "name of a tool call"))
        if arguments := function.get("arguments"):
            self._arguments.append(_text(arguments, "arguments of a tool call"))

    def whole(self) -> Mapping[str, Any]:
        function = {"name": _joined(self._name), "arguments": _joined(self._arguments)}
        return {"id": self.id, "function": function}


def _text(piece: Any, what: str) -> str:
    if not isinstance(piece, str):
        raise TypeError(f"its {what} is {type(piece).__name__}, and no text")
    return piece


def _joined(pieces: list[str]) -> str:
    """One text; a character whose halves came in two pieces is whole again, as it is where JSON holds both."""
    text = "".join(pieces)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text

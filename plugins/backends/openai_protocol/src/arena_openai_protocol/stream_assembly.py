"""Puts the pieces of a streamed answer together, to the JSON that the server would have sent at once."""

from collections.abc import Mapping
from typing import Any, Final, cast

from arena_openai_protocol.answers import MISSHAPEN
from arena_openai_protocol.finish_reasons import is_told
from arena_openai_protocol.messages import arguments_of, content_said, listed
from arena_openai_protocol.usage_counts import TOTAL

_TEXTS: Final = ("refusal", "reasoning_content", "reasoning", "thinking")
_ABOUT: Final = ("model", "system_fingerprint")
_NUMBERS: Final = ("usage", "x_groq")
_OF_TEXT: Final = frozenset(
    {"id", "object", "created", "model", "system_fingerprint", "service_tier", "choices", "usage"}
)
_OF_PIECE: Final = frozenset({"index", "delta", "finish_reason", "logprobs"})
"""What a chunk and its choice may hold, if they say nothing but a piece of text."""
_STRAYS: Final = 100
"""The most pieces of a shape that nobody knows that are kept."""


class StreamedCompletion:
    """Collects the chunks of one answer; ``response`` is what ``chat_completion`` reads.

    ``has_begun`` says whether the model has written anything, ``is_finished`` whether the server has said why the
    answer ends, ``is_unknown`` whether a chunk came whose shape nobody knows.
    """

    def __init__(self) -> None:
        self.has_begun = False
        self.is_unknown = False
        self._about: dict[str, Any] = {}
        self._choices: dict[int, _StreamedChoice] = {}
        self._strays: list[Any] = []

    @property
    def is_finished(self) -> bool:
        """Whether the server has said why the answer ends; its usage may follow."""
        return bool(self._choices) and is_told(self._first.finish)

    def take_text(self, chunk: Mapping[str, Any]) -> bool:
        """Add a chunk that is one more piece of text and nothing else, as most are; ``False``: take it whole."""
        if not self.has_begun or not chunk.keys() <= _OF_TEXT or chunk.get("usage") is not None:
            return False
        try:
            (choice,) = chunk["choices"]
            (text,) = choice["delta"].values()
            is_text = type(text) is str and choice.keys() <= _OF_PIECE and "content" in choice["delta"]
            if is_text and choice.get("finish_reason") is None and choice.get("logprobs") is None:
                return self._choices[choice["index"]].take_text(text)
        except MISSHAPEN:
            pass
        return False

    def take(self, chunk: Any) -> None:
        """Add a chunk; of several choices the one with the lowest index counts."""
        try:
            self._take(chunk)
        except MISSHAPEN:
            self.is_unknown = True
            self._strays.append(chunk)

    def response(self) -> Any:
        """The whole answer; if nobody knows the shape of its chunks, a list of what could be read and of these."""
        whole = {**self._about, "choices": [self._first.whole()] if self._choices else []}
        if self._choices and not self.is_unknown:
            return whole
        return [*self._strays, whole] if self._choices or self._about else self._strays

    @property
    def _first(self) -> "_StreamedChoice":
        return self._choices[min(self._choices)]

    def _take(self, chunk: Mapping[str, Any]) -> None:
        for name in (*_ABOUT, *_NUMBERS):
            if not (value := chunk.get(name)):
                continue
            if name in _NUMBERS:
                self._about[name] = _both(self._about.get(name), value)
            else:
                self._about.setdefault(name, value)
        choices = listed(chunk.get("choices"))
        if not choices and isinstance(chunk.get("message"), Mapping):  # Ollama's own
            choices = [{"delta": chunk["message"], "finish_reason": chunk.get("done_reason")}]
            self._about |= {"usage": chunk} if chunk.get("done") else {}
        if not choices and "choices" not in chunk and "usage" not in chunk:
            self._strays += [chunk] if len(self._strays) < _STRAYS else []
        for choice in choices:
            place = choice.get("index") or 0
            if place not in self._choices:
                self._choices[place] = _StreamedChoice()
            self.has_begun = self._choices[place].take(choice) or self.has_begun


class _StreamedChoice:
    """One of the answers of a stream while its pieces come; ``finish`` is why it ends."""

    def __init__(self) -> None:
        self.finish: Any = None
        self._texts: dict[str, list[str]] = {}
        self._calls: list[_StreamedCall] = []
        self._at: dict[Any, _StreamedCall] = {}
        self._logprobs: list[Any] | None = None
        self._native: Any = None
        self._usage: Any = None

    def take(self, choice: Mapping[str, Any]) -> bool:
        """Add a piece; whether the model has written something in it."""
        # Servers that cannot stream send the whole message as one event.
        delta: Mapping[str, Any] = (choice["delta"] if "delta" in choice else choice.get("message")) or {}
        pieces = [*self._pieces(delta.get("content") if "text" not in choice else choice["text"])]
        pieces += [(name, _text(piece, "text")) for name in _TEXTS if (piece := delta.get(name))]
        # A second whole message is no continuation of the first.
        apart = "\n\n" if "message" in choice and self._texts else ""
        for name, piece in pieces:
            self._texts.setdefault(name, []).append(apart + piece)
        calls = listed(delta.get("tool_calls"))
        calls += [{"function": delta["function_call"]}] if delta.get("function_call") else []
        for piece in calls:
            self._take_call(piece)
        scored: Mapping[str, Any] = choice.get("logprobs") or {}
        if scored.get("content") is not None:
            self._logprobs = [*(self._logprobs or ()), *scored["content"]]
        self.finish = told if is_told(told := choice.get("finish_reason")) else self.finish
        self._native = choice.get("native_finish_reason") or self._native
        self._usage = _both(self._usage, choice.get("usage"))
        return bool(pieces or calls)

    def take_text(self, text: str) -> bool:
        """Add a piece of text to earlier ones; whether there are any."""
        if (before := self._texts.get("content")) is None:
            return False
        before.append(text)
        return True

    def whole(self) -> Mapping[str, Any]:
        """The choice as the server would have sent it at once."""
        message: dict[str, Any] = {name: _joined(pieces) for name, pieces in self._texts.items()}
        message["tool_calls"] = [call.whole() for call in self._calls]
        logprobs = None if self._logprobs is None else {"content": self._logprobs}
        about = {"finish_reason": self.finish, "native_finish_reason": self._native, "usage": self._usage}
        return {"message": message, "logprobs": logprobs, **about}

    def _pieces(self, content: Any) -> list[tuple[str, str]]:
        if isinstance(content, str) or content is None:
            return [("content", content)] if content else []
        said = content_said(content)
        for call in said.calls:
            self._take_call({"id": call.id, "function": {"name": call.name, "arguments": call.arguments}})
        named = (("reasoning_content", said.thought), ("content", said.text), ("refusal", said.refusal))
        return [(name, text) for name, text in named if text]

    def _take_call(self, piece: Mapping[str, Any]) -> None:
        """Add a piece to its call: by its place, or by its id where a server counts all as the first one."""
        place = piece.get("index")
        function: Mapping[str, Any] = piece.get("function") or {}
        call = self._at.get(place) if place is not None or not self._calls else self._calls[-1]
        if call is None or (piece.get("id") and function.get("name") and piece["id"] != call.id):
            call = self._at[place] = _StreamedCall()
            self._calls.append(call)
        call.take(piece, function)


def _both(before: Any, told: Any) -> Any:
    """The counts of a stream so far with those of one more chunk: some servers tell what was sent at the beginning.

    A total of the beginning says nothing of the end.
    """
    if isinstance(before, Mapping) and isinstance(told, Mapping):
        earlier, later = cast("Mapping[str, Any]", before), cast("Mapping[str, Any]", told)
        kept = {name: value for name, value in earlier.items() if name not in TOTAL}
        return {**kept, **{name: value for name, value in later.items() if value is not None}}
    return cast("Any", told or before)


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
        if arguments := arguments_of(function):
            self._arguments.append(arguments)

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

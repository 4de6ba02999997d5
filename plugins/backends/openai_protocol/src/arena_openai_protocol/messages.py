"""What a message of a model says, in every form in which servers write it: texts, lists of parts, calls of tools."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

import attrs
from arena.backend import ToolCall

_THOUGHT: Final = re.compile(r"\s*<think>(?P<thought>.*?)</think>\s*", re.DOTALL)
_TEXTS: Final = frozenset({"text", "output_text", "input_text"})
_THOUGHTS: Final = frozenset({"thinking", "reasoning", "reasoning_text", "summary_text", "thought", "reasoning.text"})
_CALLS: Final = frozenset({"tool_use", "tool_call", "function", "function_call"})
_ARGUMENTS: Final = (
    "arguments",  # OpenAI
    "input",  # Anthropic
    "parameters",  # Cohere; models of Llama, https://www.llama.com/docs/model-cards-and-prompt-formats/llama3_1/
    "args",  # Gemini
)
"""What servers call the arguments of a call."""
_TIMES: Final = 4
"""So often arguments may have been written as JSON, one time inside the other."""
_SILENT: Final = frozenset({"reference", "redacted_thinking", "reasoning.encrypted"})
"""Kinds of parts that neither say nor ask anything."""


@attrs.frozen
class Said:
    """What a message says: its text, the thoughts beside it, a refusal to answer, and calls of tools."""

    text: str = ""
    thought: str = ""
    refusal: str = ""
    calls: tuple[ToolCall, ...] = ()

    def plus(self, other: "Said") -> "Said":
        """Both, one behind the other."""
        return Said(
            self.text + other.text,
            self.thought + other.thought,
            self.refusal + other.refusal,
            (*self.calls, *other.calls),
        )


def said_in(message: Mapping[str, Any]) -> Said:
    """What a whole message says; ``TypeError``, ``LookupError`` or ``AttributeError`` if nobody knows its shape.

    Thoughts are ``reasoning_content``, ``reasoning``, ``thinking``, parts that are called so, or a text that begins
    with ``<think>…</think>``.
    """
    said = content_said(message.get("content"))
    said = attrs.evolve(said, thought=_thought(message) or said.thought)
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        said = attrs.evolve(said, refusal=refusal)
    calls = [*said.calls]
    for call in listed(message.get("tool_calls")):
        calls.append(_call(len(calls), call))
    if not calls and message.get("function_call"):
        calls.append(_call(0, message["function_call"]))
    if not said.thought and (thought := _THOUGHT.match(said.text)) is not None:
        said = attrs.evolve(said, text=said.text[thought.end() :], thought=thought["thought"].strip())
    return attrs.evolve(said, calls=tuple(calls))


def content_said(content: Any) -> Said:
    """What the content of a message says: a text, an object that stands for its JSON, or a list of parts."""
    if content is None:
        return Said()
    if isinstance(content, str):
        return Said(content)
    if isinstance(content, Mapping):
        part = cast("Mapping[str, Any]", content)
        return _part(part) if "type" in part else Said(as_text(part))
    if not isinstance(content, list):
        raise TypeError(f"its text is {type(content).__name__}, and no text")
    said = Said()
    for part in cast("list[Any]", content):
        said = said.plus(Said(part) if isinstance(part, str) else _part(part))
    return said


def listed(found: Any) -> list[Any]:
    """A list as it is, nothing as an empty one, and anything else as one with it."""
    if found is None:
        return []
    return cast("list[Any]", found) if isinstance(found, list) else [found]


def as_text(arguments: Any) -> str:
    """The text of arguments, which some servers send as the value that it stands for."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


def arguments_of(function: Mapping[str, Any]) -> str:
    """The text of a call's arguments, whatever a server calls them; empty if it has none."""
    return as_text(next((found for name in _ARGUMENTS if (found := function.get(name)) is not None), None))


def _part(part: Mapping[str, Any]) -> Said:
    kind = part.get("type", "text")
    if kind in _TEXTS:
        return Said(text=_text(part["text"]))
    if kind == "refusal":
        return Said(refusal=_text(part["refusal"]))
    if kind in _THOUGHTS:
        return Said(thought=_thought_in(part))
    if kind in _CALLS:
        return Said(calls=(_call(0, part),))
    if kind in _SILENT:
        return Said()
    raise TypeError(f"its part {str(kind)[:40]!r} is of a kind that nobody knows")


def _call(number: int, call: Mapping[str, Any]) -> ToolCall:
    """A call, whether its function stands in a field of its own or not."""
    function: Mapping[str, Any] = call.get("function") or call
    own = call.get("call_id") or call.get("id")
    return ToolCall(str(own or number), _text(function.get("name") or ""), _once(arguments_of(function)))


def _once(arguments: str) -> str:
    """Arguments that were written as JSON several times, as they were after the first time."""
    text = arguments
    for _ in range(_TIMES):
        if not text.lstrip().startswith('"'):
            break
        try:
            inner: Any = json.loads(text)
        except (ValueError, RecursionError):
            return arguments
        if not isinstance(inner, str):
            return arguments
        text = inner
    return text if text.lstrip().startswith("{") else arguments


def _thought(message: Mapping[str, Any]) -> str:
    for name in ("reasoning_content", "reasoning", "thinking", "reasoning_details"):
        if found := message.get(name):
            try:
                return found if isinstance(found, str) else "".join(map(_thought_in, listed(found)))
            except (TypeError, LookupError, AttributeError):
                return as_text(found)
    return ""


def _thought_in(part: Any) -> str:
    if isinstance(part, str):
        return part
    for name in ("thinking", "text", "reasoning", "summary", "content"):
        if found := part.get(name):
            return "".join(map(_thought_in, listed(found)))
    return ""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"its text is {type(value).__name__}, and no text")
    return value

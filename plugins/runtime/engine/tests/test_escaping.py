"""Texts from outside become valid Unicode without loss."""

import json

import pytest
from arena.backend import Completion, ToolCall
from arena_engine import unescaped
from arena_engine.foundation.json_values import escaped, escaped_json
from arena_engine.models.request_text import completion_from_text, completion_text, escaped_completion
from hypothesis import given, strategies as st

ANYTHING = st.text(st.one_of(st.characters(), st.sampled_from("\x1a\ud83d\ude00\udfff0d8a")))


def joined(text: str) -> str:
    """The text with halves of surrogate pairs that stand together made one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@given(ANYTHING)
def test_every_text_comes_back(text):
    """What was said can be told again, whatever it was, and what is stored is valid UTF-8."""
    safe = escaped(text)

    safe.encode()
    assert unescaped(safe) == joined(text)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("\ud83d", "\x1ad83d"),
        ("\x1a", "\x1a\x1a"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\x1ad83d", "\x1a\x1ad83d"),
    ],
)
def test_escapes(text, safe):
    """A lone half is U+001A and its number, U+001A itself is doubled, two halves that belong together are joined."""
    assert escaped(text) == safe


def test_every_text_of_a_value_is_escaped():
    """Keys and nested texts too; everything else stays as it is."""
    value = {"\ud83d": ["\x1a", {"a": "\ude00"}], "n": 1.5, "none": None, "yes": True}

    safe = escaped_json(value)

    assert safe == {"\x1ad83d": ["\x1a\x1a", {"a": "\x1ade00"}], "n": 1.5, "none": None, "yes": True}
    json.dumps(safe, allow_nan=False).encode()


def test_completion_is_kept_as_it_was_handed_over():
    """All texts of a completion are made safe, and the journal gives back the same completion."""
    said = Completion(
        text="\ud83d a",
        reasoning="b \x1a",
        tool_calls=(ToolCall("1", "play", '{"action": "\ude00"}'),),
        model="m\udfff",
        fingerprint="\ud800",
        logprobs=[{"token": "\ud83d", "logprob": float("-inf")}],
    )

    safe = escaped_completion(said)

    assert completion_from_text(completion_text(safe)) == safe
    assert safe.logprobs == [{"token": "\x1ad83d", "logprob": "-inf"}]
    assert unescaped(safe.text) == said.text
    assert unescaped(safe.tool_calls[0].arguments) == said.tool_calls[0].arguments

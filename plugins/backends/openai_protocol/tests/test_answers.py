"""Answers are read whatever they look like, and what cannot be read is kept."""

import json

import pytest
from arena.backend import Completion, Usage
from arena_openai_protocol import StreamedCompletion, answer_in, chat_completion, counted
from arena_testing.fixtures.answer_shapes import KNOWN, UNKNOWN


def read(body: bytes) -> Completion:
    """The completion in a body."""
    return chat_completion(answer_in(body), wants_logprobs=True)


@pytest.mark.parametrize("shape", KNOWN.values(), ids=KNOWN.keys())
def test_an_answer_is_read_in_every_known_shape(shape):
    """Parts are joined by their kind, objects stand for their text, the choice with the lowest index is the answer."""
    assert read(shape.body) == shape.completion


@pytest.mark.parametrize("shape", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_an_answer_of_another_shape_is_kept_as_it_came(shape):
    """It has no text, and what its usage says is counted."""
    assert read(shape.body) == shape.completion


def test_no_more_is_kept_than_a_bound():
    """Twenty thousand characters, however long and however deeply nested it is."""
    long, deep = read(json.dumps({"x": "a" * 100_000}).encode()), read(b"[" * 100_000 + b"]" * 100_000)

    assert len(long.received) == len(deep.received) == 20_002
    assert deep.received.startswith("[[[")


@pytest.mark.parametrize(
    ("told", "cached", "thought"),
    [
        ({"cached_tokens": 64}, 64, None),
        ({"cache_read_input_tokens": 80}, 80, None),
        ({"prompt_cache_hit_tokens": 7}, 7, None),
        ({"reasoning_tokens": 9}, None, 9),
        ({"completion_tokens_details": None, "prompt_tokens_details": "none"}, None, None),
    ],
)
def test_tokens_are_counted_by_every_name(told, cached, thought):
    """What was found in a cache and what was thought is told under several names; what is no number is not told."""
    used = {"prompt_tokens": "100", "completion_tokens": 10.0, **told}

    assert counted(used).usage == Usage(
        prompt_tokens=100, completion_tokens=10, cached_tokens=cached, reasoning_tokens=thought
    )


def test_usage_is_found_wherever_a_server_tells_it():
    """In a choice, or in a field of the server's own."""
    choice = {"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}
    used = {"prompt_tokens": 3, "completion_tokens": 2}
    whole = {"choices": [{**choice, "usage": used}]}
    streamed = StreamedCompletion()
    streamed.take({"choices": [choice], "x_groq": {"usage": used}})

    found = [chat_completion(each, wants_logprobs=False).usage for each in (whole, streamed.response())]

    assert found == [Usage(prompt_tokens=3, completion_tokens=2)] * 2


@pytest.mark.parametrize("body", [b"", b"<html></html>", b'{"choices": [', b'data: {"choices": [{"delta": {"content":'])
def test_what_is_no_json_is_no_answer(body):
    """Nothing, a page, and what breaks off."""
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|breaks off"):
        answer_in(body)

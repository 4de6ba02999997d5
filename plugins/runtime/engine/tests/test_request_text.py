"""A request is written and hashed as a whole, whatever of it was written before."""

import pytest
from arena.backend import CompletionRequest, Message
from arena.testing import FunctionBackend
from arena_engine.models import request_text as texts

BACKEND = FunctionBackend(answer=lambda request: "a1")
SHORT = (Message.of("system", "You play."), Message.of("user", "Go on."), Message.of("user", "Your turn."))


def long() -> tuple[Message, ...]:
    """Messages of which the first two are too long to be kept."""
    more = "é" * texts.LONGEST_KEPT
    return (Message.of("system", f"rules {more}"), Message.of("assistant", f"answer {more}"), SHORT[-1])


@pytest.mark.parametrize("messages", [SHORT[-1:], SHORT[1:], SHORT, long(), ()])
def test_hash_is_that_of_the_whole_text(messages):
    """The first time and the second, when the beginning is known."""
    request = CompletionRequest(messages=messages)

    for _ in range(2):
        text, hashed = texts.hashed_request_text(BACKEND, request)
        assert text == texts.request_text(BACKEND, request)
        assert hashed == texts.request_hash(text)


def test_long_texts_are_not_kept():
    """What is remembered stays small, however long prompts and answers are."""
    kept = texts._kept_text.cache_info().currsize, texts._hashed.cache_info().currsize

    texts.hashed_request_text(BACKEND, CompletionRequest(messages=long()))

    assert (texts._kept_text.cache_info().currsize, texts._hashed.cache_info().currsize) == kept

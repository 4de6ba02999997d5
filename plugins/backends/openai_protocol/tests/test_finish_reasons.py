"""The words with which servers say why an answer ended are read as the few reasons that there are."""

import pytest
from arena.errors import TransientBackendError
from arena_openai_protocol import StreamedCompletion, chat_completion, native_word
from arena_testing.fixtures.answer_shapes import ANSWER

KNOWN = {
    "stop": "stop STOP eos end_turn stop_sequence COMPLETE FINISHED eos_token eosFound FinishReason.STOP REASON_STOP",
    "length": "length model_length MAX_TOKENS LENGTH max_output_tokens max-tokens maxPredictedTokensReached limit "
    "model_context_window_exceeded REASON_MAX_LEN finish_reason_max_tokens token_limit repetition out_of_tokens",
    "tool-calls": "tool_calls function_call tool_use TOOL_CALL toolCalls",
    "content-filter": "content_filter SAFETY PROHIBITED_CONTENT RECITATION guardrail_intervened sensitive ERROR_TOXIC "
    "content_filter:PROHIBITED_CONTENT LANGUAGE",
    "declined": "refusal",
}
WORDS = [(word, reason) for reason, words in KNOWN.items() for word in words.split()]
CUT = "insufficient_system_resource error abort ERROR cancelled failed network_error timeout not_finished unload"
UNKNOWN = ["OTHER", "pause_turn", "MALFORMED_FUNCTION_CALL", "function_call_filter: MALFORMED_FUNCTION_CALL", "2"]


def read(**choice):
    """The completion of a choice."""
    body = {"choices": [{"message": {"content": ANSWER}, **choice}]}
    return chat_completion(body, wants_logprobs=False)


@pytest.mark.parametrize(("word", "reason"), WORDS, ids=[word for word, _ in WORDS])
def test_a_word_that_is_known_is_its_reason(word, reason):
    """In every spelling; it is not kept."""
    answer = read(finish_reason=word)

    assert (answer.finish_reason, answer.finish_word) == (reason, "")


@pytest.mark.parametrize("word", CUT.split())
def test_an_answer_that_the_server_cut_off_is_asked_for_again(word):
    """It did not end because the model stopped, and is no answer of it."""
    with pytest.raises(TransientBackendError, match=f"cut the answer off .'{word}'"):
        read(finish_reason=word)


@pytest.mark.parametrize("word", UNKNOWN)
def test_a_word_that_nobody_knows_is_no_stop(word):
    """It is kept as the server said it."""
    answer = read(finish_reason=word)

    assert (answer.finish_reason, answer.finish_word) == ("unknown", word)


@pytest.mark.parametrize("choice", [{}, {"finish_reason": None}, {"finish_reason": ""}, {"finish_reason": "null"}])
def test_a_server_that_says_nothing_does_not_say_that_the_answer_is_whole(choice):
    """No word is none of the known ones."""
    assert (read(**choice).finish_reason, read(**choice).finish_word) == ("unknown", "")


@pytest.mark.parametrize(
    ("told", "native", "reason"),
    [
        ("stop", "MAX_TOKENS", "length"),
        ("stop", "STOP", "stop"),
        ("tool_calls", "completed", "tool-calls"),
        ("length", "stop", "length"),
        (None, "end_turn", "stop"),
        ("stop", "whatever", "stop"),
    ],
)
def test_the_provider_knows_better_than_the_gateway_that_an_answer_is_cut_off(told, native, reason):
    """OpenRouter tells both words."""
    assert read(finish_reason=told, native_finish_reason=native).finish_reason == reason


def test_a_word_is_found_in_other_places_and_forms():
    """SGLang's object, the first field of OpenAI's for pictures, a stream that says null, a native answer."""
    stream = StreamedCompletion()
    stream.take({"choices": [{"delta": {"content": "a"}, "finish_reason": "null", "native_finish_reason": None}]})
    begun = stream.is_finished
    stream.take({"choices": [{"delta": {}, "finish_reason": "stop", "native_finish_reason": "max_tokens"}]})

    assert read(finish_reason={"type": "length", "length": 16}).finish_reason == "length"
    assert read(finish_details={"type": "max_tokens"}).finish_reason == "length"
    assert (begun, stream.is_finished) == (False, True)
    assert chat_completion(stream.response(), wants_logprobs=False).finish_reason == "length"
    assert native_word({"candidates": [{"finishReason": "SAFETY"}]}) == "SAFETY"
    assert native_word({"stopReason": "end_turn", "output": {}}) == "end_turn"
    assert native_word([]) is None

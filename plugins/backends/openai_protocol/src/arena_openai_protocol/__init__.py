"""Requests, completions and errors in OpenAI's chat protocol; a library for backends."""

from arena_openai_protocol.answers import (
    chat_completion,
    first_choice,
    logprobs,
)
from arena_openai_protocol.chat import chat_body, check_supported, sampling_body, schema_format
from arena_openai_protocol.event_stream import EventReader, StreamEvent, looks_streamed
from arena_openai_protocol.finish_reasons import Ending, ending, is_told, native_word
from arena_openai_protocol.grammar import NotInGrammar, schema_grammar
from arena_openai_protocol.http_errors import (
    ErrorBody,
    error_body,
    error_from_status,
    error_in,
    error_message,
    is_context_length,
    retry_after_s,
)
from arena_openai_protocol.keys import without
from arena_openai_protocol.messages import Said, arguments_of, as_text, content_said, listed, said_in
from arena_openai_protocol.model_list import (
    listed_abilities,
    listed_enumeration_limit,
    listed_longest_answer,
    listed_model,
    listed_prices,
    listed_provider,
)
from arena_openai_protocol.parameters import Prices, check_address, check_extra
from arena_openai_protocol.server_answers import (
    ANSWER_MB,
    AnswerBound,
    AnswerTooLong,
    answer_in,
    joined,
    read_bounded,
    read_bounded_now,
)
from arena_openai_protocol.stream_assembly import StreamedCompletion
from arena_openai_protocol.strict import strict_format, strict_schema
from arena_openai_protocol.usage_counts import UsageTold, counted, usage_told

__all__ = [
    "ANSWER_MB",
    "AnswerBound",
    "AnswerTooLong",
    "Ending",
    "ErrorBody",
    "EventReader",
    "NotInGrammar",
    "Prices",
    "Said",
    "StreamEvent",
    "StreamedCompletion",
    "UsageTold",
    "answer_in",
    "arguments_of",
    "as_text",
    "chat_body",
    "chat_completion",
    "check_address",
    "check_extra",
    "check_supported",
    "content_said",
    "counted",
    "ending",
    "error_body",
    "error_from_status",
    "error_in",
    "error_message",
    "first_choice",
    "is_context_length",
    "is_told",
    "joined",
    "listed",
    "listed_abilities",
    "listed_enumeration_limit",
    "listed_longest_answer",
    "listed_model",
    "listed_prices",
    "listed_provider",
    "logprobs",
    "looks_streamed",
    "native_word",
    "read_bounded",
    "read_bounded_now",
    "retry_after_s",
    "said_in",
    "sampling_body",
    "schema_format",
    "schema_grammar",
    "strict_format",
    "strict_schema",
    "usage_told",
    "without",
]

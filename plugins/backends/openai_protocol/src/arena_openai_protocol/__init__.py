"""Requests, completions and errors in OpenAI's chat protocol; a library for backends."""

from arena_openai_protocol.chat import (
    chat_body,
    chat_completion,
    check_supported,
    finish_reason,
    first_choice,
    logprobs,
    sampling_body,
    schema_format,
    usage,
)
from arena_openai_protocol.event_stream import EventReader, StreamEvent, looks_streamed
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
    checked,
    joined,
    read_bounded,
    read_bounded_now,
    reading,
)
from arena_openai_protocol.stream_assembly import StreamedCompletion
from arena_openai_protocol.strict import strict_format, strict_schema

__all__ = [
    "ANSWER_MB",
    "AnswerBound",
    "AnswerTooLong",
    "ErrorBody",
    "EventReader",
    "NotInGrammar",
    "Prices",
    "StreamEvent",
    "StreamedCompletion",
    "chat_body",
    "chat_completion",
    "check_address",
    "check_extra",
    "check_supported",
    "checked",
    "error_body",
    "error_from_status",
    "error_in",
    "error_message",
    "finish_reason",
    "first_choice",
    "is_context_length",
    "joined",
    "listed_abilities",
    "listed_enumeration_limit",
    "listed_longest_answer",
    "listed_model",
    "listed_prices",
    "listed_provider",
    "logprobs",
    "looks_streamed",
    "read_bounded",
    "read_bounded_now",
    "reading",
    "retry_after_s",
    "sampling_body",
    "schema_format",
    "schema_grammar",
    "strict_format",
    "strict_schema",
    "usage",
    "without",
]

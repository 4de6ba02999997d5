"""Requests, completions and errors in OpenAI's chat protocol; a library for backends."""

from arena_openai_protocol.chat import (
    chat_body,
    chat_completion,
    finish_reason,
    first_choice,
    logprobs,
    sampling_body,
    schema_format,
    usage,
)
from arena_openai_protocol.http_errors import error_from_status, error_message, retry_after_s
from arena_openai_protocol.untrusted import ANSWER_MB, AnswerTooLong, checked, read_bounded, read_bounded_now, reading

__all__ = [
    "ANSWER_MB",
    "AnswerTooLong",
    "chat_body",
    "chat_completion",
    "checked",
    "error_from_status",
    "error_message",
    "finish_reason",
    "first_choice",
    "logprobs",
    "read_bounded",
    "read_bounded_now",
    "reading",
    "retry_after_s",
    "sampling_body",
    "schema_format",
    "usage",
]

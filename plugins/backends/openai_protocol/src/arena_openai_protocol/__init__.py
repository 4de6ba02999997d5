"""Requests, completions and errors in OpenAI's chat protocol; a library for backends."""

from arena_openai_protocol.adapting import Adaptation
from arena_openai_protocol.answers import (
    chat_completion,
    first_choice,
    holds_choice,
    logprobs,
    refused_text,
)
from arena_openai_protocol.batches import (
    BATCH_HELP,
    BATCH_SHARE,
    COLLECT_HELP,
    COLLECT_S,
    POLL_HELP,
    POLL_S,
    AnthropicBatches,
    BatchEndpoint,
    BatchLine,
    Fetched,
    HasBatchSettings,
    OpenAIBatches,
    check_collect_s,
    check_poll_s,
)
from arena_openai_protocol.chat import chat_body, check_supported, sampling_body, schema_format
from arena_openai_protocol.compat import Compat, adapted, cut_at_stop, written
from arena_openai_protocol.error_bodies import ErrorBody, error_body, error_in, error_message
from arena_openai_protocol.event_stream import EventReader, StreamEvent, looks_streamed
from arena_openai_protocol.finish_reasons import WordOfEnd, ending, is_told, native_word
from arena_openai_protocol.grammar import NotInGrammar, schema_grammar
from arena_openai_protocol.headers import HEADERS_HELP, check_headers, sent_headers
from arena_openai_protocol.http_errors import error_from_status
from arena_openai_protocol.keys import without
from arena_openai_protocol.limits import begins_anew_s, limit_of, retry_after_s, told_s
from arena_openai_protocol.messages import Said, arguments_of, as_text, content_said, listed, said_in
from arena_openai_protocol.model_list import (
    listed_abilities,
    listed_enumeration_limit,
    listed_longest_answer,
    listed_model,
    listed_prices,
    listed_provider,
)
from arena_openai_protocol.parameters import PRICES_HELP, Prices, check_address, check_extra
from arena_openai_protocol.refusals import known_compat, lesson
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
from arena_openai_protocol.too_long import is_context_length, is_other_length
from arena_openai_protocol.usage_counts import UsageTold, counted, usage_told

__all__ = [
    "ANSWER_MB",
    "BATCH_HELP",
    "BATCH_SHARE",
    "COLLECT_HELP",
    "COLLECT_S",
    "HEADERS_HELP",
    "POLL_HELP",
    "POLL_S",
    "PRICES_HELP",
    "Adaptation",
    "AnswerBound",
    "AnswerTooLong",
    "AnthropicBatches",
    "BatchEndpoint",
    "BatchLine",
    "Compat",
    "ErrorBody",
    "EventReader",
    "Fetched",
    "HasBatchSettings",
    "NotInGrammar",
    "OpenAIBatches",
    "Prices",
    "Said",
    "StreamEvent",
    "StreamedCompletion",
    "UsageTold",
    "WordOfEnd",
    "adapted",
    "answer_in",
    "arguments_of",
    "as_text",
    "begins_anew_s",
    "chat_body",
    "chat_completion",
    "check_address",
    "check_collect_s",
    "check_extra",
    "check_headers",
    "check_poll_s",
    "check_supported",
    "content_said",
    "counted",
    "cut_at_stop",
    "ending",
    "error_body",
    "error_from_status",
    "error_in",
    "error_message",
    "first_choice",
    "holds_choice",
    "is_context_length",
    "is_other_length",
    "is_told",
    "joined",
    "known_compat",
    "lesson",
    "limit_of",
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
    "refused_text",
    "retry_after_s",
    "said_in",
    "sampling_body",
    "schema_format",
    "schema_grammar",
    "sent_headers",
    "strict_format",
    "strict_schema",
    "told_s",
    "usage_told",
    "without",
    "written",
]

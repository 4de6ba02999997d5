"""Why an answer ended: the words of all servers in one table, which gives the few reasons that Arena knows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

import attrs

Finish = Literal["stop", "length", "tool-calls", "content-filter", "declined", "unknown"]
Reason = Literal[Finish, "cut"]

LONGEST: Final = 60
"""The most characters that are kept of a server's word."""

_OPENAI: Final = "https://platform.openai.com/docs/api-reference/chat/object"
_RESPONSES: Final = "https://platform.openai.com/docs/api-reference/responses/object"
_ANTHROPIC: Final = "https://docs.anthropic.com/en/api/handling-stop-reasons"
_GEMINI: Final = "https://ai.google.dev/api/generate-content#FinishReason"
_BEDROCK: Final = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"
_TITAN: Final = "https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-text.html"
_COHERE: Final = "https://docs.cohere.com/reference/chat"
_COHERE_1: Final = "https://docs.cohere.com/v1/reference/chat"
_MISTRAL: Final = "https://docs.mistral.ai/api/endpoint/chat"
_DEEPSEEK: Final = "https://api-docs.deepseek.com/api/create-chat-completion"
_OPENROUTER: Final = "https://openrouter.ai/docs/api-reference/overview#finish-reason"
_XAI: Final = "https://github.com/xai-org/xai-proto/blob/main/proto/xai/api/v1/sample.proto"
_TGI: Final = "https://huggingface.github.io/text-generation-inference/"
_VLLM: Final = "https://github.com/vllm-project/vllm/blob/main/vllm/v1/engine/__init__.py"
_SGLANG: Final = "https://docs.sglang.ai/basic_usage/native_api.html"
_LLAMA_CPP: Final = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md"
_OLLAMA: Final = "https://github.com/ollama/ollama/blob/main/docs/api.md"
_LM_STUDIO: Final = "https://lmstudio.ai/docs/typescript/api-reference/llm-prediction-stop-reason"
_TOGETHER: Final = "https://docs.together.ai/reference/chat-completions-1"
_ZHIPU: Final = "https://docs.z.ai/api-reference/llm/chat-completion"
_WATSONX: Final = "https://cloud.ibm.com/apidocs/watsonx-ai#text-generation"
_ALEPH_ALPHA: Final = "https://docs.aleph-alpha.com/api/complete/"
_LLAMA_STACK: Final = "https://github.com/meta-llama/llama-stack/blob/main/llama_stack/models/llama/datatypes.py"
_ERNIE: Final = "https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11"
_TABBY: Final = "https://github.com/theroyallab/tabbyAPI/blob/main/backends/exllamav3/model.py"

_TABLE: Final[Sequence[tuple[Reason, str, str]]] = (
    ("stop", "stop", _OPENAI),
    ("stop", "completed", _RESPONSES),
    ("stop", "end_turn stop_sequence", _ANTHROPIC),
    ("stop", "complete stop_sequence", _COHERE),
    ("stop", "finished finish stop_criteria_met", _TITAN),
    ("stop", "eos_token stop_sequence", _TGI),
    ("stop", "eos", _TOGETHER),
    ("stop", "eos word", _LLAMA_CPP),
    ("stop", "eos_found stop_string_found", _LM_STUDIO),
    ("stop", "end_of_text stop_sequence_reached", _ALEPH_ALPHA),
    ("stop", "end_of_turn end_of_message", _LLAMA_STACK),
    ("stop", "stop_token stop_string", _TABBY),
    ("stop", "normal", _ERNIE),
    ("length", "length", _OPENAI),
    ("length", "max_output_tokens", _RESPONSES),
    ("length", "max_tokens model_context_window_exceeded", _ANTHROPIC),
    ("length", "max_tokens", _GEMINI),
    ("length", "max_tokens model_context_window_exceeded", _BEDROCK),
    ("length", "max_tokens error_limit", _COHERE_1),
    ("length", "model_length", _MISTRAL),
    ("length", "max_len max_context time_limit", _XAI),
    ("length", "limit", _LLAMA_CPP),
    ("length", "max_predicted_tokens_reached context_length_reached", _LM_STUDIO),
    ("length", "max_tokens token_limit time_limit", _WATSONX),
    ("length", "maximum_tokens", _ALEPH_ALPHA),
    ("length", "out_of_tokens", _LLAMA_STACK),
    ("length", "max_new_tokens", _TABBY),
    ("length", "repetition", _VLLM),  # a loop was seen, and the model did not end it
    ("length", "max_length", "https://huggingface.co/docs/transformers/internal/generation_utils"),
    ("length", "max_output", "https://platform.minimaxi.com/document/ChatCompletion_v2"),
    ("length", "model_context_window_exceeded", _ZHIPU),
    ("tool-calls", "tool_calls function_call", _OPENAI),
    ("tool-calls", "tool_use", _ANTHROPIC),
    ("tool-calls", "tool_call", _COHERE),
    ("content-filter", "content_filter", _OPENAI),
    ("content-filter", "safety recitation language blocklist prohibited_content spii model_armor", _GEMINI),
    ("content-filter", "image_safety image_prohibited_content image_recitation", _GEMINI),
    ("content-filter", "guardrail_intervened content_filtered", _BEDROCK),
    ("content-filter", "error_toxic", _COHERE_1),
    ("content-filter", "sensitive", _ZHIPU),
    ("declined", "refusal", _ANTHROPIC),
    ("cut", "failed cancelled", _RESPONSES),
    ("cut", "error", _OPENROUTER),
    ("cut", "error", _MISTRAL),
    ("cut", "error timeout user_cancel", _COHERE),
    ("cut", "insufficient_system_resource", _DEEPSEEK),
    ("cut", "abort error", _VLLM),
    ("cut", "abort", _SGLANG),
    ("cut", "load unload", _OLLAMA),
    ("cut", "user_stopped model_unloaded failed", _LM_STUDIO),
    ("cut", "network_error", _ZHIPU),
    ("cut", "not_finished cancelled error", _WATSONX),
)
"""What the words mean, and who says them; a line more is a word more. ``cut``: the server broke off, not the model.

Words that leave open whether an answer is whole (Gemini's ``OTHER``, ``MALFORMED_FUNCTION_CALL``, Anthropic's
``pause_turn``) stand in no line, as those that nobody knows.
"""

_REASONS: Final[Mapping[str, Reason]] = {word: reason for reason, words, _ in _TABLE for word in words.split()}

_NATIVE: Final[Sequence[Sequence[str | int]]] = (
    ("choices", 0, "finish_reason"),
    ("candidates", 0, "finishReason"),  # Gemini
    ("promptFeedback", "blockReason"),  # Gemini, where it says nothing
    ("stop_reason",),  # Anthropic
    ("stopReason",),  # Bedrock's Converse
    ("finish_reason",),  # Cohere
    ("done_reason",),  # Ollama
    ("incomplete_details", "reason"),  # OpenAI's responses
    ("results", 0, "completionReason"),  # Bedrock's Titan
    ("results", 0, "stop_reason"),  # watsonx
    ("outputs", 0, "stop_reason"),  # Bedrock's Mistral
    ("details", "finish_reason"),  # text-generation-inference
    ("stop_type",),  # llama.cpp
)
"""Where the protocols of providers hold the word."""

_OPEN: Final = frozenset({"stop", "tool-calls", "unknown"})
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PREFIX: Final = re.compile(r"^(?:finish_?reason|stop_?reason|reason)_+(?=.)")


@attrs.frozen
class WordOfEnd:
    """Why an answer ended; ``word`` is the server's own."""

    reason: Reason
    word: str = ""


def is_told(word: Any) -> bool:
    """Whether a server says why an answer ended, or just that it has not yet."""
    return word not in (None, "", "null", False)


def ending(choice: Mapping[str, Any]) -> WordOfEnd:
    """Why a choice ended. Where its provider's own word says that it is cut off, that counts and not the gateway's."""
    told = choice.get("finish_reason")
    told = told if is_told(told) else choice.get("finish_details")  # the first models of OpenAI's that saw pictures
    word, native = WordOfEnd(_reason(told), _shown(told)), choice.get("native_finish_reason")
    if not is_told(native) or (inner := _reason(native)) == "unknown":
        return word
    is_silent = not is_told(told)
    return WordOfEnd(inner, _shown(native)) if is_silent or (word.reason in _OPEN and inner not in _OPEN) else word


def native_word(answer: Any) -> Any:
    """The word with which an answer of any provider's own protocol says why it ended, or ``None``."""
    return next((word for word in _found(answer) if is_told(word)), None)


def _found(answer: Any) -> Iterator[Any]:
    for place in _NATIVE:
        value = answer
        for step in place:
            try:
                value = value[step]
            except (TypeError, LookupError):
                value = None
                break
        yield value


def _reason(word: Any) -> Reason:
    if isinstance(word, Mapping):  # SGLang's own: {"type": "length", "length": 16}
        word = cast("Mapping[str, Any]", word).get("type")
    if not isinstance(word, str):
        return "unknown"
    if word in _REASONS:
        return _REASONS[word]
    whole, _, _ = word.partition(":")  # content_filter: PROHIBITED_CONTENT
    return _REASONS.get(_plain(word)) or _REASONS.get(_plain(whole), "unknown")


def _plain(word: str) -> str:
    """A word as the table has it: ``FinishReason.MAX_TOKENS``, ``maxTokens`` and ``max-tokens`` are ``max_tokens``."""
    spaced = word if word.isupper() else _HUMP.sub("_", word)
    return _PREFIX.sub("", re.sub(r"[^a-z0-9]+", "_", spaced.strip().lower()))


def _shown(word: Any) -> str:
    text = " ".join(str(word).split()) if is_told(word) else ""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

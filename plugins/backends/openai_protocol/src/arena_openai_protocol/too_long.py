"""The words and codes by which servers say that a prompt is longer than a model takes: a table that grows by a line."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

CODES: Final[Mapping[str, str]] = {
    "context_length_exceeded": "OpenAI, Azure, Cerebras, llama-cpp-python: code",
    "exceed_context_size_error": "llama.cpp: type",
    "model_context_window_exceeded": "Z.ai and Anthropic: stop reason, which gateways send as a code",
    "context_window_exceeded": "Kilo and other gateways: code",
    "request_too_large": "Anthropic: type of a 413",
    "tokens_limit_reached": "GitHub Models: code of a 413",
    "1261": "Zhipu: code, 'Prompt exceeds max length'",
    "1039": "MiniMax: status_code, 'token limit'",
    "336007": "Baidu: error_code, 'the max input characters is ...'",
    "10907": "iFlytek Spark: code, 'tokens exceed the limit'",
}
"""Codes that say it, with who sends them."""

_N: Final = r"[\d,_]+"
_WINDOW: Final = r"(?:context|input|prompt|sequence)[ _](?:length|size|window|limit)"
_WORDS: Final[Mapping[str, str]] = {
    r"maximum (?:allowed )?(?:context|model|prompt|input|sequence)(?: window)?(?: token)? (?:length|limit|size)": (
        "OpenAI, vLLM, DeepSeek, OpenRouter, xAI, SGLang, Mistral, Fireworks, Poolside, Ollama"
    ),
    r"prompt (?:is )?too (?:long|large)(?! for the (?:cache|form))": "Anthropic, Vertex, Ollama, Fireworks",
    r"(?:input|request|message|conversation|context|chat history)s?(?: length)? (?:is |are )?too (?:long|large)": (
        "Bedrock 'Input is too long for requested model', StepFun, Perplexity"
    ),
    r"too large for (?:the )?model with": "Mistral: 'Prompt contains 5012 tokens, too large for model with 4096 ...'",
    rf"(?:prompt|input|inputs|messages?|request)\b.{{0,80}}(?:exceeds?|is longer than|is greater than|surpass\w*)\b"
    rf".{{0,60}}\b(?:{_WINDOW}|tokens?|max_model_len|max_seq_len|model'?s (?:limit|maximum)|limit of {_N})": (
        "OpenAI 'Your input exceeds the context window', Gemini 'The input token count exceeds', "
        "GitHub Copilot 'exceeds the limit of', TensorRT-LLM 'Prompt length exceeds maximum input length'"
    ),
    r"(?:prompt|input|context|requested|request).{0,40}\btokens?\b.{0,40}(?:exceeds?|greater than|more than|over)\b"
    rf".{{0,40}}(?:{_WINDOW}|context|max(?:imum)?|limit|n_ctx)": (
        "llama-cpp-python 'Requested tokens (5012) exceed context window of 4096', OpenAI 'Input tokens exceed the "
        "configured limit', Qwen"
    ),
    r"tokens in request more than max tokens allowed": "Vercel's and xAI's gateways",
    r"(?:context|prompt) length\b.{0,30}(?:is greater|is longer|is larger|is more|exceeds?) (?:than )?": "TabbyAPI",
    r"(?:longer|greater|larger|more) than the (?:model'?s )?(?:maximum )?(?:context|n_ctx|sequence|session)": (
        "LM Studio 'greater than the context length', Together 'longer than the model's context length', LMDeploy"
    ),
    r"exceeds? the (?:model'?s )?(?:maximum )?(?:available )?(?:context|session|sequence)": "llama.cpp, LMDeploy, MLX",
    r"context[ _](?:length|size|window)(?: limit)?(?: is| has been| was)?[ _](?:exceed|overflow|too small|only)\w*": (
        "gateways, LM Studio, MiniMax 'context window exceeds limit'"
    ),
    r"(?:exceed(?:s|ed|ing)?|over|out of)(?: the)?(?: model'?s?)?(?: maximum)? context\b": (
        "LiteLLM 'exceed context limit', Anthropic 'input length and max_tokens exceed context limit', Bedrock"
    ),
    r"exceeded model token limit": "Moonshot: 'Your request exceeded model token limit: 4096 (requested: 5012)'",
    r"reduce (?:the length|the size|the number of tokens|the amount|your (?:message|prompt|input))\b"
    r".{0,40}(?:messages?|prompt|inputs?|size|length|completion)": "Groq, Cerebras, OpenAI, SGLang, Databricks",
    r"range of input length should be": "DashScope (Qwen): 'Range of input length should be [1, 4096]'",
    r"(?:inputs?|prompt|input_ids|tokens?)\W.{0,60}(?:must|should|can) ?(?:have|be|not exceed)? ?"
    r"(?:less|fewer|at most|no more|smaller|<=?|below).{0,40}(?:tokens?|\d[\d,_]{2,}|max_seq_len|length)": (
        "TGI '`inputs` must have less than 4096 tokens', '`inputs` tokens + `max_new_tokens` must be <= 4096', "
        "SiliconFlow 'length of prompt_tokens must be less than max_seq_len'"
    ),
    r"(?:input|prompt|total)(?: number of)? tokens?\b.{0,40}(?:can ?not|must not|should not|may not) exceed": (
        "watsonx 'the number of input tokens 5012 cannot exceed the total tokens limit', TensorRT-LLM, AI21"
    ),
    r"number of tokens.{0,40}(?:can ?not|must not) exceed": "Cohere: 'too many tokens: total number of tokens ...'",
    r"(?:exceeds?|over|above) the (?:maximum|max|model'?s|total|limit|allowed).{0,40}\b(?:tokens?|context|length)": (
        "Gemini 'exceeds the maximum number of tokens allowed', Qwen, Nebius"
    ),
    r"too many (?:input |prompt |total )?tokens|max(?:imum)? input tokens|"
    r"max(?:imum)? tokens of \d+ exceeded|input token limit exceeded|tokens? limit exceeded|"
    r"tokens limit in messages|exceeds? token limit": "Cohere, Bedrock, Snowflake, GigaChat, MiniMax (1039)",
    r"string too long\. expected a string with maximum length": "OpenAI: a message longer than 10,485,760 characters",
    r"expected maxlength: \d+, actual": "Bedrock: 'expected maxLength: 4096, actual: 5012, please reformat your input'",
    r"exceeds? max(?:imum)? (?:prompt |input )?(?:length|tokens)": "Zhipu 'Prompt exceeds max length', Volcengine",
    r"context overflows|context length of only|context length is only": "LM Studio, vLLM",
    r"sum of prompt length\b.{0,60}(?:should not exceed|exceeds)": "TensorRT-LLM: prompt and answer together",
    r"max input characters": "Baidu: 'the max input characters is 4096'",
    r"request (?:entity |body |payload |size )?(?:is )?too large|payload (?:is )?too large": (
        "Groq and OpenAI 'Request too large for model ... on tokens per minute', nginx, Azure, Anthropic"
    ),
    r"request exceeds the maximum (?:size|allowed number of bytes)": "Anthropic: message of a 413",
    r"max_tokens must be at least 1, got -\d": "vLLM: nothing of the window is left for an answer",
    r"token length (?:is )?too long": "Moonshot: 'Input token length too long'",
    r"max_seq_len\b.{0,20}prompt_len": "TensorRT-LLM: 'max_seq_len (4096) - prompt_len (5012)'",
    r"maximum supported sequence length": "SambaNova: 'Requested generation length 512 is not possible! ...'",
    r"token count\b.{0,40}only supports up to": "Vertex: 'The input token count is 5012 but the model ...'",
    r"tokens?\b.{0,40}exceeds? max(?:imum)? message tokens": "Doubao: 'Total tokens of image and text exceed max ...'",
    r"exceeded this model'?s? context window": "Cloudflare: 'The estimated number of input and maximum output tokens'",
    r"payload size exceeds the limit": "Gemini: 'Request payload size exceeds the limit: 20971520 bytes'",
    r"length of (?:the |all )?(?:messages?|prompt|inputs?)\b.{0,40}exceeds?": "gateways that count characters",
    r"tokens in the (?:request|prompt)\b.{0,40}exceeds?": "gateways: 'exceeds the model's capacity'",
    r"[\d,_]+ characters\b.{0,20}\bat most [\d,_]+": "gateways that count characters",
    r"requires more tokens than": "SGLang: 'Request requires more tokens than the KV cache can hold'",
    r"(?:prompt|输入|内容|文本|上下文)\s*(?:长度)?\s*(?:超长|过长|超过|超出)": "Zhipu, Qwen, Tencent: in Chinese",
}
_SAID: Final = re.compile("|".join(f"(?:{words})" for words in _WORDS), re.IGNORECASE)
_ANSWER: Final = re.compile(
    r"max_(?:completion_|new_|output_)?tokens(?!.{0,40}got -)\W.{0,60}(?:too large|too high|exceed|must be|should be|"
    r"less than|at most|greater than)|at most [\d,_]+ (?:completion|output) tokens|"
    r"maximum value for .?max_(?:completion_|new_|output_)?tokens.{0,40}context_window|"
    r"string_above_max_length|invalid '(?!messages|(?:input|prompt)\b)[^']*'",
    re.IGNORECASE,
)
"""Words about the length of the answer, or of another field, which no shorter prompt mends."""
_PROMPT: Final = re.compile(r"context|prompt|input|messages", re.IGNORECASE)
_ANY_STATUS: Final = re.compile(r"request too large for", re.IGNORECASE)
"""Groq and OpenAI: more tokens than an account may send in a minute, for which no wait is long enough."""
_RATE: Final = re.compile(
    r"rate[ -]?limit|(?:requests?|tokens?) (?:per|a) (?:second|minute|hour|day)|too many requests", re.I
)
"""Words about how often somebody asks."""
_OTHERWISE: Final = frozenset({401, 402, 403, 404, 408, 429})


def is_other_length(said: str) -> bool:
    """Whether a refusal speaks of the length of the answer or of another field, and not of the prompt."""
    return _ANSWER.search(said) is not None and not _PROMPT.search(_ANSWER.sub("", said))


def is_context_length(status: int, said: str, codes: str | Iterable[str] = ()) -> bool:
    """Whether a request was refused because its prompt is longer than the model takes.

    ``said`` may be a whole body, ``codes`` are the server's own words for the error, or one of them.
    """
    if status >= 400 and _ANY_STATUS.search(said):
        return True
    if not (400 <= status < 500 or status == 500) or status in _OTHERWISE:
        return False
    named = (codes,) if isinstance(codes, str) else codes
    if any(code in CODES for code in named):
        return True
    if _RATE.search(said) or is_other_length(said):
        return False
    return _SAID.search(said) is not None

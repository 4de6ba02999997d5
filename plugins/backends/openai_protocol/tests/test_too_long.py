"""Prompts that are too long, in the words of the servers that refuse them."""

import json

import pytest
from arena_openai_protocol import error_body, is_context_length

SAID = {
    "OpenAI": "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "OpenAI, chat": "This model's maximum context length is 4096 tokens. However, your messages resulted in 5012",
    "OpenAI, GPT-5": "Input tokens exceed the configured limit of 4096 tokens. Your messages resulted in 5012 tokens.",
    "OpenAI, text": "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576",
    "Anthropic": "prompt is too long: 5012 tokens > 4096 maximum",
    "Anthropic, answer": "input length and `max_tokens` exceed context limit: 3900 + 512 > 4096, decrease input length",
    "Gemini": "The input token count (5012) exceeds the maximum number of tokens allowed (4096).",
    "xAI": "This model's maximum prompt length is 4096 but the request contains 5012 tokens.",
    "Groq": "Please reduce the length of the messages or completion.",
    "Cerebras": "Please reduce the length of the messages or completion. Current length is 5012 while limit is 4096",
    "Mistral": "Prompt contains 5012 tokens and 0 draft tokens, too large for model with 4096 maximum context length",
    "Moonshot": "Invalid request: Your request exceeded model token limit: 4096 (requested: 5012)",
    "DeepSeek": "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens",
    "DashScope": "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 4096]",
    "Zhipu": "Prompt exceeds max length",
    "Zhipu, Chinese": "Prompt 超长",
    "MiniMax": "invalid params, context window exceeds limit (2013)",
    "SiliconFlow": "length of prompt_tokens (5012) must be less than max_seq_len (4096).",
    "Volcengine": "Input length 5012 exceeds the maximum length 4096",
    "Cohere": "too many tokens: total number of tokens (prompt and prediction) cannot exceed 4081 - received 5012.",
    "Bedrock": "Input is too long for requested model.",
    "Bedrock, Titan": "Too many input tokens. Max input tokens: 4096, request input token count: 5012",
    "Bedrock, Llama": "expected maxLength: 4096, actual: 5012, please reformat your input and try again.",
    "Together": "The input (5012 tokens) is longer than the model's context length (4096 tokens).",
    "Fireworks": "The prompt is too long: 5012, model maximum context length: 4095",
    "GitHub Copilot": "prompt token count of 5012 exceeds the limit of 4096",
    "GitHub Models": "Request body too large for gpt-4o model. Max size: 8000 tokens.",
    "OpenRouter": "This endpoint's maximum context length is 4096 tokens. However, you requested about 5012 tokens",
    "watsonx": "the number of input tokens 5012 cannot exceed the total tokens limit 4096 for this model",
    "Databricks": "Bad request: prompt token count (5012) cannot exceed 4096. Please reduce the length of your prompt.",
    "Snowflake": "max tokens of 4096 exceeded",
    "GigaChat": "Tokens limit in messages list exceeded",
    "Poolside": "Input length 5012 exceeds the maximum allowed input length of 4096 tokens.",
    "vLLM": "The decoder prompt (length 5012) is longer than the maximum model length of 4096.",
    "vLLM, answer": "max_tokens must be at least 1, got -916.",
    "SGLang": "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested 5012",
    "TGI": "Input validation error: `inputs` must have less than 4096 tokens. Given: 5012",
    "TGI, both": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5012 and 512",
    "TensorRT-LLM": "Prompt length (5012) exceeds maximum input length (4096). Set log level to info",
    "TensorRT-LLM, sum": "The sum of prompt length (5012), max_tokens (9) should not exceed max_num_tokens (4096)",
    "llama.cpp": "the request exceeds the available context size, try increasing it",
    "llama.cpp, counted": "request (5012 tokens) exceeds the available context size (4096 tokens)",
    "llama-cpp-python": "Requested tokens (5012) exceed context window of 4096",
    "LM Studio": "The number of tokens to keep from the initial prompt is greater than the context length.",
    "LM Studio, filled": "Trying to keep the first 5012 tokens when context overflows. However, the model is "
    "loaded with context length of only 4096 tokens, which is not enough.",
    "Ollama": "prompt too long; exceeded max context length by 916 tokens",
    "Ollama, embedded": "the input length exceeds the context length",
    "TabbyAPI": "Prompt length 5012 is greater than max_seq_len 4096",
    "LMDeploy": "The input is too long: 5012 exceeds session_len 4096",
    "text-generation-webui": "This model maximum context length is 4096 tokens. Your messages resulted in 5012",
    "LiteLLM": "ContextWindowExceededError: Context Window Error - prompt is too long",
    "Baidu": "the max input characters is 4096",
    "Vercel": "Tokens in request more than max tokens allowed",
    "nginx": "<html><head><title>413 Request Entity Too Large</title></head></html>",
    "Vertex": "The input token count is 5012 but the model only supports up to 4096.",
    "Doubao": "Total tokens of image and text exceed max message tokens. Request id: 1",
    "Cloudflare": "The estimated number of input and maximum output tokens (5012) exceeded this model context window "
    "limit (4096).",
    "Gemini, bytes": "Request payload size exceeds the limit: 20971520 bytes.",
    "a gateway's characters": "length of messages exceeds the maximum of 4096 characters",
    "a gateway's limit": "180000 characters; at most 100000 are accepted",
    "a gateway's capacity": "Number of tokens in the request (5012) exceeds the model's capacity (4096)",
    "Moonshot, short": "Input token length too long",
    "TensorRT-LLM, nothing left": "default_max_tokens (-916) should be greater than 0, default_max_tokens (-916) = "
    "max_seq_len (4096) - prompt_len (5012)",
    "SambaNova": "Requested generation length 512 is not possible! The provided prompt is 4090 long, so generating 512 "
    "tokens requires a sequence length of 4602, but the maximum supported sequence length is just 4096!",
    "Reka": "The model's context window is exceeded by this conversation",
}
CODES = {
    "OpenAI": (400, {"error": {"message": "no", "code": "context_length_exceeded"}}),
    "llama.cpp": (400, {"error": {"code": 400, "message": "no", "type": "exceed_context_size_error", "n_ctx": 4096}}),
    "Anthropic": (413, {"type": "error", "error": {"type": "request_too_large", "message": "no"}}),
    "GitHub Models": (413, {"error": {"code": "tokens_limit_reached", "message": "no"}}),
    "Zhipu": (400, {"error": {"code": "1261", "message": "no"}}),
    "MiniMax": (400, {"base_resp": {"status_code": 1039, "status_msg": "no"}}),
    "Baidu": (400, {"error_code": 336007, "error_msg": "no"}),
    "a gateway's quote": (
        *(400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {}}}),
        json.dumps({"type": "error", "error": {"type": "x", "message": "prompt is too long: 5012 tokens > 4096"}}),
    ),
}
NOT = [
    "max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.",
    "`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens` is less than the "
    "`context_window` for this model",
    "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for m",
    "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string with length 65.",
    "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got one of 65.",
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64",
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129",
    "Request exceeds rate limit of 10 requests per minute",
    "'temperature' must be less than 2",
    "Rate limit exceeded: too many input tokens per minute",
    "out of memory",
    "The model m does not exist",
    "top_logprobs must be at most 20",
]


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_a_prompt_that_is_too_long_is_known_by_its_words(said, status):
    """Each server has its own words and status for it."""
    assert is_context_length(status, said)


@pytest.mark.parametrize(("status", "body", "raw"), [(*each, "")[:3] for each in CODES.values()], ids=CODES)
def test_a_prompt_that_is_too_long_is_known_by_its_code(status, body, raw):
    """Whatever the message says, wherever in the body the code stands."""
    if raw:
        body["error"]["metadata"]["raw"] = raw
    said = error_body(json.dumps(body))

    assert is_context_length(status, said.said, said.codes)


@pytest.mark.parametrize("status", [413, 429])
def test_a_request_that_no_minute_allows_is_too_long(status):
    """More tokens than an account may send in a minute: no wait is long enough."""
    said = "Request too large for `m` in organization o on tokens per minute (TPM): Limit 6000, Requested 7012"

    assert is_context_length(status, said, "rate_limit_exceeded")


@pytest.mark.parametrize("said", NOT)
def test_what_no_shorter_prompt_mends_is_not_too_long(said):
    """The length asked of an answer, other fields and limits of a minute have the same words."""
    assert not is_context_length(400, said)
    assert not is_context_length(429, "prompt is too long")


def test_an_answer_that_speaks_of_it_is_an_answer():
    """What a model writes is no error, whatever words are in it."""
    assert not is_context_length(200, "Request too large for a small model: your prompt is too long.")

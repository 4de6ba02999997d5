"""Models behind OpenAI's chat protocol: OpenAI itself, and every server that speaks ``/v1/chat/completions``."""

from typing import Final

from arena.backend import BATCH, IMAGES, LOGPROBS, SCHEMA, SEED, TOOLS
from arena.plugin import Plugin

_OTHERS: Final = "anthropic|azure|bedrock|cohere|gemini|huggingface|ollama|replicate|sagemaker|vertex_ai|watsonx"
"""What LiteLLM calls providers that are asked in another protocol, even where an address is given."""
_MARKS: Final = "hosted_vllm|llamafile|lm_studio|ollama_chat|openai"
"""What LiteLLM calls servers that speak the protocol; the models there are not called so."""

OPENAI_COMPATIBLE = Plugin(
    factory="arena_backend_openai_compatible.backend:OpenAICompatible",
    summary="OpenAI, OpenRouter, vLLM, llama.cpp, Ollama, LM Studio and others of OpenAI's protocol, asked directly",
    capabilities=frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH}),
    model_patterns=(
        r"openai/(?P<model>\S+)",
        r"https?://openrouter\.ai(?:/\S*)? (?:openrouter/)?(?P<model>\S+)",
        rf"https?://\S+ (?:{_MARKS})/(?P<model>\S+)",
        # A plain word is rather an agent whose name is misspelt.
        rf"https?://\S+ (?!(?:{_OTHERS})/)(?=\S*[/:\d])(?P<model>\S+)",
    ),
    order=50,
    example={"model": "Qwen/Qwen3-8B", "base_url": "http://127.0.0.1:8000/v1", "temperature": 0.7},
    licence="Apache-2.0; aiohttp: Apache-2.0; msgspec: BSD-3-Clause",
)

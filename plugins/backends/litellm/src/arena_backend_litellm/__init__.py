"""Models behind a network API: every provider that LiteLLM knows, and the user's own servers."""

from arena.backend import BATCH, IMAGES, LOGPROBS, SCHEMA, SEED, TOOLS
from arena.plugin import Plugin, Requirement

LITELLM = Plugin(
    factory="arena_backend_litellm.backend:LiteLLM",
    summary="hosted models of every provider LiteLLM knows, and servers of your own that speak OpenAI's protocol",
    requirements=(Requirement("litellm", package="litellm"),),
    capabilities=frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH}),
    model_patterns=(r"(?!.*\.gguf$)[A-Za-z][\w.-]*/\S+",),
    example={"model": "openai/gpt-4o", "temperature": 0.0, "max_tokens": 1024},
    licence="Apache-2.0; LiteLLM: MIT",
)

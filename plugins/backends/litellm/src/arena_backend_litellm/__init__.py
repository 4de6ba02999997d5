"""Models behind an interface on the network: every provider LiteLLM knows, and servers of one's own."""

from arena.backend import BATCH, IMAGES, LOGPROBS, SCHEMA, SEED, TOOLS
from arena.plugin import Need, Plugin

LITELLM = Plugin(
    factory="arena_backend_litellm.backend:LiteLLM",
    summary="hosted models of every provider LiteLLM knows, and servers of your own that speak OpenAI's protocol",
    needs=(Need("litellm", "pip install litellm"),),
    capabilities=frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH}),
    models=(r"(?!.*\.gguf$)[A-Za-z][\w.-]*/\S+",),
    example={"model": "openai/gpt-4o", "temperature": 0.0, "max_tokens": 1024},
    licence="Apache-2.0; LiteLLM: MIT",
)

"""Sets environment variables for vLLM, except those that the user has set."""

import os
from collections.abc import Mapping

FOLLOWS = "ARENA_VLLM_FOLLOWS"
"""Set for the processes that vLLM starts, so that they end with the process that started them."""

DEFAULTS: Mapping[str, str] = {
    "VLLM_NO_USAGE_STATS": "1",  # vLLM reports usage statistics over the network otherwise
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    # Forked processes would inherit locks that threads of this process hold, and wait for them forever.
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    "TOKENIZERS_PARALLELISM": "false",
    FOLLOWS: "1",
}


def environment() -> dict[str, str]:
    """The environment for vLLM processes that this one starts."""
    return {**DEFAULTS, **os.environ}

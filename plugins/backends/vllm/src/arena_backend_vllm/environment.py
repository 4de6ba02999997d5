"""What vLLM is told by environment variables; what the user has set stays."""

import os
from collections.abc import Mapping

FOLLOWS = "ARENA_VLLM_FOLLOWS"
"""Tells processes that vLLM starts to end with the one that started them."""

DEFAULTS: Mapping[str, str] = {
    "VLLM_NO_USAGE_STATS": "1",  # it reports its use over the network otherwise
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    # Forked processes would inherit the locks of this one's threads.
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    "TOKENIZERS_PARALLELISM": "false",
    FOLLOWS: "1",
}


def environment() -> dict[str, str]:
    """This process's environment for a vLLM of our own."""
    return {**DEFAULTS, **os.environ}

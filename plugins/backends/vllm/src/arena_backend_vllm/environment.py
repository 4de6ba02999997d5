"""Sets environment variables for vLLM, except those that the user has set, and knows which hold its secrets."""

import os
from collections.abc import Mapping
from typing import Final

from arena.backend import Secret

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


_SECRETS: Final = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "VLLM_API_KEY", "S3_SECRET_ACCESS_KEY")
"""Variables that vLLM, and the library with which it loads models, read by themselves."""

SHORTEST: Final = 8
"""Shorter values are not taken for secrets: cutting them would garble ordinary texts."""


def own_secrets() -> tuple[Secret, ...]:
    """The variables that are set and hold secrets which vLLM reads by itself."""
    return tuple(Secret(name) for name in _SECRETS if len(os.environ.get(name, "")) >= SHORTEST)


def environment() -> dict[str, str]:
    """The environment for vLLM processes that this one starts."""
    return {**DEFAULTS, **os.environ}

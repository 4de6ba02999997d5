"""Runs llama.cpp in this process, by default with a small model that needs neither key nor hub."""

from arena.backend import BATCH, LOGPROBS, OFFLINE, SCHEMA, SEED
from arena.plugin import Plugin, Requirement

LLAMACPP = Plugin(
    factory="arena_backend_llamacpp.backend:LlamaCpp",
    summary="llama.cpp in this process: the embedded model, or any GGUF file",
    requirements=(Requirement("xllamacpp", package="xllamacpp"),),
    capabilities=frozenset({SCHEMA, SEED, LOGPROBS, BATCH, OFFLINE}),
    model_patterns=(r"smollm2-135m-instruct", r"smollm", r".+\.gguf"),
    example={"model": "smollm2-135m-instruct", "temperature": 0.0, "slots": 2},
    licence="Apache-2.0; llama.cpp and xllamacpp: MIT; SmolLM2-135M-Instruct: Apache-2.0",
)

"""A backend without a model: answers by rules, from a list or a file, or legal ones at random; faults on demand."""

from arena.backend import BATCH, IMAGES, OFFLINE, SCHEMA, SEED, TOOLS
from arena.plugin import Plugin

SCRIPTED = Plugin(
    factory="arena_backend_scripted.backend:Scripted",
    summary="answers by rules, from a file, or legal ones at random, with latency and faults; for tests and load",
    capabilities=frozenset({SCHEMA, SEED, TOOLS, IMAGES, BATCH, OFFLINE}),
    example={"latency_s": 0.1, "faults": [{"kind": "rate-limit", "share": 0.05, "retry_after_s": 1.0}]},
    licence="Apache-2.0",
)

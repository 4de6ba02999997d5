"""The parameters of the backend; the HTTP client is imported only when a connection is made."""

import asyncio
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import attrs
from arena.backend import (
    BATCH,
    IMAGES,
    LOGPROBS,
    SCHEMA,
    SEED,
    TOOLS,
    Backend,
    Connection,
    Price,
    Sampling,
    Secret,
)
from arena_openai_protocol import (
    ANSWER_MB,
    BATCH_HELP,
    BATCH_SHARE,
    COLLECT_HELP,
    COLLECT_S,
    HEADERS_HELP,
    POLL_HELP,
    POLL_S,
    PRICES_HELP,
    Compat,
    Prices,
    UsageTold,
    check_address,
    check_collect_s,
    check_extra,
    check_headers,
    check_poll_s,
    listed_abilities,
    listed_enumeration_limit,
    listed_longest_answer,
    listed_model,
    listed_prices,
    sent_headers,
)
from attrs.validators import deep_iterable, gt, in_, optional

from arena_backend_openai_compatible.servers import OPENAI, host, is_openai, known_server, proxy_address

SchemaWay = Literal["auto", "json-schema", "json-object", "guided-json", "grammar", "grammar-string", "none"]
_WAYS: tuple[SchemaWay, ...] = get_args(SchemaWay)
GRAMMARS: Mapping[SchemaWay, str] = {"grammar": "grammar", "grammar-string": "grammar_string"}
"""The fields in which servers take a grammar, by the way that is named after them."""

_OURS: Mapping[str, str] = {
    "guided_json": "write schema: guided-json",
    "prompt_cache_key": "write cache-prompt: true",
    **dict.fromkeys(("stream", "stream_options"), "write stream: true beside extra"),
}
_ENDPOINT = "/chat/completions"
EXTRA_HEADERS = "extra_headers"
"""What of ``extra`` OpenAI's own client sends as headers: it is sent so, and stands in no body."""


def check_base_url(owner: object, field: object, address: str) -> None:
    """Validate the address of a server, which is the one before the endpoint of the protocol."""
    check_address(owner, field, address)
    if address.rstrip("/").endswith(_ENDPOINT):
        before = address.rstrip("/").removesuffix(_ENDPOINT)
        raise ValueError(f"expected the address before {_ENDPOINT}, which is added; write {before!r}")


def _check_model(owner: "OpenAICompatible", _field: object, model: str) -> None:
    if not model or model != "".join(model.split()):
        raise ValueError(f"expected the name that the server gives the model, without spaces, got {model!r}")
    if owner.base_url is None and model.startswith("openai/"):
        raise ValueError(f"without base-url OpenAI is asked, whose name for it is {model.removeprefix('openai/')!r}")


def _check_way(_owner: object, _field: object, way: str) -> None:
    if way not in _WAYS:
        raise ValueError(f"expected one of {', '.join(_WAYS)}, got {way!r}")


def _check_batch(owner: "OpenAICompatible", _field: object, batch: bool) -> None:
    if batch and owner.stream:
        raise ValueError("a batch is not read while it is written; leave out stream: true")


def _check_extra(owner: "OpenAICompatible", _field: object, extra: Mapping[str, Any]) -> None:
    # Whoever forces answers in another way may send a grammar of their own.
    written = {GRAMMARS[owner.schema]: f"schema: {owner.schema} writes it"} if owner.schema in GRAMMARS else {}
    check_extra(extra, {**_OURS, **written})
    if not isinstance(headers := extra.get(EXTRA_HEADERS, {}), Mapping):
        raise ValueError(f"{EXTRA_HEADERS}: expected a table of headers, got {headers!r}")
    check_headers(owner, _field, headers)


@attrs.frozen(kw_only=True)
class OpenAICompatible(Backend):
    """A model behind OpenAI's chat protocol, asked without a library between.

    Its abilities and price are those that LiteLLM's list has of the models of known providers, where LiteLLM is
    installed; ``can`` and ``prices`` are for all others. A key goes to the address for which it is named, and nowhere
    else: without ``api_key``, a known provider gets the one in its usual variable, other servers get none.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH})

    base_url: str | None = attrs.field(
        default=None,
        validator=optional(check_base_url),
        metadata={
            "help": "the server's address, such as http://127.0.0.1:8000/v1 (a bare one gets /v1); unset: OpenAI",
            "secrets": True,
        },
    )
    model: str = attrs.field(validator=_check_model, metadata={"help": "the model as the server calls it"})
    api_key: Secret | None = attrs.field(
        default=None,
        metadata={"help": "the key as ${NAME}; unset: of a known provider its usual variable, like OPENAI_API_KEY"},
    )
    schema: SchemaWay = attrs.field(
        default="auto",
        validator=_check_way,
        metadata={
            "help": "how answers are forced into a JSON schema: json-schema, json-object (JSON alone), guided-json "
            "(older vLLM), grammar (older llama.cpp, KoboldCpp), grammar-string (text-generation-webui), none; auto: "
            "json-schema where the model can"
        },
    )
    cache_prompt: bool = attrs.field(
        default=False,
        metadata={"help": "mark the part of prompts that stays, for providers that want that to cache it"},
    )
    stream: bool = attrs.field(
        default=False,
        metadata={
            "help": "read answers while they are written: a request that is cancelled stops the server, and the time "
            "to the first token is recorded; the answer is the same"
        },
    )
    prices: Prices | None = attrs.field(default=None, metadata={"help": PRICES_HELP})
    batch: bool = attrs.field(default=False, validator=_check_batch, metadata={"help": BATCH_HELP})
    batch_collect_s: float = attrs.field(default=COLLECT_S, validator=check_collect_s, metadata={"help": COLLECT_HELP})
    batch_poll_s: float = attrs.field(default=POLL_S, validator=check_poll_s, metadata={"help": POLL_HELP})
    can: tuple[str, ...] | None = attrs.field(
        default=None,
        validator=optional(deep_iterable(in_(sorted(capabilities)))),
        metadata={"help": f"all that the model can do, of {', '.join(sorted(capabilities))}; unset: LiteLLM's list"},
    )
    seed: int | None = attrs.field(
        default=None, metadata={"help": "sent where the agent sends none; unset: nothing is sent then"}
    )
    ca_file: Path | None = attrs.field(
        default=None,
        metadata={"help": "certificates that are trusted beside the system's, as a PEM file", "file_use": "loaded"},
    )
    max_answer_mb: float = attrs.field(
        default=ANSWER_MB, validator=gt(0), metadata={"help": "megabytes that are read of one answer, at most"}
    )
    compat: Compat = attrs.field(factory=Compat, metadata={"help": "what the server takes otherwise than OpenAI's"})
    headers: Mapping[str, str] = attrs.field(
        factory=dict[str, str],
        validator=check_headers,
        hash=False,
        metadata={"help": HEADERS_HELP, "secrets": True},
    )
    extra: Mapping[str, Any] = attrs.field(
        factory=dict[str, Any],
        validator=_check_extra,
        hash=False,
        metadata={"help": "more parameters in the body of each request, as they are: {top_k: 20}", "secrets": True},
    )

    @property
    def address(self) -> str:
        """The address of the server, with variables as ``${NAME}``."""
        return self.base_url or OPENAI

    def supports(self) -> frozenset[str]:
        """The capabilities listed in ``can``, else those known of the model; ``schema`` adds or takes away schemas."""
        return self._able

    def price(self) -> Price | None:
        """The price given in ``prices``, else that of LiteLLM's list."""
        prices = self.known_prices()
        return None if prices is None else prices.price()

    def known_prices(self) -> Prices | None:
        """The prices given, else those of LiteLLM's list; of batches if it asks in batches."""
        return self._prices_of(0)

    def _prices_of(self, prompt_tokens: int) -> Prices | None:
        listed = self._listed()
        found = self.prices or (listed_prices(listed, prompt_tokens) if listed else None)
        return found.times(BATCH_SHARE) if self.batch and found is not None else found

    def cost_usd(self, told: UsageTold) -> float | None:
        """What an answer cost: by the prices of the benchmark, else what the server says, else by LiteLLM's list."""
        if self.prices is None and told.cost_usd is not None:
            return told.cost_usd
        used = told.usage
        prices = self._prices_of(used.prompt_tokens)
        return prices.cost_usd(used, told.stored_tokens) if prices is not None and used.prompt_tokens else None

    def longest_answer(self) -> int | None:
        """``max_tokens``, else the most that LiteLLM's list says the model writes."""
        listed = self._listed()
        return self.max_tokens or (listed_longest_answer(listed) if listed else None)

    def enumeration_limit(self) -> int | None:
        """1,000 where OpenAI's own servers enforce schemas; others name no limit."""
        return listed_enumeration_limit("azure/", is_own_server=False) if is_openai(self.address) else None

    def key(self) -> Secret | None:
        """The key that is sent: the one given, else that of a known provider if it is set."""
        known = known_server(self.address)
        if self.api_key is not None or known is None:
            return self.api_key
        found = Secret(known.variable)
        return None if found.value() is None else found

    def headers_sent(self) -> Mapping[str, str]:
        """The headers that the benchmark gives, with the values of their variables; errors as in ``sent_headers``."""
        return sent_headers({**self.extra.get(EXTRA_HEADERS, {}), **self.headers})

    def own_keys(self) -> Mapping[str, str]:
        """The usual variable of a known provider, with its host."""
        known = known_server(self.address)
        return {} if known is None else {known.variable: host(self.address)}

    def keys_sent(self) -> Iterable[tuple[str, str]]:
        """Every secret, with the address of the server."""
        return [(secret.variable, self.address) for secret in self.secrets()]

    def secrets(self) -> tuple[Secret, ...]:
        """The key, and the variables in the address, in ``headers`` and in ``extra``."""
        found, key = self._named, self.key()
        return found if key is None or key in found else (*found, key)

    @cached_property
    def _named(self) -> tuple[Secret, ...]:
        """The secrets that its parameters name."""
        return Backend.secrets(self)

    def with_defaults(self, asked: Sampling) -> Sampling:
        """``asked``, with open values filled in from the backend's own settings, seed and extras included."""
        completed = super().with_defaults(asked)
        if not self.extra and (self.seed is None or completed.seed is not None):
            return completed
        seed = self.seed if completed.seed is None else completed.seed
        return attrs.evolve(completed, seed=seed, extra={**self.extra, **completed.extra})

    def obstacles(self) -> Iterable[str]:
        """A known provider's key that is set nowhere, and a file of certificates that is not there.

        With ``batch`` the server is asked for its list of batches, which costs nothing. ``ConfigError`` for a header or
        a proxy that cannot be used.
        """
        if lacking := self.lacking_key():
            yield lacking
        self.headers_sent()
        proxy_address("https" if self.address.startswith("https") else "http", host(self.address))
        if self.ca_file is not None and not self.ca_file.expanduser().is_file():
            yield f"there is no file {str(self.ca_file)!r}; correct ca-file"
        elif self.batch:
            module = import_module("arena_backend_openai_compatible.connection")
            asyncio.run(module.check_batches(self))

    def lacking_key(self) -> str | None:
        """Why a known provider would refuse every request for want of a key, or ``None``."""
        known = known_server(self.address)
        if known is None or self.key() is not None:
            return None
        return f"no key for {self.model}: the environment does not hold {known.variable}; set it or put it into .env"

    async def connect(self) -> Connection:
        """Open a pool of connections, without a request; ``ArenaError`` if the key or the certificates are missing."""
        # Importing the client and reading the system's certificates would hold up the event loop.
        module = await asyncio.to_thread(import_module, "arena_backend_openai_compatible.connection")
        return module.connect(self)

    @cached_property
    def _able(self) -> frozenset[str]:
        able = self._expected() if self.can is None else frozenset(self.can)
        if self.schema == "auto":
            return able
        return able - {SCHEMA} if self.schema == "none" else able | {SCHEMA}

    def _expected(self) -> frozenset[str]:
        listed = self._listed()
        if listed and listed_model(listed):
            return listed_abilities(listed, is_own_server=False)
        if is_openai(self.address):
            return frozenset({SCHEMA, SEED, TOOLS, IMAGES})
        return listed_abilities(listed, is_own_server=False) if listed else frozenset({SCHEMA, SEED})

    def _listed(self) -> str | None:
        """The model's name in LiteLLM's list, or ``None`` where nobody's list has the models of the server."""
        known = known_server(self.address)
        return f"{known.provider}/{self.model}" if known else None

"""A model through LiteLLM, which is imported only when a connection is made."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, ClassVar
from urllib.parse import urlsplit

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
    check_address,
    check_collect_s,
    check_extra,
    check_headers,
    check_poll_s,
    listed_abilities,
    listed_enumeration_limit,
    listed_longest_answer,
    listed_prices,
    sent_headers,
)
from attrs.validators import deep_iterable, gt, in_, optional

from arena_backend_litellm.keys import environment_secrets, other_places, provider_of

_OURS: Mapping[str, str] = {
    "api_key": "write api-key: ${NAME}",
    "api_base": "write base-url",
    "base_url": "write base-url",
    "api_version": "write api-version",
    "timeout": "write request-timeout-s",
    "request_timeout": "write request-timeout-s",
    "num_retries": "write max-attempts",
    "max_retries": "write max-attempts",
    **dict.fromkeys(
        (
            "fallbacks",
            "model_list",
            "litellm_params",
            "context_window_fallback_dict",
            "mock_response",
            "mock_tool_calls",
            "drop_params",
            "caching",
        ),
        "what is played must be what was asked and answered",
    ),
}


def _check_model(_owner: object, _field: object, model: str) -> None:
    if not re.fullmatch(r"\S+", model):
        raise ValueError(f"expected a name like 'openai/gpt-4o', got {model!r}")


def check_base_url(owner: object, field: object, address: str) -> None:
    """Validate the address of a server, to which LiteLLM sends no password that stands in it."""
    check_address(owner, field, address)
    if "@" in urlsplit(address).netloc:
        advice = "write the password as api-key: ${NAME}, or use openai-compatible, which sends both"
        raise ValueError(f"LiteLLM sends no user and no password that stand in an address; {advice}")
    if urlsplit(address).query:
        raise ValueError("LiteLLM writes its path behind a query; use openai-compatible, or api-version for Azure")


_OF_FILES = ("file", "path", "credentials", "cert", "pem", "verify")
"""What stands in the names of LiteLLM's parameters that lead to files."""


HEADERS = "extra_headers"
"""What LiteLLM calls headers of a request."""


def _check_extra(owner: object, field: object, extra: Mapping[str, Any]) -> None:
    check_extra(extra, _OURS)
    if not isinstance(headers := extra.get(HEADERS, {}), Mapping):
        raise ValueError(f"{HEADERS}: expected a table of headers, got {headers!r}")
    check_headers(owner, field, headers)


@attrs.frozen(kw_only=True)
class LiteLLM(Backend):
    """A model that is reached through LiteLLM.

    Its abilities and price are what LiteLLM's list says of the model; ``can`` and ``prices`` are for models that are
    not in it. Keys come from ``api_key`` or the variables LiteLLM looks into. If an address is given, of these only the
    provider's usual variable is sent there.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH})

    model: str = attrs.field(
        validator=_check_model, metadata={"help": "PROVIDER/MODEL as LiteLLM names it: openai/gpt-4o, hosted_vllm/NAME"}
    )
    base_url: str | None = attrs.field(
        default=None,
        validator=optional(check_base_url),
        metadata={"help": "address of the server: your own, or one that stands in for the provider", "secrets": True},
    )
    api_key: Secret | None = attrs.field(
        default=None, metadata={"help": "the key as ${NAME}; unset: the variables LiteLLM knows, like OPENAI_API_KEY"}
    )
    api_version: str | None = attrs.field(default=None, metadata={"help": "for providers that ask for one, like Azure"})
    prices: Prices | None = attrs.field(default=None, metadata={"help": PRICES_HELP})
    batch: bool = attrs.field(default=False, metadata={"help": BATCH_HELP})
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
    max_answer_mb: float = attrs.field(
        default=ANSWER_MB, validator=gt(0), metadata={"help": "megabytes that are read of one answer, at most"}
    )
    compat: Compat = attrs.field(factory=Compat, metadata={"help": "what the model takes otherwise than OpenAI's"})
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
        metadata={
            "help": "more parameters of the provider or of LiteLLM, sent as they are",
            "secrets": True,
            "names_file": lambda given: any(word in name for name in given["extra"] for word in _OF_FILES),
            "file_use": "sent",
        },
    )

    def supports(self) -> frozenset[str]:
        """The capabilities listed in ``can``, else those known of the model; LiteLLM is not imported for it."""
        if self.can is not None:
            return frozenset(self.can)
        return listed_abilities(self.model, is_own_server=self.base_url is not None)

    def price(self) -> Price | None:
        """The price given in ``prices``, else that of LiteLLM's list."""
        known = self.known_prices()
        return None if known is None else known.price()

    def known_prices(self, prompt_tokens: int = 0) -> Prices | None:
        """The prices given, else those of LiteLLM's list for so long a prompt; of batches if it asks in batches."""
        found = self.prices or listed_prices(self.model, prompt_tokens)
        return found.times(BATCH_SHARE) if self.batch and found is not None else found

    def longest_answer(self) -> int | None:
        """``max_tokens``, else the most that LiteLLM's list says the model writes."""
        return self.max_tokens or listed_longest_answer(self.model)

    def enumeration_limit(self) -> int | None:
        """1,000 where OpenAI's own servers enforce schemas; other providers name no limit."""
        return listed_enumeration_limit(self.model, is_own_server=self.base_url is not None)

    def secrets(self) -> tuple[Secret, ...]:
        """The key, those of the provider that a ``.env`` holds, and every variable that is named like a key."""
        kept = [Secret(name) for name in self.own_keys() if name in Secret.kept]
        return tuple(dict.fromkeys((*super().secrets(), *kept, *environment_secrets())))

    def own_keys(self) -> Mapping[str, str]:
        """The variables of the provider with its host, or its name where LiteLLM alone knows the host."""
        provider = provider_of(self.model)
        return dict.fromkeys(provider.variables, provider.host)

    def keys_sent(self) -> Iterable[tuple[str, str]]:
        """The secrets among the parameters, and the provider's variables unless ``api_key`` stands for them."""
        provider, others = provider_of(self.model), tuple(self.elsewhere())
        named = [secret.variable for secret in Backend.secrets(self)]
        if self.api_key is None:
            named += [name for name in provider.variables if Secret(name).value() is not None]
            if others and provider.has_logins:
                named.append(provider.variables[0])
        return [(name, place) for place in others or (provider.host,) for name in named]

    def elsewhere(self) -> Iterable[str]:
        """The addresses that are given and are not of LiteLLM's own choice."""
        return other_places(self.model, self.base_url, self.extra)

    def with_defaults(self, asked: Sampling) -> Sampling:
        """``asked``, with open values filled in from the backend's own settings, seed and extras included."""
        completed = super().with_defaults(asked)
        seed = self.seed if completed.seed is None else completed.seed
        return attrs.evolve(completed, seed=seed, extra={**self.extra, **completed.extra})

    def obstacles(self) -> Iterable[str]:
        """A key that is set nowhere, a provider that LiteLLM does not know, a header that cannot be sent.

        Importing LiteLLM takes seconds. With ``batch`` the provider is asked for its list of batches, which costs
        nothing.
        """
        self.headers_sent()
        module: Any = import_module("arena_backend_litellm.connection")
        lacking: str | None = module.lacking_key(self)
        if lacking is None and self.batch:
            asyncio.run(import_module("arena_backend_litellm.batches").check_batches(self))
        return [lacking] if lacking else []

    def headers_sent(self) -> Mapping[str, str]:
        """The headers that the benchmark gives, with the values of their variables; errors as in ``sent_headers``."""
        return sent_headers({**self.extra.get(HEADERS, {}), **self.headers})

    async def connect(self) -> Connection:
        """Import LiteLLM and find the provider, without a request; raises ``BackendError`` if there is none."""
        name = "batches" if self.batch else "connection"
        module: Any = await asyncio.to_thread(import_module, f"arena_backend_litellm.{name}")
        return await asyncio.to_thread(module.connect, self)

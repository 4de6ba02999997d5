"""The parameters of the LiteLLM backend; LiteLLM itself is imported only when a connection is made."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

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
    Prices,
    check_address,
    check_extra,
    listed_abilities,
    listed_enumeration_limit,
    listed_longest_answer,
    listed_prices,
    read_dotenv,
)
from attrs.validators import deep_iterable, gt, in_, optional

from arena_backend_litellm.keys import environment_secrets

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
        ("fallbacks", "context_window_fallback_dict", "mock_response", "mock_tool_calls", "drop_params", "caching"),
        "what is played must be what was asked and answered",
    ),
}


def _check_model(_owner: object, _field: object, model: str) -> None:
    if not re.fullmatch(r"\S+", model):
        raise ValueError(f"expected a name like 'openai/gpt-4o', got {model!r}")


_OF_FILES = ("file", "path", "credentials", "cert", "pem", "verify")
"""What stands in the names of LiteLLM's parameters that lead to files."""


def _check_extra(_owner: object, _field: object, extra: Mapping[str, Any]) -> None:
    check_extra(extra, _OURS)


@attrs.frozen(kw_only=True)
class LiteLLM(Backend):
    """A model that is reached through LiteLLM.

    Its abilities and price are what LiteLLM's list says of the model; ``can`` and ``prices`` are for models that are
    not in it. Keys come from ``api_key`` or the variables LiteLLM looks into, set in the environment or in a ``.env``
    file.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({SCHEMA, TOOLS, IMAGES, SEED, LOGPROBS, BATCH})

    model: str = attrs.field(
        validator=_check_model, metadata={"help": "PROVIDER/MODEL as LiteLLM names it: openai/gpt-4o, hosted_vllm/NAME"}
    )
    base_url: str | None = attrs.field(
        default=None,
        validator=optional(check_address),
        metadata={"help": "address of the server: your own, or one that stands in for the provider", "secrets": True},
    )
    api_key: Secret | None = attrs.field(
        default=None, metadata={"help": "the key as ${NAME}; unset: the variables LiteLLM knows, like OPENAI_API_KEY"}
    )
    api_version: str | None = attrs.field(default=None, metadata={"help": "for providers that ask for one, like Azure"})
    prices: Prices | None = attrs.field(
        default=None,
        metadata={"help": "{input, output, cached} in US dollars for a million tokens; unset: LiteLLM's list"},
    )
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
    extra: Mapping[str, Any] = attrs.field(
        factory=dict[str, Any],
        validator=_check_extra,
        hash=False,
        metadata={
            "help": "more parameters of the provider or of LiteLLM, sent as they are",
            "secrets": True,
            "names_file": lambda given: any(word in name for name in given["extra"] for word in _OF_FILES),
        },
    )

    def supports(self) -> frozenset[str]:
        """The capabilities listed in ``can``, else those known of the model; LiteLLM is not imported for it."""
        if self.can is not None:
            return frozenset(self.can)
        return listed_abilities(self.model, is_own_server=self.base_url is not None)

    def price(self) -> Price | None:
        """The price given in ``prices``, else that of LiteLLM's list."""
        if self.prices is not None:
            return self.prices.price()
        listed = listed_prices(self.model)
        return None if listed is None else listed.price()

    def longest_answer(self) -> int | None:
        """``max_tokens``, else the most that LiteLLM's list says the model writes."""
        return self.max_tokens or listed_longest_answer(self.model)

    def enumeration_limit(self) -> int | None:
        """1,000 where OpenAI's own servers enforce schemas; other providers name no limit."""
        return listed_enumeration_limit(self.model, is_own_server=self.base_url is not None)

    def secrets(self) -> tuple[Secret, ...]:
        """The key, and every variable of the environment and of ``.env`` that is named like a key."""
        read_dotenv()
        return tuple(dict.fromkeys((*super().secrets(), *environment_secrets())))

    def with_defaults(self, asked: Sampling) -> Sampling:
        """``asked``, with open values filled in from the backend's own settings, seed and extras included."""
        completed = super().with_defaults(asked)
        seed = self.seed if completed.seed is None else completed.seed
        return attrs.evolve(completed, seed=seed, extra={**self.extra, **completed.extra})

    def obstacles(self) -> Iterable[str]:
        """A key that is set nowhere, or a provider that LiteLLM does not know; importing LiteLLM takes seconds."""
        from arena_backend_litellm.connection import lacking_key

        return [lacking] if (lacking := lacking_key(self)) else []

    async def connect(self) -> Connection:
        """Import LiteLLM and find the provider, without a request; raises ``BackendError`` if there is none."""
        from arena_backend_litellm.connection import connect

        return await asyncio.to_thread(connect, self)

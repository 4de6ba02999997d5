"""A model through LiteLLM, which is imported only when a connection is made."""

import asyncio
import contextlib
import re
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from inspect import isawaitable
from typing import Any, ClassVar, cast
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
    Completion,
    CompletionRequest,
    Connection,
    Price,
    Sampling,
    Secret,
    revealed,
)
from arena.errors import BackendUnavailable
from arena.record import JSON
from arena_openai_protocol import (
    ANSWER_MB,
    HEADERS_HELP,
    Adaptation,
    Compat,
    Prices,
    UsageTold,
    adapted,
    chat_completion,
    check_address,
    check_extra,
    check_headers,
    check_supported,
    cut_at_stop,
    error_in,
    listed_abilities,
    listed_enumeration_limit,
    listed_longest_answer,
    listed_prices,
    native_word,
    sent_headers,
    usage_told,
)
from attrs.validators import deep_iterable, gt, in_, optional

from arena_backend_litellm.answer_bounds import bounded
from arena_backend_litellm.failure import RequestContext, broken_off, failure, is_too_long, no_key, refused_as
from arena_backend_litellm.keys import environment_secrets, other_places, provider_of
from arena_backend_litellm.library import library
from arena_backend_litellm.request import parameters

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


def _check_base_url(owner: object, field: object, address: str) -> None:
    check_address(owner, field, address)
    if "@" in urlsplit(address).netloc:
        advice = "write the password as api-key: ${NAME}, or use openai-compatible, which sends both"
        raise ValueError(f"LiteLLM sends no user and no password that stand in an address; {advice}")


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
        validator=optional(_check_base_url),
        metadata={"help": "address of the server: your own, or one that stands in for the provider", "secrets": True},
    )
    api_key: Secret | None = attrs.field(
        default=None, metadata={"help": "the key as ${NAME}; unset: the variables LiteLLM knows, like OPENAI_API_KEY"}
    )
    api_version: str | None = attrs.field(default=None, metadata={"help": "for providers that ask for one, like Azure"})
    prices: Prices | None = attrs.field(
        default=None,
        metadata={
            "help": "{input, output, cached, stored, reasoning} in US dollars for a million tokens; unset: what the "
            "provider says, else LiteLLM's list"
        },
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

        Importing LiteLLM takes seconds.
        """
        self.headers_sent()
        return [lacking] if (lacking := lacking_key(self)) else []

    def headers_sent(self) -> Mapping[str, str]:
        """The headers that the benchmark gives, with the values of their variables; errors as in ``sent_headers``."""
        return sent_headers({**self.extra.get(HEADERS, {}), **self.headers})

    async def connect(self) -> Connection:
        """Import LiteLLM and find the provider, without a request; raises ``BackendError`` if there is none."""
        return await asyncio.to_thread(connect, self)


NO_KEY = "none"
"""Sent as the key to the user's own servers if none is set: LiteLLM sends no request without one."""

_MCP = "litellm.responses.mcp.chat_completions_handler"
"""If LiteLLM has this module, every request with tools imports a library that LiteLLM does not install."""

_KEY = re.compile(r"_(?:API_)?(?:KEY|TOKEN)$")
_CREDENTIAL = re.compile(r"key|token|credential|profile|role|auth")
_OTHERWISE = frozenset({"azure", "bedrock", "github_copilot", "sagemaker", "vertex_ai", "watsonx"})
"""Providers that may be reached without a key in the environment: by a login, a profile or the machine's role."""

_PARAMETERS = {
    "tools": ("tools", "tool_choice"),
    "schema": ("response_format",),
    "seed": ("seed",),
    "logprobs": ("logprobs", "top_logprobs"),
}
"""The request parameters that LiteLLM must let through for each capability."""


def connect(backend: LiteLLM) -> "Hosted":
    """Import LiteLLM and find the model's provider; blocks. Raises ``BackendUnavailable`` if it knows none."""
    module = library()
    provider, asked = known_provider(backend, module)
    return Hosted(backend, module, provider, asked)


def known_provider(backend: LiteLLM, module: Any) -> tuple[str, RequestContext]:
    """The model's provider, and what error messages say of it, found without a request; errors as in ``connect``."""
    secrets = backend.secrets()
    asked = RequestContext(backend.model, backend.base_url, _variable(backend), ())
    address = revealed(backend.base_url)
    try:
        if address is not None:
            _check_base_url(None, None, address)
    except ValueError as error:
        raise BackendUnavailable(f"base-url {backend.base_url} is refused: {error}") from None
    try:
        _, provider, _, _ = module.get_llm_provider(backend.model, api_base=address)
        found = module.validate_environment(backend.model, api_base=address)
    except Exception as error:
        if getattr(error, "status_code", None) == 400:
            advice = "write PROVIDER/MODEL, such as openai/gpt-4o"
            raise BackendUnavailable(f"LiteLLM knows no provider for {backend.model!r}; {advice}") from None
        raise failure(error, asked, secrets) from None
    missing = [name for name in found.get("missing_keys") or () if name not in Secret.kept]
    return provider, attrs.evolve(asked, missing=tuple(missing))


def lacking_key(backend: LiteLLM) -> str | None:
    """Why the provider would refuse every request for want of a key, or ``None``; errors as in ``connect``.

    Only where the provider takes nothing but a key: others find credentials in files and on the machine itself.
    """
    provider, asked = known_provider(backend, library())
    may_come_otherwise = any(_CREDENTIAL.search(name) for name in backend.extra) or provider in _OTHERWISE
    if asked.key or asked.address or may_come_otherwise or not all(_KEY.search(name) for name in asked.missing):
        return None
    return no_key(asked) if asked.missing else None


class Hosted(Connection):
    """A model whose provider LiteLLM knows. All connections share LiteLLM's HTTP clients."""

    _open: ClassVar[set["Hosted"]] = set()

    def __init__(self, backend: LiteLLM, module: Any, provider: str, asked: RequestContext) -> None:
        self._backend = backend
        self._module = module
        self._asked = asked
        self._able = backend.supports()
        self._is_openai = provider == "azure" or (provider == "openai" and backend.base_url is None)
        self._provider = provider
        self._settings = self._fixed()
        self._adaptation = Adaptation(backend.model, provider_of(backend.model).host, backend.compat)
        # Where an address is given, LiteLLM sends there what it finds in the environment, and only these may go.
        self._keys = frozenset(name for name, _ in backend.keys_sent()) if any(backend.elsewhere()) else None
        Hosted._open.add(self)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send one request; every failure is a ``BackendError`` whose text holds no key.

        Where the model takes it only otherwise, it is sent again as the refusal says: nothing was computed for it.
        """
        check_supported(request, self._able, self._backend.model)
        plain = parameters(request, forces_schema="schema" in self._able, is_openai=self._is_openai)
        while True:
            compat = self._adaptation.compat
            sent, changes = adapted(plain, compat)
            answer = await self._answer(request, sent, compat)
            if answer is not None:
                break
        if not changes or answer.finish_reason == "context-length":
            return answer
        self._adaptation.tell(changes, plain)
        stop = request.sampling.stop if "stop" in compat.leave_out else ()
        return attrs.evolve(answer, sent_as=changes, text=cut_at_stop(answer.text, stop))

    async def _answer(self, request: CompletionRequest, sent: dict[str, Any], compat: Compat) -> Completion | None:
        """Send a request once; ``None`` if it is to be sent otherwise, as its refusal has taught."""
        where = self._asked.address or self._asked.model
        try:
            with bounded(self._backend.max_answer_mb, where, self._keys) as bound:
                response = await self._module.acompletion(**{**sent, **self._settings})
        except Exception as error:
            if bound.error is not None:
                raise bound.error from None
            if (found := bound.answer()) is not None:  # what was paid for and LiteLLM cannot read
                return self._completion(request, found, found)
            if is_too_long(error, bound.refusal):
                return Completion(text="", finish_reason="context-length")
            status, words = refused_as(error, self._backend.secrets())
            if self._adaptation.learns(status, words, sent, compat):
                return None
            # Not chained: the original's text may hold the key.
            raise failure(error, self._asked, self._backend.secrets(), bound.refusal) from None
        body = bound.sent()
        if isinstance(body, Mapping) and (said := error_in(cast("Mapping[str, Any]", body))) is not None:
            raise broken_off(said, self._asked, self._backend.secrets())
        told = usage_told(body)
        return self._completion(request, _read(body, response), response, told if told.usage.prompt_tokens else None)

    def _completion(
        self, request: CompletionRequest, found: Any, response: Any, told: UsageTold | None = None
    ) -> Completion:
        return chat_completion(
            found,
            wants_logprobs=request.sampling.logprobs is not None,
            cost_of=lambda used: self._cost_usd(response, used),
            told=told,
        )

    def learned(self) -> Mapping[str, JSON]:
        """What ``compat`` would say: what is set, known of the model, and learned from refusals."""
        return self._adaptation.learned()

    async def close(self) -> None:
        """Close LiteLLM's HTTP clients, unless another connection still needs them."""
        Hosted._open.discard(self)
        if not Hosted._open:
            cache = self._module.in_memory_llm_clients_cache
            clients = list(cache.cache_dict.values())
            await self._module.close_litellm_async_clients()
            for client in clients:
                await _close(client)
            cache.flush_cache()

    def _fixed(self) -> dict[str, Any]:
        backend = self._backend
        key = backend.api_key.reveal() if backend.api_key else None
        provider = provider_of(backend.model)
        found = {name: Secret(name).value() for name in provider.variables}
        if key is None and not provider.has_logins:
            told = next(
                (value for name, value in found.items() if value and (backend.base_url or name in Secret.kept)), None
            )
            key = told or (NO_KEY if backend.base_url else None)
        elif key is None and backend.base_url and self._asked.missing:
            key = NO_KEY
        settings: dict[str, Any] = {
            "model": backend.model,
            "api_base": revealed(backend.base_url),
            "api_key": key,
            "api_version": backend.api_version,
            "allowed_openai_params": self._claimed() or None,
            HEADERS: dict(backend.headers_sent()) or None,
        }
        logins = zip(provider.variables, provider.parameters, strict=False)
        settings |= {parameter: found[name] for name, parameter in logins if name in Secret.kept}
        settings = {name: value for name, value in settings.items() if value is not None}
        if find_spec(_MCP) is not None:
            settings["_skip_mcp_handler"] = True
        return {**settings, "timeout": backend.request_timeout_s, "num_retries": 0, "max_retries": 0}

    def _claimed(self) -> list[str]:
        """Parameters that LiteLLM must pass on because the user says that the model takes them."""
        if self._backend.can is None:
            return []
        model = self._backend.model.removeprefix(f"{self._provider}/")
        known = self._module.get_supported_openai_params(model=model, custom_llm_provider=self._provider) or ()
        needed = (name for ability in self._backend.can for name in _PARAMETERS.get(ability, ()))
        return [name for name in needed if name not in known]

    def _cost_usd(self, response: Any, told: UsageTold) -> float | None:
        """By the prices of the benchmark, else what the provider says, else by LiteLLM's list, else by LiteLLM."""
        used, prices = told.usage, self._backend.prices
        if prices is None and told.cost_usd is not None:
            return told.cost_usd
        if not used.prompt_tokens:
            return None
        prices = prices or listed_prices(self._backend.model, used.prompt_tokens)
        if prices is not None:
            return prices.cost_usd(used, told.stored_tokens)
        # LiteLLM raises plain exceptions for models that have no price.
        with contextlib.suppress(Exception):
            return float(self._module.completion_cost(completion_response=response, model=self._backend.model))
        return None


def _read(sent: Any, response: Any) -> Any:
    """What a provider answered, in OpenAI's form.

    LiteLLM takes the first choice for the one with index 0, leaves out fields that it does not know, and takes a word
    that it does not know, and even an error, for a normal end.
    """
    if not isinstance(sent, Mapping):
        return response.model_dump()
    own = cast("Mapping[str, Any]", sent)
    if "choices" in own:
        return own
    found, word = response.model_dump(), native_word(own)
    if word is not None and found.get("choices"):
        found["choices"][0]["finish_reason"] = word
    return found


async def _close(client: Any) -> None:
    """Close an HTTP client, unless it or its event loop is closed already."""
    close = getattr(client, "close", None)
    if close is not None:
        with contextlib.suppress(Exception):
            closing = close()
            if isawaitable(closing):
                await closing


def _variable(backend: LiteLLM) -> str | None:
    return str(backend.api_key) if backend.api_key else None

"""A connection: LiteLLM as it is asked for one model, and what is read of its answers."""

import contextlib
import re
from collections.abc import Mapping
from importlib.util import find_spec
from inspect import isawaitable
from typing import Any, ClassVar, cast

import attrs
from arena.backend import Completion, CompletionRequest, Connection, Secret, revealed
from arena.errors import BackendUnavailable
from arena.record import JSON
from arena_openai_protocol import (
    BATCH_SHARE,
    Adaptation,
    Compat,
    ErrorBody,
    UsageTold,
    adapted,
    chat_completion,
    check_supported,
    cut_at_stop,
    error_body,
    is_context_length,
    native_word,
    refused_text,
    usage_told,
)

from arena_backend_litellm.answer_bounds import Instead, bounded
from arena_backend_litellm.backend import HEADERS, LiteLLM, check_base_url
from arena_backend_litellm.failure import RequestContext, broken_off, failure, is_too_long, no_key, refused_as
from arena_backend_litellm.keys import provider_of
from arena_backend_litellm.library import library
from arena_backend_litellm.request import parameters

NO_KEY = "none"
"""Sent as the key to the user's own servers if none is set: LiteLLM sends no request without one."""

FORCING = "json_tool_call"
"""The tool that LiteLLM makes of a schema for providers that force tools alone (``RESPONSE_FORMAT_TOOL_NAME``)."""

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
            check_base_url(None, None, address)
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
        self._context = asked
        self._able = backend.supports()
        self._is_openai = provider == "azure" or (provider == "openai" and backend.base_url is None)
        self._provider = provider
        self._settings = self._fixed()
        self._adaptation = Adaptation(backend.model, provider_of(backend.model).host, backend.compat)
        # Where an address is given, LiteLLM sends there what it finds in the environment, and only these may go.
        self._keys = frozenset(name for name, _ in backend.keys_sent()) if any(backend.elsewhere()) else None
        self._where = asked.address or asked.model
        Hosted._open.add(self)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send one request; every failure is a ``BackendError`` whose text holds no key.

        Where the model takes it only otherwise, it is sent again as the refusal says: nothing was computed for it.
        """
        while True:
            compat = self._adaptation.compat
            plain, sent, changes = self._asked(request, compat)
            answer = await self._answer(request, sent, compat)
            if answer is not None:
                return self._as_sent(request, answer, plain, changes, compat)

    def _asked(
        self, request: CompletionRequest, compat: Compat
    ) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
        """The parameters of a request as it is asked, as it is sent, and what differs."""
        check_supported(request, self._able, self._backend.model)
        plain = parameters(request, forces_schema="schema" in self._able, is_openai=self._is_openai)
        return plain, *adapted(plain, compat)

    def _as_sent(
        self,
        request: CompletionRequest,
        answer: Completion,
        plain: dict[str, Any],
        changes: tuple[str, ...],
        compat: Compat,
    ) -> Completion:
        """The completion with what was sent otherwise than it was asked, which is told once."""
        if not changes or answer.finish_reason == "context-length":
            return answer
        self._adaptation.tell(changes, plain)
        stop = request.sampling.stop if "stop" in compat.leave_out else ()
        return attrs.evolve(answer, sent_as=changes, text=cut_at_stop(answer.text, stop))

    async def _answer(
        self, request: CompletionRequest, sent: dict[str, Any], compat: Compat, instead: Instead | None = None
    ) -> Completion | None:
        """Send a request once; ``None`` if it is to be sent otherwise, as its refusal has taught.

        With ``instead`` nothing is sent: its answer is read.
        """
        try:
            with bounded(self._backend.max_answer_mb, self._where, self._keys, instead) as bound:
                response = await self._module.acompletion(**{**sent, **self._settings})
        except Exception as error:
            if bound.error is not None:
                raise bound.error from None
            if (said := bound.told()) is not None:
                return self._instead(said)
            if (found := bound.sent()) is not None:  # what was paid for and LiteLLM cannot read
                return self._completion(request, found, found)
            if bound.refusal is not None and (written := refused_text(error_body(bound.refusal.text))) is not None:
                return written
            if is_too_long(error, bound.refusal):
                return Completion(text="", finish_reason="context-length")
            status, words = refused_as(error, self._backend.secrets(), bound.refusal)
            if self._adaptation.learns(status, words, sent, compat):
                return None
            # Not chained: the original's text may hold the key.
            raise failure(error, self._context, self._backend.secrets(), bound.refusal) from None
        if (said := bound.told()) is not None:
            return self._instead(said)
        body = bound.sent()
        told = usage_told(body)
        return self._completion(request, _read(body, response), response, told if told.usage.prompt_tokens else None)

    def _instead(self, said: ErrorBody) -> Completion:
        """What an error in an answer with a status of success is; raised, if it is neither the model's nor a length."""
        if (written := refused_text(said)) is not None:
            return written
        if is_context_length(said.status or 400, said.said, said.codes):
            return Completion(text="", finish_reason="context-length")
        raise broken_off(said, self._context, self._backend.secrets())

    def _completion(
        self, request: CompletionRequest, found: Any, response: Any, told: UsageTold | None = None
    ) -> Completion:
        completion = chat_completion(
            found,
            wants_logprobs=request.sampling.logprobs is not None,
            cost_of=lambda used: self._cost_usd(response, used),
            told=told,
        )
        return _unforced(completion) if request.schema is not None and not request.tools else completion

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
        elif key is None and backend.base_url and self._context.missing:
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
        used = told.usage
        if self._backend.prices is None and told.cost_usd is not None:
            return told.cost_usd
        if not used.prompt_tokens:
            return None
        prices = self._backend.known_prices(used.prompt_tokens)
        if prices is not None:
            return prices.cost_usd(used, told.stored_tokens)
        # LiteLLM raises plain exceptions for models that have no price.
        with contextlib.suppress(Exception):
            cost = float(self._module.completion_cost(completion_response=response, model=self._backend.model))
            return cost * BATCH_SHARE if self._backend.batch else cost
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


def _unforced(completion: Completion) -> Completion:
    """An answer in the form of a schema, out of the tool by which LiteLLM forces it at some providers."""
    if [call.name for call in completion.tool_calls] != [FORCING]:
        return completion
    answer, reason = completion.tool_calls[0].arguments, completion.finish_reason
    said = "\n\n".join(filter(None, (completion.reasoning, completion.text)))
    ended = "stop" if reason == "tool-calls" else reason
    return attrs.evolve(completion, text=answer, reasoning=said, tool_calls=(), finish_reason=ended)


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

"""The keys of providers: the variables that hold them, the hosts that give them out, and what LiteLLM may send."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import attrs
from arena.backend import Secret
from arena.errors import BackendUnavailable
from arena_openai_protocol import listed_provider

SHORTEST = 8
"""Shorter values of variables are not taken for keys: removing them would garble ordinary texts."""

_LIKE_A_KEY = re.compile(
    r"(?!.*_(?:FILE|PATH)$)(?:.*_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_.*)?", re.IGNORECASE
)


@attrs.frozen
class Provider:
    """A provider of LiteLLM's: its host, and the variables in which its keys are looked for, the usual one first.

    ``has_logins``: it can be reached by a login, a profile or the role of the machine, from which LiteLLM makes what it
    sends; its variables have these parameters of LiteLLM's.
    """

    host: str
    variables: tuple[str, ...]
    has_logins: bool = False
    parameters: tuple[str, ...] = ()


_AWS: Final = Provider(
    "amazonaws.com",
    ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"),
    True,
    ("aws_secret_access_key", "aws_access_key_id", "aws_session_token"),
)
_GOOGLE: Final = Provider(
    "googleapis.com", ("GOOGLE_APPLICATION_CREDENTIALS", "VERTEXAI_CREDENTIALS"), True, ("vertex_credentials",)
)
_PROVIDERS: Final[Mapping[str, Provider]] = {
    "anthropic": Provider("api.anthropic.com", ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")),
    "bedrock": _AWS,
    "cerebras": Provider("api.cerebras.ai", ("CEREBRAS_API_KEY",)),
    "cohere": Provider("api.cohere.com", ("COHERE_API_KEY", "CO_API_KEY")),
    "deepseek": Provider("api.deepseek.com", ("DEEPSEEK_API_KEY",)),
    "fireworks_ai": Provider("api.fireworks.ai", ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY")),
    "gemini": Provider("generativelanguage.googleapis.com", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    "github_copilot": Provider("github_copilot", ("GITHUB_COPILOT_TOKEN",), True),
    "groq": Provider("api.groq.com", ("GROQ_API_KEY",)),
    "huggingface": Provider("router.huggingface.co", ("HF_TOKEN", "HUGGINGFACE_API_KEY")),
    "mistral": Provider("api.mistral.ai", ("MISTRAL_API_KEY",)),
    "openai": Provider("api.openai.com", ("OPENAI_API_KEY",)),
    "openrouter": Provider("openrouter.ai", ("OPENROUTER_API_KEY", "OR_API_KEY")),
    "perplexity": Provider("api.perplexity.ai", ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY")),
    "sagemaker": _AWS,
    "together_ai": Provider("api.together.xyz", ("TOGETHER_API_KEY", "TOGETHER_AI_API_KEY", "TOGETHERAI_API_KEY")),
    "vertex_ai": _GOOGLE,
    "watsonx": Provider("watsonx", ("WATSONX_API_KEY", "WATSONX_APIKEY", "WATSONX_TOKEN"), True),
    "xai": Provider("api.x.ai", ("XAI_API_KEY",)),
}

_PLACES: Final = re.compile(
    r"endpoint|base(?!_model)|url|host|region|location|proxy|domain|account|resource|instance|workspace"
)
"""What stands in the names of LiteLLM's parameters by which it makes an address."""
_REGION: Final = re.compile(r"(?<![\w-])arn:[\w-]*:[\w-]*:([^:]*[^:a-z0-9-][^:]*)")


def provider_of(model: str) -> Provider:
    """The provider that a model names; of one that is not in the table, LiteLLM alone knows the host."""
    name = listed_provider(model)
    known = _PROVIDERS.get(name) or Provider(name or "litellm", (f"{name.upper()}_API_KEY",) if name else ())
    if chosen := next(
        filter(None, (os.environ.get(f"{name.upper()}_{word}") for word in ("BASE_URL", "API_BASE"))), None
    ):
        return attrs.evolve(known, host=urlsplit(chosen).hostname or known.host)
    return known


def other_places(model: str, base_url: str | None, extra: Mapping[str, Any]) -> Iterator[str]:
    """The addresses that parameters name, as far as they are not the provider's own."""
    if base_url is not None:
        yield base_url
    if address := re.search(r"https?://\S+", model):
        yield address[0]
    if region := _REGION.search(model):
        yield _bare(region[1])
    for name, value in extra.items():
        if isinstance(value, Mapping) and "headers" not in name and "body" not in name:
            yield from other_places("", None, value)
        elif isinstance(value, str) and _PLACES.search(name) and not re.fullmatch(r"[\w-]*", value):
            yield value if "://" in value or value.startswith("${") else _bare(value)


def _bare(text: str) -> str:
    return re.split(r"[/?#@\\]", text.strip())[0] or "unknown"


def environment_secrets() -> tuple[Secret, ...]:
    """Every environment variable that is named like a key, since LiteLLM may send any of them."""
    return tuple(
        Secret(name) for name, value in os.environ.items() if len(value) >= SHORTEST and _LIKE_A_KEY.fullmatch(name)
    )


def withhold(request: Any, allowed: Iterable[str]) -> None:
    """Raise ``BackendUnavailable`` for a request of ``httpx`` that holds another key of the environment than allowed.

    LiteLLM looks for keys in many variables, and sends what it finds to the address that it is given.
    """
    if request.url.host in ("127.0.0.1", "localhost", "::1"):
        return
    sent = f"{request.url} {list(request.headers.raw)} {_body(request)}"
    mine = {Secret(name).value() for name in allowed}
    for secret in environment_secrets():
        if (value := secret.reveal()) not in mine and value in sent:
            said = f"LiteLLM would send {secret.variable} to {request.url.host}, and nobody has agreed to that"
            raise BackendUnavailable(f"{said}; write it as api-key: {secret}, and add --send-key once")


def _body(request: Any) -> str:
    try:
        return request.content.decode("utf-8", "replace")
    except Exception:  # it is a stream, which LiteLLM uses for files alone
        return ""

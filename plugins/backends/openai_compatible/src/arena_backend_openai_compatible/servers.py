"""The known addresses of providers: what their models are called in lists, and which variable holds their key."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import attrs

OPENAI: Final = "https://api.openai.com/v1"


@attrs.frozen
class KnownServer:
    """A provider: its name in LiteLLM's list, and the variable that usually holds its key."""

    provider: str
    variable: str


_KNOWN: Final[Mapping[str, KnownServer]] = {
    "api.openai.com": KnownServer("openai", "OPENAI_API_KEY"),
    "openrouter.ai": KnownServer("openrouter", "OPENROUTER_API_KEY"),
    "api.cerebras.ai": KnownServer("cerebras", "CEREBRAS_API_KEY"),
    "api.deepseek.com": KnownServer("deepseek", "DEEPSEEK_API_KEY"),
    "api.fireworks.ai": KnownServer("fireworks_ai", "FIREWORKS_API_KEY"),
    "api.groq.com": KnownServer("groq", "GROQ_API_KEY"),
    "api.mistral.ai": KnownServer("mistral", "MISTRAL_API_KEY"),
    "api.together.xyz": KnownServer("together_ai", "TOGETHER_API_KEY"),
    "api.x.ai": KnownServer("xai", "XAI_API_KEY"),
}
_AZURE: Final = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")


def known_server(address: str) -> KnownServer | None:
    """The provider whose own address it is, or ``None``."""
    return _KNOWN.get(_host(address))


def is_openai(address: str) -> bool:
    """Whether OpenAI's own servers are there, which take fewer schemas and name some parameters otherwise."""
    host = _host(address)
    return host == "api.openai.com" or host.endswith(_AZURE)


def without_password(address: str) -> str:
    """The address without user and password."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


@lru_cache(maxsize=256)  # asked several times for each request
def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""

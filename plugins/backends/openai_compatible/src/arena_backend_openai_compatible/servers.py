"""The known addresses of providers: what their models are called in lists, and which variable holds their key."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import attrs
from arena.errors import ConfigError

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
    return _KNOWN.get(host(address))


def is_openai(address: str) -> bool:
    """Whether OpenAI's own servers are there, which take fewer schemas and name some parameters otherwise."""
    found = host(address)
    return found == "api.openai.com" or found.endswith(_AZURE)


def without_password(address: str) -> str:
    """The address without user and password."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def proxy_address(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a host, if any; this machine is reached without one.

    ``ConfigError`` for one that does not speak HTTP.
    """
    from urllib.request import getproxies, proxy_bypass  # which brings a client of its own

    found = getproxies()
    kind = next(filter(found.get, (scheme, "all")), "")
    if not kind or not host or _is_loopback(host) or proxy_bypass(host):
        return None
    address = found[kind] if "://" in found[kind] else f"http://{found[kind]}"
    parts = urlsplit(address)
    if parts.scheme in ("http", "https") and parts.hostname:
        return address
    why = "a SOCKS proxy is not used" if parts.scheme.startswith("socks") else "this is no proxy of http://"
    advice = "name a proxy of http://, or put the server into NO_PROXY"
    raise ConfigError(f"{kind.upper()}_PROXY names {without_password(found[kind])!r}, and {why}; {advice}")


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=256)  # asked several times for each request
def host(address: str) -> str:
    """The host of an address; empty where it has none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""

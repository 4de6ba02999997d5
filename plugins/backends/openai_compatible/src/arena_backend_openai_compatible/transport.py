"""Makes the HTTP client of one connection: its sockets, key, certificates and proxy."""

import ssl
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
import attrs
from arena.backend import revealed
from arena.errors import BackendUnavailable, ConfigError
from yarl import URL

from arena_backend_openai_compatible.backend import OpenAICompatible, check_base_url
from arena_backend_openai_compatible.servers import proxy_address, without_password

CONNECT_S: Final = 10.0
"""Seconds after which a server that does not accept a connection counts as unreachable."""


@attrs.frozen(eq=False)
class Transport:
    """An open client and where it sends; ``where`` names the server in errors, without a password."""

    session: aiohttp.ClientSession
    url: URL
    where: str
    proxy: URL | None = None


def transport(backend: OpenAICompatible) -> Transport:
    """Open a client in the running event loop.

    Raises ``BackendUnavailable`` if a known provider's key is missing, ``ConfigError`` for an address, a header,
    a file of certificates or a proxy that cannot be used.
    """
    if lacking := backend.lacking_key():
        raise BackendUnavailable(lacking)
    where = without_password(backend.address)
    base = _base(backend, where)
    url = (base.with_user(None) / "chat" / "completions").with_query(base.query)
    proxy = _proxy(url)
    certificates = _certificates(backend)
    headers = _with_given(_headers(backend, base), backend.headers_sent())
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=backend.concurrency, ssl=certificates),
        # The engine bounds the whole request.
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
    )
    return Transport(session, url, where, proxy)


def _base(backend: OpenAICompatible, where: str) -> URL:
    """The address, with ``/v1`` where it names no path: what all servers of this protocol have there."""
    text = str(revealed(backend.address))
    try:
        check_base_url(backend, None, text)
        base = URL(text)
        if not base.host:
            raise ValueError("it names no host")
    except ValueError as error:
        raise ConfigError(f"base-url {where!r} cannot be used ({error}); correct it") from None
    path = base.path.rstrip("/")
    return base.with_path(path or "/v1").with_query(base.query)


def _headers(backend: OpenAICompatible, base: URL) -> Mapping[str, str]:
    accepted = "text/event-stream, application/json" if backend.stream else "application/json"
    headers = {"Content-Type": "application/json", "Accept": accepted, "Accept-Encoding": "identity"}
    if (key := backend.key()) is not None:
        value = key.reveal()
        if not value.isascii() or not value.isprintable() or " " in value:
            what = "holds white space, or characters that no key has"
            raise ConfigError(f"the key {key} {what}; correct the variable")
        return {**headers, "Authorization": f"Bearer {value}"}
    if base.user:
        given = b64encode(f"{base.user}:{base.password or ''}".encode()).decode()
        return {**headers, "Authorization": f"Basic {given}"}
    return headers


def _with_given(headers: Mapping[str, str], given: Mapping[str, str]) -> Mapping[str, str]:
    """The headers with those that the benchmark gives, which take the place of others of their names."""
    named = {name.lower() for name in given}
    return {name: value for name, value in headers.items() if name.lower() not in named} | dict(given)


def _certificates(backend: OpenAICompatible) -> Any:
    if backend.ca_file is None:
        return True
    path = backend.ca_file.expanduser()
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(path)
    except (OSError, ssl.SSLError) as error:
        why = "it holds no certificates" if isinstance(error, ssl.SSLError) else error.strerror
        raise ConfigError(f"ca-file {str(backend.ca_file)!r} cannot be used: {why}; correct it") from None
    return context


def _proxy(url: URL) -> URL | None:
    """The proxy that the environment names for an address, if any."""
    named = proxy_address(url.scheme, url.host or "")
    return None if named is None else URL(named)

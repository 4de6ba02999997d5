"""The proxies that the environment names, as clients of servers heed them: none for this machine, and none of SOCKS.

A module of its own, because what checks a run and what opens its connections both need it.
"""

import os
from typing import Final
from urllib.parse import urlsplit

from arena_engine.models.keys import is_loopback

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def spare_loopback() -> None:
    """Add this machine to ``NO_PROXY``, which every client heeds: a proxy would read the keys of local servers."""
    name = "no_proxy" if "no_proxy" in os.environ else "NO_PROXY"
    named = [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]
    if "*" not in named and (lacking := [host for host in _LOOPBACK if host not in named]):
        os.environ[name] = ",".join([*named, *lacking])


def proxy_of(scheme: str, host: str) -> tuple[str, str] | None:
    """The variable that names a proxy for a host, and its address; ``None`` if it is reached without one."""
    from urllib.request import getproxies, proxy_bypass  # which brings a client of its own

    found = getproxies()
    kind = next(filter(found.get, (scheme, "all")), "")
    if not kind or is_loopback(host) or proxy_bypass(host):
        return None
    return f"{kind.upper()}_PROXY", found[kind]


def socks_refused(variable: str, address: str) -> str:
    """The sentence for a proxy of SOCKS; empty for one that clients of HTTP can use."""
    if not address.lower().startswith("socks"):
        return ""
    shown = urlsplit(address)._replace(path="", query="", fragment="").geturl().rpartition("@")
    where = f"{address.partition('://')[0]}://{shown[2]}" if shown[1] else shown[2]
    advice = "name a proxy of http://, or put the server into NO_PROXY"
    return f"{variable} names {where!r}, and a SOCKS proxy is not used; {advice}"

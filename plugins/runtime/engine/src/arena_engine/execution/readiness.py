"""Finds out, before anything is written, whether the models of a run can be asked: secrets, backends, servers.

Nothing here sends a request to a model. What can only be learnt from an answer is left to the run.
"""

import socket
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urlsplit

from arena.agent import Agent
from arena.backend import Backend, revealed
from arena.errors import ArenaError, ConfigError
from arena.metric import Metric

from arena_engine.foundation.redaction import Redactor
from arena_engine.models.keys import check_keys
from arena_engine.models.proxies import proxy_of, socks_refused, spare_loopback
from arena_engine.models.request_text import backend_key

CONNECT_S: Final = 5.0
"""Seconds after which a server that does not take a connection counts as one that takes none."""

_PORTS: Final = {"http": 80, "https": 443}


@runtime_checkable
class ChecksReadiness(Protocol):
    """A backend that knows of itself why it could not answer: a key or a file that is missing, a library too."""

    def obstacles(self) -> Iterable[str]:
        """The reasons why no request would be answered, one sentence each with what to do; none if all is well.

        Asked once before a run, in a thread, never while it is played. Sends nothing to a model and costs nothing.
        ``ArenaError`` counts as one more reason.
        """
        ...


class _Owners(Protocol):
    @property
    def agents(self) -> Mapping[str, "_HasAgent"]: ...

    @property
    def metrics(self) -> Mapping[str, Metric]: ...


class _HasAgent(Protocol):
    @property
    def agent(self) -> Agent: ...


def backends_of(benchmark: _Owners) -> Iterator[tuple[str, Backend]]:
    """Yield each different backend of a benchmark, with the path of its first occurrence."""
    owners = [(f"agents.{name}", entry.agent) for name, entry in benchmark.agents.items()]
    seen: set[str] = set()
    for path, owner in [*owners, *((f"metrics.{name}", metric) for name, metric in benchmark.metrics.items())]:
        for field, backend in owner.backends().items():
            if (key := backend_key(backend)) not in seen:
                seen.add(key)
                yield f"{path}.{field}", backend


def check_secrets(benchmark: _Owners) -> None:
    """Raise ``ConfigError`` with a sentence for every secret that is not set, or would go where nobody agreed to."""
    problems: list[str] = []
    for path, backend in backends_of(benchmark):
        for check in (*(secret.reveal for secret in backend.secrets()), partial(check_keys, backend)):
            try:
                check()
            except ConfigError as error:
                problems.append(f"{path}: {error}")
    if problems:
        raise ConfigError(dict.fromkeys(problems))


def check_ready(benchmark: _Owners) -> None:
    """Raise ``ConfigError`` with a sentence for everything that keeps the models of a benchmark from being asked.

    After the secrets, each backend says what it knows of itself (``ChecksReadiness``), and the server at each
    ``base_url`` must take a connection, unless a proxy of the environment stands between.
    """
    spare_loopback()
    check_secrets(benchmark)
    found = list(backends_of(benchmark))
    if not found:
        return
    with ThreadPoolExecutor(max_workers=min(len(found), 16)) as threads:
        told = threads.map(_obstacles, (backend for _, backend in found))
        problems = [f"{path}: {said}" for (path, _), each in zip(found, told, strict=True) for said in each]
    if problems:
        raise ConfigError(problems)


def _obstacles(backend: Backend) -> list[str]:
    found: list[str] = []
    for ask in (_own, _server):
        try:
            found += ask(backend)
        except ArenaError as error:
            found.append(str(error))
        except Exception as error:  # the backend is a plugin
            found.append(f"{type(backend).__name__} cannot be checked ({type(error).__name__}: {error})")
        if found:
            break
    return [*map(Redactor.of((backend,)).text, found)]


def _own(backend: Backend) -> list[str]:
    return [*backend.obstacles()] if isinstance(backend, ChecksReadiness) else []


def _server(backend: Backend) -> list[str]:
    address = getattr(backend, "base_url", None)
    if not isinstance(address, str):
        return []
    parts = urlsplit(str(revealed(address)))
    try:
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError as error:
        return [f"base-url {address!r} names no port of a server ({error}); correct it"]
    if not parts.hostname or port is None:
        return []
    if proxy := proxy_of(parts.scheme, parts.hostname):
        return [*filter(None, [socks_refused(*proxy)])]
    try:
        socket.create_connection((parts.hostname, port), CONNECT_S).close()
    except TimeoutError:
        why = f"nothing within {CONNECT_S:g} s"
    except OSError as error:
        why = error.strerror or str(error)
    else:
        return []
    return [f"the server at {address} takes no connection ({why}); start it or correct base-url"]

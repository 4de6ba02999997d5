"""Listens, prints the link, and serves until it is interrupted or the process that started it ends."""

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn
from arena.errors import ConfigError

from arena_web.api.site import Site
from arena_web.live.live import ALL_SOCKETS
from arena_web.serving.app import application

REQUESTS: Final = 1_000
"""So many requests are served at once beside the connections that follow something."""

FILES: Final = 4_096
"""So many files and connections the process may have open, where the system lets it."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; ``ConfigError`` says which port is taken, and what to do."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host.strip("[]"), port))
        found.listen(128)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(f"--port {port}: already in use; --port 0 takes the next free one") from error
        raise ConfigError(f"--host {host} --port {port}: cannot listen there ({error.strerror})") from error
    return found


def address_of(site: Site, host: str) -> str:
    """The address of a site, behind which a link's path stands; its key behind the number sign is never sent."""
    return f"http://{host}:{site.port}"


def serve(site: Site, sock: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve a site until the process is interrupted; ``ready`` is called once it answers."""
    asyncio.run(_serve(site, sock, ready))


async def _serve(site: Site, sock: socket.socket, ready: Callable[[], None]) -> None:
    _raise_file_limit()
    settings = uvicorn.Config(
        application(site),
        access_log=False,
        log_level="warning",
        server_header=False,
        limit_concurrency=ALL_SOCKETS + REQUESTS,  # it counts both
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
        ws="websockets-sansio",
        # Messages are short, and each would be compressed anew for each viewer.
        ws_per_message_deflate=False,
        http="h11",
        lifespan="off",
    )
    server = _Server(settings, ready)
    try:
        await server.serve(sockets=[sock])
    finally:
        await site.close()


def _raise_file_limit() -> None:
    """Allow as many open files as the connections need; systems begin with as few as 256."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def open_browser(link: str) -> None:
    """Open a link in the browser where there is one."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if isinstance(browser, webbrowser.GenericBrowser) and not isinstance(browser, webbrowser.BackgroundBrowser):
        return  # one of the terminal would take the terminal
    browser.open(link)
    sys.stderr.flush()


def end_with_input() -> None:
    """End the server once its standard input does."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)

"""A vLLM server of our own: started on a socket that only this user reaches, stopped without a trace."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import attrs
import httpx
from arena.errors import BackendError

from arena_backend_vllm.client import Client, Server, connected
from arena_backend_vllm.environment import environment
from arena_backend_vllm.failure import unloaded
from arena_backend_vllm.serve import Serve

STOP_S = 15.0
"""Seconds a server may take to stop before it is killed."""
LOOK_S = 0.2


@attrs.frozen(eq=False)
class Process:
    """A server that was started, in a session of its own; everything it starts is in its process group."""

    process: asyncio.subprocess.Process
    directory: Path

    @property
    def log(self) -> Path:
        """What it prints."""
        return self.directory / "log"

    def last_lines(self) -> list[str]:
        """The end of what it printed."""
        return self.log.read_text("utf-8", "replace").splitlines()[-200:]

    async def stop(self) -> None:
        """End it and whatever it started."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), STOP_S)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def _directory() -> Path:
    """A new directory for the socket, whose path must be short: where temporary ones are shortest."""
    return Path(tempfile.mkdtemp(prefix="arena-vllm-", dir="/tmp" if os.path.isdir("/tmp") else None))


async def start(backend: Serve) -> Client:
    """Start a server and wait until it answers; ``BackendError`` where it ends before that or takes too long."""
    directory = _directory()
    socket = directory / "socket"
    command = (sys.executable, "-m", "arena_backend_vllm.launch", *backend.arguments(), f"--uds={socket}")
    with (directory / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=log,
            stderr=log,
            env={**environment(), "VLLM_LOGGING_LEVEL": os.environ.get("VLLM_LOGGING_LEVEL", "INFO")},
            start_new_session=True,
        )
    started = Process(process, directory)
    transport = httpx.AsyncHTTPTransport(
        uds=str(socket), limits=httpx.Limits(max_connections=None, max_keepalive_connections=None)
    )
    http = httpx.AsyncClient(transport=transport, base_url="http://vllm/", timeout=None)
    server = Server(http, "the vLLM server", started.stop)
    try:
        async with asyncio.timeout(backend.start_timeout_s):
            await _answers(backend, started, http)
    except TimeoutError:
        await server.close()
        waited = f"the server did not load {backend.model!r} within {backend.start_timeout_s:g} s"
        raise BackendError(f"{waited}; raise start-timeout-s, or start one yourself and write base-url") from None
    except BaseException:
        await server.close()
        raise
    return await connected(backend, server)


async def _answers(backend: Serve, started: Process, http: httpx.AsyncClient) -> None:
    while True:
        if started.process.returncode is not None:
            raise unloaded(backend.model, started.last_lines())
        with suppress(httpx.HTTPError):
            if (await http.get("health")).is_success:
                return
        with suppress(TimeoutError):
            await asyncio.wait_for(started.process.wait(), LOOK_S)

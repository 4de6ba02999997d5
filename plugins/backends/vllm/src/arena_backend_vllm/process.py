"""Starts a vLLM server on a socket that only this user can reach, and stops it without leaving anything behind."""

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
from arena.errors import BackendUnavailable

from arena_backend_vllm.client import Client, ServerClient, connected
from arena_backend_vllm.environment import environment
from arena_backend_vllm.failure import unloaded
from arena_backend_vllm.serve import Serve

STOP_S = 15.0
"""Seconds that a server may take to stop before it is killed."""
LOOK_S = 0.2


@attrs.frozen(eq=False)
class Process:
    """A started server; it and everything it starts form one process group, in a session of its own."""

    process: asyncio.subprocess.Process
    directory: Path

    @property
    def log(self) -> Path:
        """The path of the file that holds the server's output."""
        return self.directory / "log"

    def last_lines(self) -> list[str]:
        """The last lines that the server printed."""
        return self.log.read_text("utf-8", "replace").splitlines()[-200:]

    async def stop(self) -> None:
        """Stop the server and everything it started."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), STOP_S)
        # Children of the server may outlive it, and would keep the GPU's memory.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def _directory() -> Path:
    """A new directory for the socket, in the shortest place there is: a socket's path is limited in length."""
    return Path(tempfile.mkdtemp(prefix="arena-vllm-", dir="/tmp" if os.path.isdir("/tmp") else None))


async def start(backend: Serve) -> Client:
    """Start a server and wait until it answers; raises ``BackendUnavailable`` if it exits first or takes too long."""
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
    server = ServerClient(http, "the vLLM server", started.stop)
    try:
        async with asyncio.timeout(backend.start_timeout_s):
            await _answers(backend, started, http)
    except TimeoutError:
        await server.close()
        waited = f"the server did not load {backend.model!r} within {backend.start_timeout_s:g} s"
        raise BackendUnavailable(f"{waited}; raise start-timeout-s, or start one yourself and write base-url") from None
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

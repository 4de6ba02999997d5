"""Two thousand connections to one server: as many are served as the bounds say, and the others are told why not."""

import asyncio
import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import attrs
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

ARENA = Path(sys.executable).parent / "arena"
ASKED, EACH = 2_000, 50
"""So many connections are asked for, so many of them at the same time."""

pytestmark = pytest.mark.slow


@pytest.fixture
def link(played: Path, tmp_path: Path) -> Iterator[str]:
    """The link of a server that begins with few files, as some systems have it, in a process of its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * ASKED:
        pytest.skip(f"this process may open {hard} files at most")
    program = f"ulimit -S -n 256; exec {ARENA} view {played} --port 0 --no-open --state {tmp_path / 'state'}"
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * ASKED), hard))
    with subprocess.Popen(["sh", "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait(timeout=60)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@attrs.frozen
class Server:
    """A server by its address and the key of its host, its open connections, and why it closed the others."""

    address: str
    key: str
    opened: list[ClientConnection] = attrs.field(factory=list)
    told: Counter[str] = attrs.field(factory=Counter)

    def ask(self, path: str, body: Any = None) -> Any:
        """What the server answers to its host."""
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.address}/api/1{path}", data, {"Authorization": f"Bearer {self.key}"})
        with urlopen(asked) as answer:
            return json.loads(answer.read())

    async def connect(self, key: str, stack: AsyncExitStack) -> None:
        """Open a connection with a key, until the stack is left."""
        socket = await stack.enter_async_context(
            connect(
                f"ws{self.address[4:]}/api/1/live",
                origin=Origin(self.address),
                open_timeout=None,
                ping_interval=None,
            )
        )
        try:
            await socket.send(json.dumps({"key": key}))
            await ping(socket)
        except ConnectionClosed as closed:
            self.told[f"{closed.rcvd}"] += 1
        else:
            self.opened.append(socket)


async def ping(socket: ClientConnection) -> None:
    """Ask over a connection whether somebody is there; the server answers."""
    await socket.send(json.dumps({"ping": True}))
    assert json.loads(await socket.recv()) == {"kind": "pong"}


@pytest.mark.campaign
async def test_thousand_are_served_and_the_others_told_why(link: str) -> None:
    """Bounds hold for each link and for all; who is beyond is told so, and those who are there go on, as do pages."""
    address, _, host = link.partition("/#key=")
    server = Server(address, host)
    match = server.ask("/run/folded/matches")["matches"][0]["match"]
    bystander = {"right": "bystander", "run": "folded", "match": match}
    watching = [server.ask("/links", bystander)["link"].rpartition("#")[2].removeprefix("key=") for _ in range(4)]
    keys = [host] * 65 + [key for key in watching for _ in range(501)]

    async with AsyncExitStack() as stack:
        for begin in range(0, ASKED, EACH):
            await asyncio.gather(*(server.connect(key, stack) for key in keys[begin : begin + EACH]))
        for socket in (server.opened[0], server.opened[-1]):
            await ping(socket)
        page = await asyncio.to_thread(server.ask, "/run/folded")

        assert len(server.opened) == 1_000
        assert server.told == {
            "1008 (policy violation) 64 connections are open with this link, and no more are taken; close a page": 1,
            "1008 (policy violation) 500 connections are open with this link, and no more are taken; close a page": 1,
            "1008 (policy violation) 1,000 connections are open, and no more are taken; close a page": ASKED - 1_002,
        }
        assert page["name"] == "folded"

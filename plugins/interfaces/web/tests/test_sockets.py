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

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

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


@pytest.mark.campaign
async def test_thousand_are_served_and_the_others_told_why(link: str) -> None:
    """Bounds hold for each link and for all; who is beyond is told so, and those who are there go on, as do pages."""
    address, _, host = link.partition("/#key=")

    def ask(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{address}/api/1{path}", data, {"Authorization": f"Bearer {host}"})
        with urlopen(asked) as answer:
            return json.loads(answer.read())

    match = ask("/run/folded/matches")["matches"][0]["match"]
    bystander = {"right": "bystander", "run": "folded", "match": match}
    watching = [ask("/links", bystander)["link"].rpartition("#")[2].removeprefix("key=") for _ in range(4)]
    opened: list[ClientConnection] = []
    told: Counter[str] = Counter()

    async def come(key: str, stack: AsyncExitStack) -> None:
        socket = await stack.enter_async_context(
            connect(f"ws{address[4:]}/api/1/live", origin=address, open_timeout=None, ping_interval=None)  # type: ignore[arg-type]
        )
        try:
            await socket.send(json.dumps({"key": key}))
            await socket.send(json.dumps({"ping": True}))
            assert json.loads(await socket.recv()) == {"kind": "pong"}
        except ConnectionClosed as closed:
            told[f"{closed.rcvd}"] += 1
        else:
            opened.append(socket)

    keys = [host] * 65 + [key for key in watching for _ in range(501)]
    async with AsyncExitStack() as stack:
        for begin in range(0, ASKED, EACH):
            await asyncio.gather(*(come(key, stack) for key in keys[begin : begin + EACH]))
        for socket in (opened[0], opened[-1]):
            await socket.send(json.dumps({"ping": True}))
            assert json.loads(await socket.recv()) == {"kind": "pong"}
        page = await asyncio.to_thread(ask, "/run/folded")

        assert len(opened) == 1_000
        assert told == {
            "1008 (policy violation) 64 connections are open with this link, and no more are taken; close a page": 1,
            "1008 (policy violation) 500 connections are open with this link, and no more are taken; close a page": 1,
            "1008 (policy violation) 1,000 connections are open, and no more are taken; close a page": ASKED - 1_002,
        }
        assert page["name"] == "folded"

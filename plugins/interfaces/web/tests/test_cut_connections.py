"""A connection that is cut a hundred times while a match is played: nothing is lost, and nothing comes twice."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from socket import SHUT_RDWR
from threading import Semaphore, Thread
from typing import Any
from urllib.request import Request, urlopen

import attrs
import pytest
from arena_scene import patch
from arena_testing.fixtures.chat_server import ChatCall, ChatServer, chat
from arena_web.held.match_names import match_name
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from .browser.conftest import ARENA, Served, serving

CUTS = 100
MOVES = 80
BENCHMARK = {
    "name": "long",
    "seed": 5,
    "games": {"chess": "chess"},
    "schedule": "self-play",
    "limits": {"max-steps": MOVES},
}
ID = "chess/model,model/0.0"
TOPIC = f"match:long/{match_name(ID)}?as=all"


@attrs.define
class Viewer:
    """Whoever follows the match: each position put together of what was sent, and the messages by number."""

    served: Served
    scenes: dict[int, Any] = attrs.field(factory=dict)
    messages: list[dict[str, Any]] = attrs.field(factory=list)

    @contextmanager
    def connected(self) -> Iterator[ClientConnection]:
        """A connection with nothing said yet, which ends without a word."""
        address = f"{self.served.address.replace('http', 'ws')}/api/1/live"
        with connect(address, origin=Origin(self.served.address)) as socket:
            try:
                yield socket
            finally:
                socket.socket.shutdown(SHUT_RDWR)

    def say_key(self, socket: ClientConnection) -> None:
        socket.send(json.dumps({"key": self.served.key}))

    def watch(self, socket: ClientConnection) -> None:
        known = {TOPIC: self.messages[-1]["number"]} if self.messages else {}
        socket.send(json.dumps({"watch": [TOPIC], "from": known}))

    def take(self, socket: ClientConnection) -> dict[str, Any]:
        """Take the next message, and put its position together."""
        message = json.loads(socket.recv(timeout=120))
        if message["kind"] == "reset":
            self.scenes[message["positions"] - 1] = message["frame"]
        elif message["kind"] == "frame":
            position = message["position"]
            self.scenes[position] = patch(self.scenes[position - 1], message["frame"])
        self.messages.append(message)
        return message

    @property
    def is_over(self) -> bool:
        return bool(self.messages) and self.messages[-1]["kind"] == "ended"

    def follow(self) -> None:
        """Take everything to the end over one connection."""
        with self.connected() as socket:
            self.say_key(socket)
            self.watch(socket)
            while not self.is_over:
                self.take(socket)

    def be_cut(self, draw: Random, moves: Semaphore) -> int:
        """Connect, and be cut before the key, after it, after the topic, or after some messages; their number.

        Meanwhile as many moves are made, each of which is told by a message or more.
        """
        stage = draw.choice(["connected", "keyed", "watching", "told", "told"])
        taken = draw.randint(1, 2) if stage == "told" else 0
        for _ in range(taken):
            moves.release()
        with self.connected() as socket:
            if stage == "connected":
                return 0
            self.say_key(socket)
            if stage == "keyed":
                return 0
            self.watch(socket)
            for _ in range(taken):
                self.take(socket)
            return taken


@pytest.fixture
def moves(chat_server: ChatServer) -> Semaphore:
    """How many moves the model may make that is asked."""
    allowed = Semaphore(0)

    def answer(call: ChatCall) -> None:
        allowed.acquire()
        chat(call)

    chat_server.usually = answer
    return allowed


@pytest.fixture
def served(tmp_path: Path, chat_server: ChatServer, moves: Semaphore) -> Iterator[Served]:
    """A server that shows a match which another process plays."""
    (tmp_path / "runs").mkdir()
    backend = {"use": "openai-compatible", "model": "m", "base-url": chat_server.address, "can": ["schema", "seed"]}
    plain = {**BENCHMARK, "agents": {"model": {"use": "llm", "backend": backend}}}
    (tmp_path / "long.yaml").write_text(json.dumps(plain))
    command = [ARENA, "run", "long.yaml", "-q", "-o", "runs/long"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as player:
        try:
            with serving(tmp_path / "runs", tmp_path / "state") as server:
                while not (tmp_path / "runs" / "long" / "control.json").is_file():
                    assert player.poll() is None
                yield server
        finally:
            player.kill()


@pytest.mark.slow
def test_frames_end_equal_however_often_the_connection_is_cut(served: Served, moves: Semaphore):
    """Cut at a hundred points and taken up again, a viewer has each message once, and the positions of an uncut one."""
    draw, uncut, cut = Random(17), Viewer(served), Viewer(served)
    following = Thread(target=uncut.follow)
    following.start()

    taken = sum(cut.be_cut(draw, moves) for _ in range(CUTS))
    for _ in range(MOVES - taken):
        moves.release()
    cut.follow()
    following.join()

    asked = Request(f"{served.address}/api/1/run/long/match/{match_name(ID)}/frames?from=-1")
    asked.add_header("Authorization", f"Bearer {served.key}")
    with urlopen(asked) as answer:
        last = json.load(answer)
    numbers = [message["number"] for message in cut.messages]
    assert CUTS / 2 < taken < MOVES
    assert [message["kind"] for message in cut.messages].count("reset") == 1
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert max(cut.scenes) == max(uncut.scenes) == last["total"] - 1 == MOVES
    assert cut.scenes[MOVES] == uncut.scenes[MOVES] == last["frames"][0]
    assert all(uncut.scenes[position] == scene for position, scene in cut.scenes.items() if position in uncut.scenes)

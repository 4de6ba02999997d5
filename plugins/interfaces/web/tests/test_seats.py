"""Seats: a program with a link plays whole matches over HTTP, and learns nothing that its player may not know."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest
from arena.record import Ending
from arena_engine import Control, Journal, RunLog, run

pytestmark = pytest.mark.asyncio(loop_scope="session")


def benchmark(game: str, repeats: int = 1, **seat: Any) -> dict[str, Any]:
    """Matches of a game between an open seat and random play."""
    return {
        "name": game,
        "seed": 3,
        "games": {game: game},
        "agents": {"person": {"use": "open-seat", "title": "You", **seat}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": repeats, "rotate-seats": False},
    }


@attrs.define
class Seated:
    """Whoever has the link of a seat."""

    client: httpx.AsyncClient
    key: str
    place: str = ""
    bytes_: list[bytes] = attrs.field(factory=list)

    async def get(self, path: str = "") -> httpx.Response:
        """Ask for a path below that of the seat."""
        return self._kept(await self.client.get(f"/api/1/seat{path}", headers=self._headers))

    async def post(self, path: str, **body: Any) -> httpx.Response:
        """Send a body to a path below that of the seat."""
        return self._kept(await self.client.post(f"/api/1/seat{path}", json=body, headers=self._headers))

    async def turn(self, after: int = -1, **query: Any) -> httpx.Response:
        """The next turn, or how the match ended."""
        asked = "".join(f"&{name}={value}" for name, value in query.items())
        return await self.get(f"/turn?after={after}&wait=30{asked}")

    async def play(self, choose: Callable[[dict[str, Any]], Any], match: str) -> tuple[list[Any], dict[str, Any]]:
        """Play a match to its end: the turns that were asked, and how it ended."""
        turns: list[Any] = []
        while (answer := await self.turn(turns[-1]["turn"] if turns else -1, match=match)).status_code == 200:
            turns.append(turn := answer.json())
            played = await self.post(f"/turn/{turn['turn']}/try/{turn['try']}?match={match}", action=choose(turn))
            assert played.json() == {"accepted": True}
        assert answer.status_code == 410, answer.text
        return turns, answer.json()

    @property
    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"} | ({"arena-place": self.place} if self.place else {})

    def _kept(self, answer: httpx.Response) -> httpx.Response:
        self.bytes_.append(answer.content)
        return answer


Sit = Callable[..., AbstractAsyncContextManager[Seated]]


@pytest.fixture
def sit(make_viewer: Any, tmp_path: Path) -> Sit:
    """A function that plays a benchmark in another thread and gives the seat in it, until the run is over."""

    @asynccontextmanager
    async def sit(plain: dict[str, Any], **settings: Any) -> AsyncIterator[Seated]:
        place = tmp_path / "runs" / plain["name"]
        control, begun = Control(is_attended=True), threading.Event()
        log = RunLog(lambda *_: begun.set())
        playing = asyncio.ensure_future(
            asyncio.to_thread(run, plain, output=place, check=False, control=control, log=log, **settings)
        )
        viewer = make_viewer(tmp_path / "runs")
        await asyncio.to_thread(begun.wait, 60)
        made = await viewer.post("/links", {"right": "seat", "run": plain["name"], "agent": "person"})
        assert made.status_code == 200, made.text
        try:
            yield Seated(viewer.client, made.json()["link"].partition("#")[2])
        finally:
            control.stop()
            await playing
            await viewer.site.presence.close()

    return sit


def first(turn: dict[str, Any]) -> Any:
    """The first option of a turn."""
    return turn["options"][0]["action"]


async def test_whole_match_by_http(sit: Sit, tmp_path: Path):
    """A program reads each turn with options, scene and touches, plays it, and is told how the match ended."""
    async with sit(benchmark("tic-tac-toe")) as seat:
        told = (await seat.get()).json()
        turns, end = await seat.play(first, told["match"])
        after = (await seat.get()).json()

    assert (told["protocol"], told["title"], told["seat"], told["matches"]) == (1, "You", "X", 1)
    assert [player["is_you"] for player in told["players"]] == [True, False]
    assert "three" in told["rules"].lower()
    assert [turn["turn"] for turn in turns] == list(range(len(turns)))
    assert all(turn["scene"]["parts"] and turn["touches"] and turn["say"] for turn in turns)
    assert turns[1]["news"][-1]["words"]
    assert end["verdict_words"] in ("You won.", "You lost.", "A draw.")
    assert (end["next"], end["next_match"], end["match"]) == (False, None, told["match"])
    assert end["scene"]["parts"]
    assert (after["state"], after["match"], after["done"]) == ("over", None, 1)
    with Journal.open(tmp_path / "runs" / "tic-tac-toe") as journal:
        (record,) = journal.records()
        (entry, *_) = journal.answers(record.id, "0/0")
    assert record.ending is Ending.RULES
    assert [e.data["action"] for e in record.played() if e.player == 0] == [first(turn) for turn in turns]
    assert '"means":"program"' in entry.value
    assert "127.0.0.1" not in entry.value

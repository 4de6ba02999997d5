"""Runs that are really played, a site that shows them, and a client that asks it as a browser does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest
import pytest_asyncio
from arena_engine import run
from arena_web.api.site import Site
from arena_web.foundation.keys import Keys, Rates
from arena_web.held.form_workers import FormWorkers
from arena_web.held.found_runs import FoundRuns
from arena_web.held.positions import Positions
from arena_web.serving.app import application

PORT = 8765
ADDRESS = f"http://127.0.0.1:{PORT}"

BOARDS = {
    "name": "boards",
    "seed": 1,
    "games": {"tic-tac-toe": "tic-tac-toe", "kuhn-poker": "kuhn-poker"},
    "agents": {"first": "first-legal", "random": "random"},
    "schedule": {"use": "round-robin", "repeats": 5, "rotate-seats": True},
}
"""Two games, one of which hides cards."""

MODEL = {
    "name": "model",
    "seed": 1,
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {
        "model": {"use": "llm", "backend": {"use": "scripted", "answers": ["I do not know", "a1", "b1", "c1", "c3"]}},
        "first": "first-legal",
    },
    "schedule": {"use": "round-robin", "repeats": 2, "rotate-seats": True},
}
"""A model that answers nonsense now and then."""

FOLDED = {
    "name": "folded",
    "seed": 1,
    "games": {"kuhn-poker": "kuhn-poker"},
    "agents": {"one": {"use": "opening", "agent": "random", "moves": [[{"play": 1}], [{"play": 0}]]}},
    "schedule": {"use": "self-play", "repeats": 12},
}
"""The first player bets, the second one folds: nobody shows a card, so matches differ in nothing but the deals."""


@attrs.frozen
class Viewer:
    """A client with a key, or without one."""

    client: httpx.AsyncClient
    key: str
    site: Site

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask for a path of the API."""
        return await self.client.get(f"/api/1{path}", headers={"authorization": f"Bearer {self.key}", **headers})

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Send a body to a path of the API."""
        told = {"authorization": f"Bearer {self.key}", **headers}
        return await self.client.post(f"/api/1{path}", content=json.dumps(body or {}), headers=told)

    async def lend(self, **asked: Any) -> Viewer:
        """A viewer with the key of a link that this host makes."""
        made = (await self.post("/links", asked)).json()
        return attrs.evolve(self, key=made["link"].rpartition("#")[2].removeprefix("key="))

    async def json(self, path: str) -> Any:
        """The answer at a path, which must be a success."""
        answer = await self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(autouse=True)
def no_limit_on_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests ask as quickly as they can, which on a quick machine is more than a page may."""
    monkeypatch.setattr("arena_web.serving.app.Rates", lambda: Rates(1_000_000))


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with three runs that are over."""
    folder = tmp_path_factory.mktemp("played")
    for benchmark in (BOARDS, MODEL, FOLDED):
        run(benchmark, output=folder / str(benchmark["name"]), check=False)
    return folder


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def positions() -> AsyncIterator[Positions]:
    """The worker processes of all tests, since each takes a second to start."""
    found = Positions()
    yield found
    await found.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def forms() -> AsyncIterator[FormWorkers]:
    """The worker processes of all tests that fill in forms."""
    found = FormWorkers()
    yield found
    await found.close()


@pytest_asyncio.fixture(loop_scope="session")
async def make_viewer(tmp_path: Path, positions: Positions, forms: FormWorkers) -> AsyncIterator[Callable[..., Viewer]]:
    """A function that makes a site of some places, and gives a client with the host's key."""
    made: list[Site] = []

    def make(*places: Path, right: Any = "host", **settings: Any) -> Viewer:
        own = {"positions": positions, "forms": forms, **settings}
        site = Site(runs=FoundRuns(places), keys=Keys(tmp_path / "state"), port=PORT, **own)
        made.append(site)
        transport = httpx.ASGITransport(application(site), raise_app_exceptions=False)
        return Viewer(httpx.AsyncClient(transport=transport, base_url=ADDRESS), site.keys.make(right), site)

    yield make
    for site in made:
        site.keys.close()
        await site.presence.close()
        await site.reports.close()
        await site.trials.close()
        await site.exports.close()


@pytest.fixture
def viewer(make_viewer: Callable[..., Viewer], played: Path) -> Viewer:
    """A host who looks at the runs that are over."""
    return make_viewer(played)

"""The host sees all of a match in which somebody outside sits: only where that is recorded, and nobody else does."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from arena_engine import Control, Journal, RunLog, load, run
from arena_web.held.match_names import match_name

pytestmark = pytest.mark.asyncio(loop_scope="session")

PERSON: dict[str, Any] = {
    "name": "run",
    "seed": 1,
    "games": {"kuhn-poker": "kuhn-poker"},
    "agents": {"one": "random", "person": {"use": "open-seat"}},
    "schedule": {"use": "fixed", "seatings": [["person", "one"], ["one", "one"]]},
}
MATCH = match_name("kuhn-poker/person,one/0.1")
PATH = f"/run/run/match/{MATCH}"


async def seen(viewer: Any) -> tuple[str, str, bool]:
    """The view of whoever wants to see all of the match: on its page, in its feed; and whether it is marked."""
    page = await viewer.json(PATH)
    live = await viewer.json(f"/live?topics={quote(f'match:run/{MATCH}?as=all')}&wait=0")
    return page["view"], live["messages"][-1]["view"], page["is_watched"]


async def test_host_shows_all_of_a_match_that_nobody_plays(make_viewer, tmp_path):
    """Where nobody plays the run it is written into the journal; a reader, and a host who may only read, cannot."""
    place = tmp_path / "runs" / "run"
    run(PERSON, output=place, check=False)  # nobody comes
    host, reader = make_viewer(place.parent), make_viewer(place.parent, right="reader")
    read_only = make_viewer(place.parent, is_read_only=True)

    before = await seen(host)
    refused = [(await viewer.post(f"{PATH}/show-all")).status_code for viewer in (reader, read_only)]
    first, again = [(await host.post(f"{PATH}/show-all")).json() for _ in range(2)]
    other = (await host.post(f"/run/run/match/{match_name('kuhn-poker/one,one/0.0')}/show-all")).json()

    assert before == ("public", "public", False)
    assert refused == [403, 404]
    assert first == again == {"watched": [MATCH]}
    assert other == {"watched": []}
    assert (await host.json(PATH))["view"] == "all"
    assert await seen(reader) == ("public", "public", True)
    with Journal.open(place) as journal:
        assert journal.watched() == {"kuhn-poker/person,one/0.1"}
    for viewer in (host, reader):
        await viewer.site.feeds.close()


@pytest.mark.slow
async def test_host_shows_all_of_a_match_in_play(make_viewer, tmp_path: Path):
    """The process that plays writes it down; the match stays marked in its page, as a text, and in the report."""
    control, begun, loop = Control(is_attended=True), asyncio.Event(), asyncio.get_running_loop()
    log = RunLog(lambda _, name, __: loop.call_soon_threadsafe(begun.set) if name == "match_started" else None)
    place = tmp_path / "runs" / "run"
    playing = asyncio.ensure_future(asyncio.to_thread(run, PERSON, output=place, check=False, control=control, log=log))
    await begun.wait()
    host, reader = make_viewer(place.parent), make_viewer(place.parent, right="reader")
    seat = await host.lend(right="seat", run="run")
    try:
        await seat.get("/seat/turn?wait=30")
        before = (await host.json(PATH))["view"]
        shown = await host.post(f"{PATH}/show-all")
        during = [(await viewer.json(PATH))["view"] for viewer in (host, reader)]
        await seat.post(f"/seat/leave?match={MATCH}")
        await seat.get(f"/seat/turn?after=0&wait=30&match={MATCH}")
    finally:
        control.stop()
        await playing
    finished = (await host.post(f"{PATH}/show-all")).json()

    assert (before, shown.json(), during) == ("public", {"watched": [MATCH]}, ["all", "public"])
    assert finished == {"watched": []}
    told = await host.json(PATH)
    assert (told["state"], told["view"], told["is_watched"]) == ("ended", "all", True)
    made = (await host.post("/downloads", {"run": "run", "match": MATCH, "form": "txt"})).json()
    text = (await host.client.get(made["path"])).text
    assert "watched by the host, who saw all of it while somebody outside played" in text
    note = "run 'run': the host saw all of 1 match while somebody outside played"
    assert note in load(place).report().notes

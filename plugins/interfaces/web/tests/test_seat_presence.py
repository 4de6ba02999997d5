"""Who is there for a run's open seats: whoever plays it waits as long as somebody is."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from arena_engine import Control, RunLog, run
from arena_web.held.presence import SeatPresence
from arena_web.live.live import LiveSocket
from starlette.websockets import WebSocket

pytestmark = pytest.mark.asyncio(loop_scope="session")

BENCHMARK = {
    "name": "waits",
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"person": "open-seat", "random": "random"},
    "schedule": {"use": "round-robin", "rotate-seats": False},
}


async def until(control: Control, *, is_attended: bool) -> None:
    """Wait until a run is attended, or is not any more."""
    async with asyncio.timeout(60):
        while control.state.is_attended != is_attended:  # noqa: ASYNC110 -- another thread's loop says so
            await asyncio.sleep(0.01)


async def watch_over_a_connection(host: Any, control: Control) -> list[dict[str, Any]]:
    """Watch a run over a WebSocket, all of it anew, then nothing; gives what was told of it each time."""
    said: asyncio.Queue[Any] = asyncio.Queue()
    heard: asyncio.Queue[Any] = asyncio.Queue()

    async def told() -> dict[str, Any]:
        while (message := await heard.get())["type"] != "websocket.send":
            pass
        return json.loads(message["text"])

    def say(**words: Any) -> None:
        said.put_nowait({"type": "websocket.receive", "text": json.dumps(words)})

    said.put_nowait({"type": "websocket.connect"})
    connection = asyncio.ensure_future(
        LiveSocket(host.site, WebSocket({"type": "websocket"}, said.get, heard.put)).serve()
    )
    say(key=host.key)
    say(watch=["run:waits"])
    first = await told()
    await until(control, is_attended=True)
    say(drop=["run:waits"], watch=["run:waits"])
    second = await told()
    say(drop=["run:waits"])
    await until(control, is_attended=False)
    said.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await connection
    return [first, second]


@pytest.mark.campaign
async def test_run_is_attended_while_somebody_is_there(make_viewer: Any, tmp_path: Path):
    """A holder of a seat's link, a host who watches in any way, and who began the run are waited for; no reader is."""
    control, begun, loop = Control(grace_s=60.0), asyncio.Event(), asyncio.get_running_loop()
    log = RunLog(lambda _, name, __: loop.call_soon_threadsafe(begun.set) if name == "match_started" else None)
    place = tmp_path / "runs" / "waits"
    playing = asyncio.ensure_future(
        asyncio.to_thread(run, BENCHMARK, output=place, check=False, control=control, log=log)
    )
    await begun.wait()
    host = make_viewer(tmp_path / "runs", presence=SeatPresence(stays_s=0.5))
    reader = make_viewer(tmp_path / "runs", right="reader", presence=SeatPresence(stays_s=0.0))
    key = (await host.post("/links", {"right": "seat", "run": "waits"})).json()["link"].partition("#")[2]

    await reader.json("/live?topics=run:waits&wait=0")
    assert not control.state.is_attended
    number = (await host.json("/live?topics=run:waits&wait=0"))["numbers"]["run:waits"]
    watching = asyncio.ensure_future(host.get(f"/live?topics=run:waits&after={number}&wait=60"))
    await until(control, is_attended=True)
    watching.cancel()
    await until(control, is_attended=False)
    resets = await watch_over_a_connection(host, control)
    headers = {"authorization": f"Bearer {key}"}
    turn = await host.client.get("/api/1/seat/turn?wait=20", headers=headers)
    await until(control, is_attended=False)
    own = SeatPresence(stays_s=0.0)
    await own.stay(place)
    await until(control, is_attended=True)
    control.stop()
    await playing
    while own.is_busy:  # noqa: ASYNC110 -- it ends with the run
        await asyncio.sleep(0.01)
    await host.site.feeds.close()
    await reader.site.feeds.close()

    assert turn.json()["turn"] == 0
    assert [reset["kind"] for reset in resets] == ["reset", "reset"]

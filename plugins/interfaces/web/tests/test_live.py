"""Runs and matches are followed while they are played: every message once, in order, and nothing is lost."""

import asyncio
import json
import os
import threading
import time
from contextlib import closing
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from arena_engine import Journal, RunLog, run
from arena_engine.journal.database import lock
from arena_scene import patch
from arena_web.api.routing import ApiRequest
from arena_web.foundation.keys import Grant
from arena_web.held.feeds import KEPT, Feed
from arena_web.held.match_names import match_name
from arena_web.held.positions import Positions
from arena_web.live.live import LiveSocket
from arena_web.live.match_feed import MatchFeed
from arena_web.matches.open_match import open_match
from starlette.websockets import WebSocket

pytestmark = pytest.mark.asyncio(loop_scope="session")

SLOW: Any = {
    "name": "slow",
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "schedule": {"use": "self-play", "repeats": 1},
}
"""One match, whose model is for each test to say."""


class _Counting(Feed):
    """A feed that is told things by its test."""

    async def look(self) -> None:
        """Nothing happens by itself."""

    def snapshot(self) -> Any:
        return {"seen": "all"}


async def listen(viewer: Any, topics: dict[str, int | None], until: Any) -> list[dict[str, Any]]:
    """All messages on some topics, asked for again and again, until one that ends it."""
    found: list[dict[str, Any]] = []
    while not any(until(message) for message in found):
        asked = ",".join(quote(topic) for topic in topics)
        after = ",".join("" if number is None else str(number) for number in topics.values())
        answer = await viewer.json(f"/live?topics={asked}&after={after}&wait=10")
        found += answer["messages"]
        topics |= {message["topic"]: message["number"] for message in answer["messages"]}
    return found


async def test_feed_gives_what_came_after_a_number():
    """A feed gives the messages after a number, and one reset to whoever is new, too far behind, or from elsewhere."""
    feed = _Counting("t")
    begin = feed.number
    for word in range(5):
        feed.tell("said", word=word)

    assert [message.fields["word"] for message in feed.since(begin + 2)] == [2, 3, 4]
    assert feed.since(feed.number) == []
    for strange in (None, 0, feed.number + 1, begin - 1):
        (reset,) = feed.since(strange)
        assert reset.fields == {"topic": "t", "number": feed.number, "kind": "reset", "seen": "all"}


async def test_who_is_far_behind_gets_everything_at_once():
    """Messages beyond those that are kept are not lost in silence: whoever missed them gets a reset."""
    feed = _Counting("t")
    begin = feed.number
    for word in range(KEPT + 1):
        feed.tell("said", word=word)

    assert [message.fields["kind"] for message in feed.since(begin)] == ["reset"]
    assert len(feed.since(begin + 1)) == KEPT


async def test_message_is_written_once_for_all_who_are_sent_it():
    """Whoever watches a feed is woken by it, and all are sent the same text, which stands for the same fields."""
    feed, viewers = _Counting("t"), [asyncio.Event(), asyncio.Event()]
    begin = feed.number
    feed.woken.update(viewers)

    feed.tell("said", word="ein Wört")

    assert all(viewer.is_set() for viewer in viewers)
    (one,), (other,) = feed.since(begin), feed.since(begin)
    assert one.text is other.text
    assert json.loads(one.text) == one.fields


def in_order(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages of a topic, which begin with a reset and come in order, each once."""
    numbers = [message["number"] for message in messages]
    assert messages[0]["kind"] == "reset"
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return messages


async def test_run_and_match_are_followed_to_the_end(make_viewer, model_server, tmp_path):
    """A match that another thread plays comes step by step; the frames, put together, are its last position."""
    place = tmp_path / "runs" / "slow"
    cells = iter(["a1", "b1", "c1", "a2", "b2", "c2", "a3"])
    provider = model_server(lambda _: next(cells), free=2, latency_s=0.2)
    backend = {"use": "openai-compatible", "model": "m", "base-url": provider.address}
    plain = SLOW | {"agents": {"model": {"use": "llm", "backend": backend}}}
    begun = threading.Event()
    log = RunLog(lambda _, name, __: begun.set() if name == "match_started" else None)
    playing = asyncio.ensure_future(asyncio.to_thread(run, plain, output=place, check=False, log=log))
    viewer = make_viewer(tmp_path / "runs")
    await asyncio.to_thread(begun.wait, 60)
    id_ = "tic-tac-toe/model,model/0.0"
    topics: dict[str, int | None] = {"run:slow": None, f"match:slow/{match_name(id_)}?as=all": None}

    told = await listen(viewer, topics, lambda message: message["topic"].startswith("match"))
    provider.released.set()  # not before it is watched, however long that takes
    told += await listen(
        viewer, topics, lambda message: message["kind"] == "ended" and message["topic"].startswith("match")
    )

    await playing
    messages, of_run = (in_order([each for each in told if each["topic"] == topic]) for topic in reversed(topics))
    assert len(messages) + len(of_run) == len(told)
    scene: Any = messages[0]["frame"]
    frames = [message for message in messages if message["kind"] == "frame"]
    for message in frames:
        scene = patch(scene, message["frame"])
    last = await viewer.json(f"/run/slow/match/{match_name(id_)}/frames?from=-1")
    assert scene == last["frames"][0]
    whole = await viewer.json(f"/run/slow/match/{match_name(id_)}")
    turns = [message["turn"] for message in messages if message["kind"] == "turn"]
    assert turns == list(range(messages[0]["turn_total"], whole["turn_total"]))
    assert len(frames) == whole["positions"] - messages[0]["positions"]
    await viewer.site.feeds.close()


async def test_view_that_may_not_know_is_told_nothing(make_viewer, played):
    """A match that is over is one reset for each view, which shows no more than its frames do."""
    viewer = make_viewer(played)
    row = (await viewer.json("/run/folded/matches"))["matches"][0]
    for view in ("0", "1", "public", "all"):
        topic = f"match:folded/{row['match']}?as={view}"
        (reset,) = (await viewer.json(f"/live?topics={quote(topic)}&wait=0"))["messages"]
        last = await viewer.json(f"/run/folded/match/{row['match']}/frames?as={view}&from=-1")
        assert reset["frame"] == last["frames"][0]
        assert (reset["state"], reset["view"]) == ("ended", view)
    await viewer.site.feeds.close()


async def test_bystander_follows_its_match_and_nothing_else(make_viewer, played):
    """The topic of a bystander is its match, without its name; nothing else can be followed with its link."""
    host = make_viewer(played)
    row = (await host.json("/run/folded/matches"))["matches"][0]
    bystander = await host.lend(right="bystander", run="folded", match=row["match"])
    for topic in ("run:folded", f"match:folded/{row['match']}?as=public", "watch,run:folded"):
        refused = await bystander.get(f"/live?topics={quote(topic)}&wait=0")
        assert (refused.status_code, refused.json()["error"]["remedy"]) == (403, "there is: watch")
    answer = await bystander.json("/live?topics=watch&wait=0")
    (reset,) = answer["messages"]
    last = await bystander.json("/watch/frames?from=-1")

    assert (await host.get("/live?topics=watch")).status_code == 400
    assert reset["frame"] == last["frames"][0]
    assert (reset["topic"], reset["state"], reset["view"]) == ("watch", "ended", "public")
    assert reset["turn_total"] == (await bystander.json("/watch"))["turn_total"]
    await host.site.feeds.close()


def connected(viewer: Any, *words: Any) -> tuple["asyncio.Future[None]", "asyncio.Queue[Any]"]:
    """A connection over which a viewer says its key and some words, and what is sent to it after it is accepted."""
    said: asyncio.Queue[Any] = asyncio.Queue()
    heard: asyncio.Queue[Any] = asyncio.Queue()
    said.put_nowait({"type": "websocket.connect"})
    for message in ({"key": viewer.key}, *words):
        said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def hear(message: Any) -> None:
        if message["type"] != "websocket.accept":
            heard.put_nowait(message)

    socket = LiveSocket(viewer.site, WebSocket({"type": "websocket"}, said.get, hear))
    return asyncio.ensure_future(socket.serve()), heard


@pytest.mark.parametrize(("right", "most"), [("host", 64), ("reader", 64), ("bystander", 500)])
async def test_key_has_so_many_connections(make_viewer, played, right, most):
    """A link to watch may be open in more places than others; one connection more is refused, and told why."""
    viewer = make_viewer(played, right=right)
    viewer.site.feeds.sockets[viewer.key] = most - 1
    last, heard = connected(viewer, {"ping": True})
    assert json.loads((await heard.get())["text"]) == {"kind": "pong"}

    more, refused = connected(viewer)

    await more
    why = f"{most} connections are open with this link, and no more are taken; close a page"
    assert (await refused.get())["reason"] == why
    last.cancel()


async def test_link_that_ends_is_told_nothing_more(make_viewer, played):
    """Who waits when the link is ended is told that, over a connection or without one."""
    host = make_viewer(played)
    row = (await host.json("/run/folded/matches"))["matches"][0]
    bystander = await host.lend(right="bystander", run="folded", match=row["match"])
    number = (await bystander.json("/live?topics=watch&wait=0"))["numbers"]["watch"]
    connection, heard = connected(bystander, {"watch": ["watch"], "from": {"watch": number}}, {"ping": True})
    assert json.loads((await heard.get())["text"]) == {"kind": "pong"}
    waiting = asyncio.ensure_future(bystander.get(f"/live?topics=watch&after={number}&wait=60"))
    (feed,) = host.site.feeds._feeds.values()
    async with asyncio.timeout(60):
        while feed.watchers < 2:  # noqa: ASYNC110 -- whoever waits says nothing
            await asyncio.sleep(0)
    (lent,) = host.site.keys.lent()
    host.site.keys.end(lent.id)
    feed.tell("state", state="playing")

    await connection
    assert (await heard.get())["code"] == 1008
    assert (await waiting).status_code == 401
    await host.site.feeds.close()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("topics=run:none", 404),
        ("topics=run:boards/x", 400),
        ("topics=match:boards/0123456789abcdef", 404),
        ("topics=match:boards", 400),
        ("topics=files:etc", 400),
        ("topics=", 400),
        ("topics=run:boards&after=1,2", 400),
        ("topics=run:boards&wait=61", 400),
    ],
)
async def test_what_cannot_be_watched_is_named(viewer, query, status):
    """A topic that there is not is 404, one that is none is 400."""
    assert (await viewer.get(f"/live?{query}")).status_code == status


async def test_nothing_happens_in_a_run_that_is_over(viewer):
    """Who asks what comes after the last number hears nothing, as soon as the wait is over."""
    first = await viewer.json("/live?topics=run:boards&wait=0")
    number = first["numbers"]["run:boards"]

    second = await viewer.json(f"/live?topics=run:boards&after={number}&wait=0")

    assert first["messages"][0]["progress"]["state"] == "finished"
    assert second == {"messages": [], "numbers": {"run:boards": number}}
    assert json.dumps(first)
    await viewer.site.feeds.close()


@pytest.mark.slow
async def test_match_that_has_begun_is_played_as_long_as_its_run_is(make_viewer, tmp_path):
    """A match is in play while a process has its run, even one that does not answer; left alone it has its turns."""
    place = tmp_path / "runs" / "begun"
    model = {"use": "llm", "backend": {"use": "scripted", "latency-s": 1.1}}
    short = SLOW | {"agents": {"model": model}, "limits": {"budget-calls": 2}}
    await asyncio.to_thread(run, short, output=place, check=False)
    viewer = make_viewer(tmp_path / "runs")
    path = f"/run/begun/match/{match_name('tic-tac-toe/model,model/0.0')}"

    left = await viewer.json(path)
    with closing(lock(place)):
        held = await viewer.json(path)

    assert (left["state"], held["state"]) == ("planned", "playing")
    assert left["turn_total"] == held["turn_total"] > 0


async def test_step_is_seen_whose_time_is_that_of_the_step_before(make_viewer, played, tmp_path):
    """Two steps that the clock of the file system cannot tell apart are both told."""
    with Journal.open(played / "boards") as journal:
        record = next(record for record in journal.records() if record.game == "tic-tac-toe")
        header = journal.header
    with Journal.create(tmp_path / "runs" / "boards", header, [record.plan]) as journal:
        viewer = make_viewer(tmp_path / "runs")
        run_ = viewer.site.runs.get("boards")
        asked = ApiRequest(
            path={"run": "boards", "match": match_name(record.id)}, query={}, body=None, grant=Grant(right="host")
        )
        feed = MatchFeed("match:boards", viewer.site, run_, partial(open_match, viewer.site, asked))
        now = time.time_ns() + 3_600_000_000_000  # whenever the looks are, they are not long after it
        seen: list[Any] = []
        for step in range(3):
            events = [event for event in record.events if event.step == step]
            journal.progress(record.id, step, events, is_first=step == 0)
            await journal.flush()
            for file in run_.directory.glob("journal.sqlite*"):
                os.utime(file, ns=(now, now))
            await feed.look()
            seen.append(feed.snapshot()["positions"])

    assert seen == [1, 2, 3]


@pytest.mark.campaign
async def test_match_is_read_when_there_is_more_of_it_and_drawn_once(make_viewer, played, tmp_path):
    """What is written beside a match does not have it read again at once, and no position is drawn a second time."""
    with Journal.open(played / "boards") as journal:
        record, other = (record for record in [*journal.records()][:2])
        header = journal.header
    read, drawn = [], []

    class Drawn(Positions):
        async def frames(self, source: Any, view: str, begin: int, end: int) -> Any:
            drawn.append((begin, end))
            return await super().frames(source, view, begin, end)

    positions = Drawn()
    with Journal.create(tmp_path / "runs" / "boards", header, [record.plan, other.plan]) as journal:

        async def step(match: Any, number: int) -> None:
            events = [event for event in match.events if event.step == number]
            journal.progress(match.id, number, events, is_first=number == 0)
            await journal.flush()

        viewer = make_viewer(tmp_path / "runs", positions=positions)
        asked = ApiRequest(
            path={"run": "boards", "match": match_name(record.id)}, query={}, body=None, grant=Grant(right="host")
        )

        def reading() -> Any:
            read.append(True)
            return open_match(viewer.site, asked)

        feed = MatchFeed("match:boards", viewer.site, viewer.site.runs.get("boards"), reading)
        soon = time.time_ns() + 3_600_000_000_000
        for match, number in ((record, 0), (record, 1), (other, 0), (record, 2), (other, 1)):
            await step(match, number)
            for file in (tmp_path / "runs" / "boards").glob("journal.sqlite*"):
                os.utime(file, ns=(soon, soon))
            await feed.look()

    assert len(read) == 3
    assert drawn == [(0, 0), (1, 1), (2, 2)]
    await positions.close()


class _Overtaken(Positions):
    """Says what positions there are a moment after the match went on."""

    def __init__(self, step: Any) -> None:
        super().__init__()
        self.step = step

    async def frames(self, *asked: Any) -> Any:
        await self.step()
        return await super().frames(*asked)


@pytest.mark.slow
async def test_frames_fit_whatever_is_played_while_they_are_made(make_viewer, played, tmp_path):
    """A step that is written while a position is being drawn comes as a frame of its own, and in no other frame."""
    with Journal.open(played / "boards") as journal:
        record = next(record for record in journal.records() if record.game == "tic-tac-toe" and record.steps > 5)
        header = journal.header
    place = tmp_path / "runs" / "boards"
    with Journal.create(place, header, [record.plan]) as journal:
        steps = iter(range(record.steps + 1))

        async def step() -> None:
            number = next(steps, None)
            if number is not None:
                events = [event for event in record.events if event.step == number]
                journal.progress(record.id, number, events, is_first=number == 0)
                await journal.flush()

        for _ in range(3):
            await step()
        viewer = make_viewer(tmp_path / "runs")
        viewer.site.positions = _Overtaken(step)
        topic = f"match:boards/{match_name(record.id)}?as=all"
        told = await listen(viewer, {topic: None}, lambda message: message.get("position") == record.steps)
        last = await viewer.json(f"/run/boards/match/{match_name(record.id)}/frames?from=-1")
        await viewer.site.feeds.close()

    scene: Any = told[0]["frame"]
    for message in told:
        scene = patch(scene, message["frame"]) if message["kind"] == "frame" else scene
    assert scene == last["frames"][0]

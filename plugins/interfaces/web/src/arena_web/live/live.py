"""Follows runs and matches while they are played: over a WebSocket, or by asking and waiting."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, cast
from urllib.parse import parse_qs

import attrs
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.foundation.keys import Grant, Right
from arena_web.foundation.seeing import ALL
from arena_web.held.feeds import Feed, encoded
from arena_web.live.match_feed import MatchFeed
from arena_web.live.run_feed import RunFeed
from arena_web.live.runs_feed import RunsFeed
from arena_web.matches.open_match import open_match
from arena_web.matches.watching import WATCH, open_watched, watched_players

RUNS: Final = "runs"
"""The topic of the list of runs."""

TOPICS: Final = 50
"""So much is watched over one connection."""

SOCKETS: Final[Mapping[Right, int]] = {"host": 64, "reader": 64, "bystander": 500}
"""So many connections a key has that may follow something."""

ALL_SOCKETS: Final = 1_000
"""So many connections there are at once, whatever their keys."""

KEY_S: Final = 5.0
"""Seconds within which a connection must say its key."""

TAKES_S: Final = 30.0
"""Seconds after which a viewer that takes nothing is let go."""

CHECKED_S: Final = 0.1
"""Seconds for which a viewer who is slow to take what is due is sent it without a look whether its link has ended."""

CLOSED: Final = "this link is not valid any more"

LONGEST: Final = 65_536
"""No message of a viewer has more characters."""


async def join(site: Site, topic: str, grant: Grant) -> Feed:
    """The feed of a topic, watched by one more; an answer of 400, 403 or 404 says what is wrong with it."""
    if grant.right == "bystander":
        return await _join_watched(site, topic, grant)
    if topic == RUNS:
        return await site.feeds.join(topic, lambda: RunsFeed(topic, site))
    kind, run, match, view = _parts(topic)
    if kind not in ("run", "match") or bool(match) != (kind == "match"):
        remedy = f"there is: {RUNS}, run:RUN, match:RUN/MATCH?as=VIEW"
        raise bad_input("topic", f"cannot be watched: {topic[:80]!r}", remedy)
    found = await run_in_threadpool(site.runs.get, run)
    if kind == "run":
        return await site.feeds.join(topic, lambda: RunFeed(topic, found))
    read = partial(open_match, site, _request(run, match, view, grant))
    # A host may see more than a reader, so they share no feed of a match.
    shared = f"{grant.right} {topic}"
    if not site.feeds.has(shared):  # else it was read for those who watch it already
        await run_in_threadpool(read)
    return await site.feeds.join(shared, lambda: MatchFeed(topic, site, found, read))


async def _join_watched(site: Site, topic: str, grant: Grant) -> Feed:
    """The feed of a bystander's match, which all its bystanders share under a topic that names nothing."""
    if topic != WATCH:
        raise ApiError(403, "topics", "a spectator's link opens its match alone", f"there is: {WATCH}")
    read = partial(open_watched, site, grant)
    run = (await run_in_threadpool(read)).run
    shared = f"{WATCH}:{grant.run}/{grant.header}/{grant.match}"
    return await site.feeds.join(shared, lambda: MatchFeed(WATCH, site, run, read, watched_players))


def _parts(topic: str) -> tuple[str, str, str, str]:
    """What a topic names: its kind, a run, a match or nothing, and a view."""
    kind, _, rest = topic.partition(":")
    place, _, query = rest.partition("?")
    run, _, match = place.partition("/")
    return kind, run, match, parse_qs(query).get("as", [ALL])[0]


def _request(run: str, match: str, view: str, grant: Grant) -> ApiRequest:
    return ApiRequest(path={"run": run, "match": match}, query={"as": view}, body=None, grant=grant)


async def poll(site: Site, asked: ApiRequest) -> Any:
    """What has happened since some numbers, at once or as soon as something does."""
    topics = [topic for topic in asked.query["topics"].split(",") if topic]
    numbers = [_number(word) for word in asked.query["after"].split(",")] if asked.query["after"] else []
    if not 1 <= len(topics) <= TOPICS or len(numbers) not in (0, len(topics)):
        raise bad_input("topics", f"expected 1 to {TOPICS} with commas, and a number in `after` for each or none")
    after = dict(zip(topics, numbers or [None] * len(topics), strict=True))
    async with AsyncExitStack() as watched:
        feeds = [await watched.enter_async_context(_watching(site, topic, asked.grant)) for topic in topics]
        messages = _due(feeds, after)
        if not messages:
            await _next(feeds, asked.query["wait"])
            messages = _due(feeds, after)
        if not site.keys.is_open(asked.grant):
            raise ApiError(401, "key", CLOSED, "ask the host for a new one")
        return {"messages": messages, "numbers": {feed.topic: feed.number for feed in feeds}}


@asynccontextmanager
async def _watching(site: Site, topic: str, grant: Grant) -> AsyncGenerator[Feed]:
    """The feed of a topic meanwhile; a run that its host watches waits for its open seats."""
    feed = await join(site, topic, grant)
    try:
        if grant.right != "host" or topic == RUNS:
            yield feed
            return
        run = await run_in_threadpool(site.runs.get, _parts(topic)[1])
        async with site.presence.here(run.directory):
            yield feed
    finally:
        feed.leave()


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else None


def _due(feeds: list[Feed], after: Mapping[str, int | None]) -> list[Mapping[str, Any]]:
    return [message.fields for feed in feeds for message in feed.since(after[feed.topic])]


async def _next(feeds: list[Feed], seconds: float) -> None:
    """Wait until one of the feeds has a message."""
    woken = asyncio.Event()
    for feed in feeds:
        feed.woken.add(woken)
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        pass
    finally:
        for feed in feeds:
            feed.woken.discard(woken)


@attrs.define(eq=False)
class _Followed:
    """A feed that a viewer watches, and the number of the last message of it that it was sent."""

    feed: Feed
    sent: int | None


class LiveSocket:
    """One viewer's connection, and what it watches."""

    def __init__(self, site: Site, socket: WebSocket) -> None:
        self._site = site
        self._socket = socket
        self._followed: dict[str, _Followed] = {}
        self._watched: dict[str, asyncio.Task[None]] = {}
        self._grant = Grant(right="reader")
        self._woken = asyncio.Event()

    async def serve(self) -> None:
        """Hear the key, then what to watch, and send what happens until the viewer goes."""
        await self._socket.accept()
        feeds = self._site.feeds
        if feeds.open_sockets >= ALL_SOCKETS:
            await self._refuse(f"{ALL_SOCKETS:,} connections are open, and no more are taken; close a page")
            return
        feeds.open_sockets += 1
        try:
            await self._serve()
        finally:
            feeds.open_sockets -= 1

    async def _serve(self) -> None:
        key = await self._key()
        if key is None:
            return
        if self._site.feeds.sockets[key] >= SOCKETS[self._grant.right]:
            most = SOCKETS[self._grant.right]
            await self._refuse(f"{most} connections are open with this link, and no more are taken; close a page")
            return
        self._site.feeds.sockets[key] += 1
        sending = asyncio.create_task(self._send_all())
        try:
            await self._hear(sending)
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sending
            self._site.feeds.sockets[key] -= 1
            watched = [*self._watched.values()]
            for topic in [*self._watched]:
                self._drop(topic)
            await asyncio.gather(*watched, return_exceptions=True)

    async def _key(self) -> str | None:
        """The key that a viewer says first; ``None`` where it opens nothing, and the viewer is gone."""
        try:
            async with asyncio.timeout(KEY_S):
                said = _plain(await self._socket.receive_text())
        except (TimeoutError, WebSocketDisconnect, KeyError):
            await self._refuse("no key was said")
            return None
        key = str(said.get("key") or "")
        grant = self._site.keys.grant_of(key)
        if grant is None or grant.right not in SOCKETS:
            await self._refuse(f"{CLOSED}; open the one that `arena view` printed")
            return None
        self._grant = grant
        return key

    async def _hear(self, sending: "asyncio.Task[None]") -> None:
        while not sending.done():
            hearing = asyncio.ensure_future(self._socket.receive_text())
            await asyncio.wait({hearing, sending}, return_when=asyncio.FIRST_COMPLETED)
            if not hearing.done():
                hearing.cancel()
                return
            try:
                said = _plain(hearing.result())
            except (WebSocketDisconnect, KeyError):  # gone, or bytes
                return
            if "ping" in said and await self._is_open():
                await self._send(encoded({"kind": "pong"}))
            for topic in map(str, said.get("drop") or ()):
                self._drop(topic)
            begin: Any = said.get("from")
            numbers = cast("dict[str, Any]", begin) if isinstance(begin, dict) else {}
            for topic in map(str, said.get("watch") or ()):
                number: Any = numbers.get(topic)
                await self._watch(topic, number if type(number) is int else None)
            self._woken.set()

    async def _watch(self, topic: str, number: int | None) -> None:
        if topic in self._watched:
            return
        if len(self._watched) >= TOPICS:
            await self._notice(topic, f"more than {TOPICS} topics")
            return
        # A game that is slow to show keeps nobody from the other topics.
        self._watched[topic] = asyncio.create_task(self._follow(topic, number))

    async def _follow(self, topic: str, number: int | None) -> None:
        """Watch a topic until it is dropped."""
        try:
            async with _watching(self._site, topic, self._grant) as feed:
                self._followed[topic] = _Followed(feed, number)
                feed.woken.add(self._woken)
                self._woken.set()
                try:
                    await asyncio.Event().wait()
                finally:
                    feed.woken.discard(self._woken)
        except ApiError as error:
            await self._notice(topic, error.what, error.remedy)
            del self._watched[topic]

    async def _notice(self, topic: str, what: str, remedy: str = "") -> None:
        await self._send(encoded({"topic": topic, "kind": "notice", "what": what, "remedy": remedy}))

    def _drop(self, topic: str) -> None:
        self._followed.pop(topic, None)
        if (watched := self._watched.pop(topic, None)) is not None:
            watched.cancel()

    async def _send_all(self) -> None:
        """Send what is due whenever there is something; whoever takes nothing for long is let go."""
        time, checked = asyncio.get_running_loop().time, 0.0
        while True:
            self._woken.clear()
            for own in [*self._followed.values()]:
                for message in own.feed.since(own.sent):
                    if time() - checked > CHECKED_S:
                        if not await self._is_open():
                            return
                        checked = time()
                    await self._send(message.text)
                    own.sent = message.fields["number"]
            await self._woken.wait()
            checked = 0.0

    async def _is_open(self) -> bool:
        """Whether the viewer's link has not ended meanwhile; a viewer whose link has is sent away."""
        if self._site.keys.is_open(self._grant):
            return True
        await self._refuse(CLOSED)
        return False

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(TAKES_S):
            await self._socket.send_text(text)

    async def _refuse(self, why: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(1008, why[:120])


def _plain(text: str) -> dict[str, Any]:
    """What a viewer says; nothing where it is no object."""
    try:
        found: Any = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        found = None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

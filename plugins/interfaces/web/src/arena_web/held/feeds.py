"""Feeds: what happens in a run or a match, message by message, numbered within each feed.

A feed looks at the journal whenever that was written to, so that a run is followed whichever process plays it. All who
watch the same thing share one feed; each asks it for what came after its own last number, so that nobody waits for
anybody else. Who is too far behind gets one ``reset`` with everything that is to be seen.
"""

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final

from arena_web.foundation.errors import ApiError

KEPT: Final = 256
"""So many messages are kept for those who are behind."""

MOST: Final = 1_000
"""So many feeds there are at once."""

LINGERS_S: Final = 60.0
"""Seconds that a feed goes on without anybody, for those who lost their connection."""

LOOK_S: Final = 0.5
"""Seconds between two looks at a journal; a feed sends no more often, unless it says otherwise."""

RESTS: Final = 2
"""A feed that looks more often rests so many times as long as a look took, and at most ``LOOK_S``."""


HURRIES_S: Final = 0.3
"""Seconds for which a feed looks without a rest once it was told that something happens now."""

HURRY_S: Final = 0.005
"""Seconds between two looks meanwhile."""


class FeedMessage:
    """What happened, as fields and as the text that is sent, which is made once for all who are sent it."""

    __slots__ = ("_text", "fields")

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields
        self._text = ""

    @property
    def text(self) -> str:
        """The message as JSON."""
        self._text = self._text or encoded(self.fields)
        return self._text


def encoded(fields: Mapping[str, Any]) -> str:
    """The fields of a message as JSON that is sent over a connection."""
    return json.dumps(fields, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


class Feed(ABC):
    """What happens in one place, for all who watch it. Make it inside the event loop that uses it.

    ``pause_s`` are the seconds between two looks. The events in ``woken`` are set with each message.
    """

    pause_s: ClassVar[float] = LOOK_S

    def __init__(self, topic: str) -> None:
        self.topic = topic
        # No two feeds of one topic share a number, so that nobody goes on in a later one where an earlier one ended.
        self.number = time.time_ns() // 1_000_000
        self.watchers = 0
        self.is_over = False
        self.woken: set[asyncio.Event] = set()
        self._messages: deque[FeedMessage] = deque(maxlen=KEPT)
        self._task: asyncio.Task[None] | None = None
        self._trouble = ""
        self._hurries = asyncio.Event()
        self._hurries_until = 0.0
        self._is_known = asyncio.Event()

    @abstractmethod
    async def look(self) -> None:
        """Look what has happened since the last look, and ``tell`` it."""

    @abstractmethod
    def snapshot(self) -> Mapping[str, Any]:
        """Everything that is to be seen, as the fields of a message."""

    def concerns(self, directory: Path, match: str) -> bool:
        """Whether something that happens in a match of a run is soon to be told here."""
        return False

    def hurry(self) -> None:
        """Look at once, and often for a moment: something happens now."""
        self._hurries_until = time.monotonic() + HURRIES_S
        self._hurries.set()

    def tell(self, kind: str, **fields: Any) -> None:
        """Add a message for everybody who watches."""
        self.number += 1
        self._messages.append(FeedMessage({"topic": self.topic, "number": self.number, "kind": kind, **fields}))
        for event in self.woken:
            event.set()

    def since(self, number: int | None) -> Sequence[FeedMessage]:
        """The messages after a number; one ``reset`` for ``None``, or where they are not kept any more."""
        missed = -1 if number is None else self.number - number
        if not 0 <= missed <= len(self._messages):
            return (FeedMessage({"topic": self.topic, "number": self.number, "kind": "reset", **self.snapshot()}),)
        return [self._messages[place] for place in range(-missed, 0)]

    async def begin(self) -> None:
        """Count one more who watches, as often as ``leave``; returns once it was looked for the first time."""
        self.watchers += 1
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        try:
            await self._is_known.wait()
        except asyncio.CancelledError:
            self.leave()
            raise

    def leave(self) -> None:
        """Count one less who watches; a feed that nobody watches is over after a while."""
        self.watchers -= 1

    async def close(self) -> None:
        """Stop looking, whoever still watches."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _watch(self) -> None:
        watched = time.monotonic()
        while (began := time.monotonic()) - watched < LINGERS_S:
            watched = began if self.watchers else watched
            try:
                await self.look()
                self._trouble = ""
            except (ApiError, FileNotFoundError) as error:
                gone = ApiError(404, "", "the run is not there any more")
                problem = error if isinstance(error, ApiError) else gone
                if str(problem) != self._trouble:
                    self._trouble = str(problem)
                    self.tell("notice", what=problem.what, remedy=problem.remedy)
            self._is_known.set()
            await self._rest(began)
        self.is_over = True

    async def _rest(self, began: float) -> None:
        """Wait for the next look; the longer the last one took, the longer."""
        now = time.monotonic()
        is_hurried = now < self._hurries_until
        pause = HURRY_S if is_hurried else max(self.pause_s, min(LOOK_S, RESTS * (now - began)))
        self._hurries.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._hurries.wait()


class Feeds:
    """The feeds that somebody watches or watched a moment ago, and how many connections there are.

    ``sockets`` counts them by key, ``open_sockets`` those too that have said no key yet.
    """

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}
        self.sockets: Counter[str] = Counter()
        self.open_sockets = 0

    def has(self, topic: str) -> bool:
        """Whether a topic is followed already."""
        feed = self._feeds.get(topic)
        return feed is not None and not feed.is_over

    async def join(self, topic: str, make: Callable[[], Feed]) -> Feed:
        """The feed of a topic, watched by one more; ``make`` makes it where there is none."""
        self._feeds = {name: feed for name, feed in self._feeds.items() if not feed.is_over}
        feed = self._feeds.get(topic)
        if feed is None:
            if len(self._feeds) >= MOST:
                raise ApiError(429, "topics", f"more than {MOST} are watched", "close a page", retry_s=60)
            feed = self._feeds[topic] = make()
        await feed.begin()
        return feed

    def hurry(self, directory: Path, match: str) -> None:
        """Let those look at once that tell what happens in a match of a run."""
        for feed in self._feeds.values():
            if feed.concerns(directory, match):
                feed.hurry()

    async def close(self) -> None:
        """End all feeds, whoever watches them."""
        for feed in [*self._feeds.values()]:
            await feed.close()
        self._feeds.clear()

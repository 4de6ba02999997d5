"""The seats of a run that wait for somebody outside, and the places that their matches give back meanwhile."""

import asyncio
from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, nullcontext
from datetime import UTC, datetime
from typing import Final

import attrs
from arena.agent import Outside
from arena.record import Player


class Places:
    """So many matches are played at once as there are places; ``changed`` is called when one becomes free.

    A match that comes back takes the next place that becomes free, before any new match. ``free`` may be negative:
    matches that are cut off while they wait come back at once, to end.
    """

    def __init__(self, size: int, changed: Callable[[], None]) -> None:
        self.free = size
        self.size = size
        self.returning: deque[Future[None]] = deque()
        self._changed = changed

    @property
    def is_idle(self) -> bool:
        """Whether no match has a place."""
        return self.free == self.size

    def take(self) -> bool:
        """Take a place for a match that begins; false if none is free."""
        if self.free <= 0:
            return False
        self.free -= 1
        return True

    def give(self) -> None:
        """Give a place back: to a match that comes back from waiting, if there is one."""
        while self.returning and self.free >= 0:
            back = self.returning.popleft()
            if not back.done():
                back.set_result(None)
                return
        self.free += 1
        self._changed()

    @asynccontextmanager
    async def given_back(self) -> AsyncGenerator[None]:
        """Let others have this match's place, and take one again afterwards."""
        self.give()
        try:
            yield
        except BaseException:
            self.free -= 1
            raise
        if self.take():
            return
        back = get_running_loop().create_future()
        self.returning.append(back)
        try:
            await back
        except BaseException:
            if back.cancelled():  # no place came; one that did is this match's already
                self.free -= 1
            raise


WAITS: Final = "waits for {}: arena view {}"
"""Why a run ends that has nothing left to do but wait."""


@attrs.frozen(kw_only=True)
class WaitingSeat:
    """A player whose match waits for somebody outside, ``since`` a time in UTC."""

    match: str
    player: Player
    agent: str
    since: str


class OpenSeats:
    """All seats of a run that wait; ``is_attended`` says whether somebody watches, so that it is worth waiting.

    An executor that gives the places of waiting matches to others sets ``places``. ``end`` is called with the reason
    when for ``grace_s`` seconds nothing is left to be played and none of the waiting seats is worth waiting for.
    ``beside`` says for which seats a run waited that ends for another reason; it is empty where there were none.
    """

    def __init__(self) -> None:
        self.places: Places | None = None
        self.is_attended = False
        self.grace_s = 0.0
        self.directory = "RUN"
        self.end: Callable[[str], None] = lambda reason: None
        self.beside = ""
        self._waiting: dict[tuple[str, Player], tuple[WaitingSeat, Outside]] = {}
        self._late: set[WaitingSeat] = set()
        self._grace: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> tuple[WaitingSeat, ...]:
        """The seats that wait, the one that has waited longest first."""
        return tuple(seat for seat, _ in list(self._waiting.values()))

    @asynccontextmanager
    async def waited(
        self, match: str, player: Player, agent: str, how: Outside, leave: Callable[[], object]
    ) -> AsyncGenerator[None]:
        """Note that a seat waits while the body does; ``leave`` is called where it has to get up."""
        since = datetime.now(UTC).isoformat(timespec="seconds")
        seat = WaitingSeat(match=match, player=player, agent=agent, since=since)
        late = {"leave": leave, "pause": lambda: self._give_up(seat)}.get(how.absent)
        timer = None if late is None else asyncio.get_running_loop().call_later(how.absent_s, late)
        self._waiting[match, player] = seat, how
        try:
            async with nullcontext() if self.places is None else self.places.given_back():
                try:
                    yield
                finally:
                    del self._waiting[match, player]
                    self._late.discard(seat)
                    if timer is not None:
                        timer.cancel()
        finally:
            self.look()

    def close(self, reason: str) -> None:
        """Remember that the run is to end now, because of a reason."""
        if self._waiting and reason != self._reason:
            self.beside = f"it waited for {self._number}"

    def waits(self, match: str, player: Player) -> bool:
        """Whether somebody outside is waited for who plays for a player of a match."""
        return (match, player) in self._waiting

    def look(self) -> None:
        """End the run if only seats are left for which nobody needs to wait; called when something has changed."""
        if not self._is_pointless:
            if self._grace is not None:
                self._grace.cancel()
                self._grace = None
        elif not self.grace_s:
            self._end()
        elif self._grace is None:
            self._grace = asyncio.get_running_loop().call_later(self.grace_s, self._end)

    @property
    def _is_pointless(self) -> bool:
        """Whether only seats are left for which nobody needs to wait."""
        if self.places is None or not self.places.is_idle or not self._waiting:
            return False
        return not any(self._is_worth_it(seat, how) for seat, how in self._waiting.values())

    def _end(self) -> None:
        self.end(self._reason)

    @property
    def _reason(self) -> str:
        return WAITS.format(self._number, self.directory)

    @property
    def _number(self) -> str:
        number = len(self._waiting)
        return f"{number} seat{'' if number == 1 else 's'}"

    def _is_worth_it(self, seat: WaitingSeat, how: Outside) -> bool:
        return how.absent == "leave" or (self.is_attended and seat not in self._late)

    def _give_up(self, seat: WaitingSeat) -> None:
        self._late.add(seat)
        self.look()

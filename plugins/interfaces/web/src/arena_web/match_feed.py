"""The feed of one match as a view has it: its positions as differences, its turns, and its ending."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool

from arena_web.feeds import Feed
from arena_web.found_runs import FoundRun
from arena_web.match_page import ending_of, entries, players_of, state_of_match, told
from arena_web.open_match import OpenMatch
from arena_web.positions import Problem
from arena_web.site import Site


class MatchFeed(Feed):
    """What a view sees of one match. Steps of which the view is told nothing make no message and take no number.

    ``read`` reads the match anew, and ``players`` says who plays, as the view may know it.
    """

    def __init__(
        self,
        topic: str,
        site: Site,
        run: FoundRun,
        read: Callable[[], OpenMatch],
        players: Callable[[OpenMatch], list[Any]] = players_of,
    ) -> None:
        super().__init__(topic)
        self._site = site
        self._run = run
        self._read = read
        self._players = players
        self._stamp: tuple[int, int, int] | None = None
        self._view = ""
        self._is_begun: bool = False
        self._state = ""
        self._positions = 0
        self._turns = 0
        self._scene: Mapping[str, Any] | None = None
        self._ending: Any = None

    def snapshot(self) -> Mapping[str, Any]:
        return {
            "state": self._state,
            "view": self._view,
            "positions": self._positions,
            "turn_total": self._turns,
            "frame": self._scene,
            "ending": self._ending,
        }

    async def look(self) -> None:
        stamp = self._run.stamp
        if stamp == self._stamp:
            return
        is_first = self._stamp is None
        found = await run_in_threadpool(self._read)
        lines, positions = await entries(self._site, found)
        is_begun = found.source.is_begun
        is_same = (positions, len(lines)) == (self._positions, self._turns)
        is_other = found.view != self._view or (is_begun != self._is_begun and is_same)
        self._view, self._is_begun = found.view, is_begun
        await self._tell_positions(found, positions, is_silent=is_first or is_other)
        if not (is_first or is_other) and len(lines) > self._turns:
            fresh = await run_in_threadpool(told, found, lines[self._turns :], self._turns)
            for line in fresh:
                self.tell("turn", **line)
        self._positions, self._turns = positions, len(lines)
        await self._tell_state(found, is_silent=is_first)
        if is_other and not is_first:
            self.tell("reset", **self.snapshot())
        self._stamp = stamp

    async def _tell_positions(self, found: OpenMatch, positions: int, *, is_silent: bool) -> None:
        """Tell the positions that are new, each by its difference from the one before."""
        if positions == self._positions and not is_silent:
            return
        begin = -1 if is_silent else max(self._positions - 1, 0)
        shown = await self._site.positions.frames(found.source, found.view, begin, positions - 1)
        if isinstance(shown, Problem):
            self._scene = None
            return
        last = await self._site.positions.frames(found.source, found.view, -1, -1)
        self._scene = None if isinstance(last, Problem) else last["frames"][0]
        for place in range(1, len(shown["frames"])) if not is_silent else ():
            frame, words = shown["frames"][place], shown["words"][place]
            self.tell("frame", position=begin + place, frame=frame, words=words)

    async def _tell_state(self, found: OpenMatch, *, is_silent: bool) -> None:
        state, before = state_of_match(found), self._state
        self._state, self._ending = state, ending_of(found)
        if state == before or is_silent:
            return
        if state in ("ended", "failed"):
            players = await run_in_threadpool(self._players, found)
            self.tell("ended", state=state, ending=self._ending, players=players)
        else:
            self.tell("state", state=state)

"""The feed of one match as a view has it: its positions as differences, its turns, and its ending."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, cast

from arena_engine import is_played
from arena_scene import difference, patch
from starlette.concurrency import run_in_threadpool

from arena_web.api.site import Site
from arena_web.held.feeds import LOOK_S, Feed
from arena_web.held.found_runs import FoundRun
from arena_web.held.positions import Problem
from arena_web.held.run_state import open_run
from arena_web.matches.match_page import ending_of, entries, players_of, state_of_match, told
from arena_web.matches.open_match import OpenMatch

TICK_NS: Final = 50_000_000
"""Nanoseconds for which the times of files may stand still while something is written."""


class MatchFeed(Feed):
    """What a view sees of one match. Steps of which the view is told nothing make no message and take no number.

    It looks often, so that a move is soon on the screens of others; where nothing was written, a look costs little.
    ``read`` reads the match anew, and ``players`` says who plays, as the view may know it.
    """

    pause_s: ClassVar[float] = 0.02

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
        self._mark = ""
        self._id = ""
        self._unread = 0.0
        self._is_settled = False
        self._is_left = False
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
            "frame": _in_order(self._scene),
            "ending": self._ending,
        }

    async def look(self) -> None:
        stamp, now = self._run.stamp, time.time_ns()
        if stamp == self._stamp and self._is_settled:
            return
        # What is written within one tick of the file's clock changes nothing that can be seen from outside.
        self._is_settled = now - max(stamp[1:]) > TICK_NS
        is_first = self._stamp is None
        found = await run_in_threadpool(self._read if is_first else self._read_if_due)
        if found is None:
            self._stamp = stamp
            return
        self._id, self._unread = found.place.id, 0.0
        lines, positions = await entries(self._site, found)
        is_begun = found.source.is_begun
        is_moved = found.view != self._view or positions < self._positions
        # The position before a match has begun may be another than the one at its start, or the same.
        is_opened = is_begun != self._is_begun and (positions, len(lines)) == (self._positions, self._turns)
        is_anew = is_moved or is_opened
        self._view, self._is_begun, scene = found.view, is_begun, self._scene
        await self._tell_positions(found, positions, is_silent=is_first or is_anew)
        if not (is_first or is_anew) and len(lines) > self._turns:
            fresh = await run_in_threadpool(told, found, lines[self._turns :], self._turns)
            for line in fresh:
                self.tell("turn", **line)
        self._positions, self._turns = positions, len(lines)
        await self._tell_state(found, is_silent=is_first)
        if is_anew and not is_first and (is_moved or scene != self._scene):
            self.tell("reset", **self.snapshot())
        self._stamp = stamp

    def concerns(self, directory: Path, match: str) -> bool:
        return directory == self._run.directory and match == self._id

    def _read_if_due(self) -> OpenMatch | None:
        """The match, where there is more of it, or where what was written beside it has been left unread for long."""
        with open_run(self._run) as journal:
            before, self._mark = self._mark, journal.mark_of(self._id)
        self._unread = self._unread or time.monotonic()
        is_due = self._mark != before or self._is_settled or time.monotonic() - self._unread > LOOK_S
        return self._read() if is_due else None

    async def _tell_positions(self, found: OpenMatch, positions: int, *, is_silent: bool) -> None:
        """Tell the positions that are new, each by its difference from the one before."""
        if positions == self._positions and not is_silent:
            return
        before = None if is_silent else self._scene
        begin = positions - 1 if is_silent else self._positions if before else max(self._positions - 1, 0)
        shown = await self._site.positions.frames(found.source, found.view, begin, positions - 1)
        if isinstance(shown, Problem):
            self._scene = None
            return
        scene: Mapping[str, Any] | None = None
        for place, (frame, words) in enumerate(zip(shown["frames"], shown["words"], strict=True)):
            # The first one is in full; of those that are known none is drawn again.
            told = frame if scene is not None or before is None else difference(before, frame)
            scene = frame if scene is None else patch(scene, frame)
            if place or before is not None:
                self.tell("frame", position=begin + place, frame=told, words=words)
        self._scene = scene

    async def _tell_state(self, found: OpenMatch, *, is_silent: bool) -> None:
        state, before = state_of_match(found), self._state
        if (before, state) == ("playing", "planned") and not self._is_left:
            # Its end may have been written since it was read: it is left if it is so at the next look as well.
            self._is_left = not is_played(found.run.directory)
            self._is_settled = self._is_settled and not self._is_left
            state = before
        else:
            self._is_left = False
        self._state, is_over = state, state in ("ended", "failed")
        players = await run_in_threadpool(self._players, found) if is_over else []
        self._ending = await ending_of(self._site, found, players)
        if state == before or is_silent:
            return
        if is_over:
            self.tell("ended", state=state, ending=self._ending, players=players)
        else:
            self.tell("state", state=state)


def _in_order(value: Any) -> Any:
    """The same value with all its keys in order, so that what was put together from differences does not show it."""
    if isinstance(value, Mapping):
        return {key: _in_order(own) for key, own in sorted(cast("Mapping[str, Any]", value).items())}
    return [_in_order(own) for own in cast("list[Any]", value)] if isinstance(value, list | tuple) else value

"""The positions of matches as they are seen, computed in worker processes and kept for a while."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from arena_web.foundation.kept_values import KeptValues
from arena_web.held.workers import WorkerFailed, Workers

ROOM: Final = 200_000_000
"""So many bytes of positions are kept."""

AGAIN_S: Final = 60.0
"""Seconds after which a game that failed is asked for the same again: it may have been the machine that was slow."""

SOON_S: Final = 0.2
"""Seconds that a page waits for what it can do without."""

_FAILURES: Final = 1_000


@attrs.frozen(kw_only=True)
class MatchSource:
    """Which match is meant, and how far it is: two of the same have the same positions.

    ``run`` is the directory, ``header`` the id of the run; ``steps``, ``is_begun`` and ``is_over`` say how much of the
    match is known.
    """

    run: str
    header: str
    match: str
    game: str
    players: int
    steps: int
    is_over: bool
    is_begun: bool = True


@attrs.frozen
class Problem:
    """Why positions cannot be shown, and what to do."""

    what: str
    remedy: str

    def to_json(self) -> dict[str, str]:
        """The problem as it is sent."""
        return {"what": self.what, "remedy": self.remedy}


class Positions:
    """What games say of the positions of their matches; a game that fails gives a ``Problem``."""

    def __init__(
        self,
        workers: Workers | None = None,
        *,
        disabled: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._workers = Workers(disabled=disabled) if workers is None else workers
        self._clock = clock
        self._kept = KeptValues(ROOM)
        self._finding: dict[Any, asyncio.Task[Any]] = {}
        self._failed = KeptValues(_FAILURES)  # each with the time until which it is not asked for again

    async def game(self, source: MatchSource) -> Any:
        """The rules of a match's game, whether it draws scenes, and whether it hides something."""
        asked = {"do": "game", "run": source.run, "game": source.game, "players": source.players}
        return await self._found((source.run, source.header, source.game), source, asked)

    async def timeline(self, source: MatchSource, view: str) -> Any:
        """The positions of a view without pictures: of each its step, and what was told on the way there."""
        asked = {"do": "timeline", "run": source.run, "match": source.match, "view": view}
        return await self._found((source, view), source, asked)

    async def end(self, source: MatchSource, view: str) -> str | None:
        """Why a match ended by its rules, as a view is told it; empty: no word of it, ``None``: not known yet."""
        key = (source, view, "end")
        asked = {"do": "end", "run": source.run, "match": source.match, "view": view}
        if key not in self._finding:
            self._finding[key] = asyncio.create_task(self._found(key, source, asked))
            self._finding[key].add_done_callback(lambda _: self._finding.pop(key, None))
        done, _ = await asyncio.wait({self._finding[key]}, timeout=SOON_S)
        if not done:
            return None
        found = next(iter(done)).result()
        return found if isinstance(found, str) else ""

    async def in_play(self, source: MatchSource) -> Any:
        """Whose turn it is in a match that is not over, and how many refusals a player may have in all."""
        return await self._found(
            (source, "in-play"), source, {"do": "in-play", "run": source.run, "match": source.match}
        )

    async def frames(self, source: MatchSource, view: str, begin: int, end: int) -> Any:
        """Positions of a view as scenes: the first in full, then differences; ``begin`` -1 is the last one alone."""
        asked = {"do": "frames", "run": source.run, "match": source.match, "view": view, "from": begin, "to": end}
        return await self._found((source, view, begin, end), source, asked)

    async def plugin(self, kind: str, name: str) -> Any:
        """What there is to say of a plugin; ``WorkerFailed`` passes."""
        return await self._workers.ask({"do": "plugin", "kind": kind, "name": name})

    async def text(self, source: MatchSource) -> str:
        """A match to read, as ``arena replay`` tells it; without its game it is told in the journal's words."""
        found: str = await self._workers.ask({"do": "text", "run": source.run, "match": source.match})
        return found

    async def close(self) -> None:
        """End all worker processes."""
        for task in [*self._finding.values()]:
            task.cancel()
        await self._workers.close()

    async def _found(self, key: Any, source: MatchSource, asked: Mapping[str, Any]) -> Any:
        found = self._kept.get(key)
        if found is not None:
            return found
        failed: tuple[Problem, float] | None = self._failed.get(key)
        if failed is not None and failed[1] > self._clock():
            return failed[0]
        try:
            found = await self._workers.ask(asked)
        except WorkerFailed as error:
            problem = Problem(f"the game {source.game!r} cannot be shown: {error}", _remedy(str(error)))
            self._failed.put(key, (problem, self._clock() + AGAIN_S), 1)
            return problem
        self._kept.put(key, found, len(json.dumps(found)))
        return found


def _remedy(why: str) -> str:
    if "is not installed" in why:
        return "install it here and start `arena view` again; meanwhile the turns are told as texts"
    return "the turns are told as texts; tell the game's author"

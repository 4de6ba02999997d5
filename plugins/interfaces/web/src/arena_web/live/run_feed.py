"""The feed of a run: how far it is, which matches begin, and which have ended."""

from collections.abc import Mapping
from typing import Any, Final

from arena_engine import match_page
from starlette.concurrency import run_in_threadpool

from arena_web.foundation.hidden_matches import covered_matches
from arena_web.held.feeds import Feed
from arena_web.held.found_runs import FoundRun
from arena_web.held.match_names import match_name
from arena_web.held.run_state import open_run, state_of_open
from arena_web.runs.match_list import describer

NEWEST: Final = 20
"""Of the matches that ended since the last look so many are told."""


class RunFeed(Feed):
    """What happens in one run."""

    def __init__(self, topic: str, run: FoundRun) -> None:
        super().__init__(topic)
        self._run = run
        self._seen: tuple[Any, ...] | None = None
        self._progress: dict[str, Any] = {}
        self._playing: set[str] = set()
        self._last: str | None = None

    def snapshot(self) -> Mapping[str, Any]:
        return {"progress": self._progress}

    async def look(self) -> None:
        stamp = self._run.state_stamp
        is_held = self._progress.get("state") in ("running", "waiting", "paused")
        if stamp == self._seen and not is_held:  # a pause changes no file
            return
        progress, playing, ended = await run_in_threadpool(self._read)
        is_first, self._seen = self._seen is None, stamp
        before, self._progress = self._progress, progress
        begun, self._playing = playing - self._playing, playing
        if is_first:
            return
        for id_ in sorted(begun):
            self.tell("match_started", match=match_name(id_), label=id_)
        for row in ended:
            self.tell("ended", **row)
        if progress != before:
            self.tell("run_progress", **progress)

    def _read(self) -> tuple[dict[str, Any], set[str], list[Any]]:
        """How far the run is, what is being played, and the newest matches that ended since the last look."""
        with open_run(self._run) as journal:
            state = state_of_open(self._run, journal)
            playing = set(state.control.playing if state.control else ())
            page = match_page(journal, by="ended", is_descending=True, limit=NEWEST)
            newest = [each for each in page.matches if each.ended and each.ended > (self._last or "")]
            described = describer(journal, covered_matches(journal))
            rows = [described(each) for each in reversed(newest)]
            self._last = max((each.ended for each in newest if each.ended), default=self._last)
        progress = {
            "state": state.word,
            "state_words": state.words,
            "done": state.done,
            "planned": state.planned,
            "playing": [{"match": match_name(id_), "label": id_} for id_ in sorted(playing)[:12]],
        }
        return progress, playing, rows

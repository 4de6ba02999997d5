"""Keeps what a metric measured in the matches of a run, where measuring takes long, so that it is measured once.

It lies in the user's cache by run, metric, parameters, games and installed code, match by match. A record that was
written anew, and whatever is not just what Arena writes there, is measured again.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from time import thread_time
from typing import Any, Final, cast

from arena.game import Game
from arena.metric import FinishedMatch, Measurement, Metric
from arena.record import canonical_json
from arena_engine import KeptTexts, installed_code
from arena_engine.foundation import measurement_fault
from arena_engine.references import Undescribed, described

from arena_report.metrics.runs import ReportedRun

FORMAT: Final = 1
"""Raised when what is kept cannot be used any more."""

FOLDER: Final = "measured"

ROOM: Final = 500_000_000
"""So many bytes there are on disk at most."""

DEAR_S: Final = 0.001
"""A metric that takes less processor time for a match is quicker to measure again than to read."""

TRIED: Final = 20
"""After so many matches it is known whether a metric is dear."""


class KeptMeasurements:
    """The measurements of one metric in one run: those that are kept, and those that were just made."""

    def __init__(self, run: ReportedRun, metric: Metric, games: Mapping[str, Game]) -> None:
        self._metric = metric
        self._key = _key(run, metric, games)
        self._texts = KeptTexts(FOLDER, ROOM)
        self._journal = run.journal
        self._known = _read(self._texts.get(self._key)) if self._key else {}
        self._is_collecting = bool(self._key)
        self._fresh = 0
        self._spent = 0.0

    def measure(self, match: FinishedMatch) -> list[Measurement]:
        """The measurements of a match: those that are kept of it, else new ones. Errors of the metric pass through."""
        if not self._is_collecting and not self._known:
            return list(self._metric.measure(match))
        id_ = match.record.id
        mark, rows = self._known.get(id_) or (None, list[list[Any]]())
        if mark is not None and mark == self._journal.record_mark(id_):
            found = [Measurement(*each) for each in rows]
            if not any(measurement_fault(each, match.record) for each in found):
                return found
        began = thread_time()
        found = list(self._metric.measure(match))
        self._spent += thread_time() - began
        self._fresh += 1
        if self._is_collecting:
            if self._fresh >= TRIED and self._spent < DEAR_S * self._fresh:
                self._is_collecting, self._known = False, {}
            elif (now := self._journal.record_mark(id_)) is not None:
                self._known[id_] = now, [list(each) for each in found]
        return found

    def keep(self) -> None:
        """Write down what is new, if it was dear and comes back as it is."""
        if not self._is_collecting or not self._fresh or self._spent < DEAR_S * self._fresh:
            return
        try:
            text = json.dumps(self._known)
        except (TypeError, ValueError, RecursionError):
            return
        if _read(text) == self._known:  # a tuple would come back as a list
            self._texts.put(self._key, text)


def _key(run: ReportedRun, metric: Metric, games: Mapping[str, Game]) -> str:
    """A digest of all that measurements follow from; empty where that cannot be said, or runs are put together."""
    if not run.is_alone or metric.needs_calls:
        return ""
    try:
        played = {name: described(game) for name, game in games.items()}
        made_from = [FORMAT, run.journal.header.id, described(metric), played, installed_code()]
        return sha256(canonical_json(made_from).encode()).hexdigest()
    except (Undescribed, OSError, ValueError, TypeError, RecursionError):
        return ""


def _read(text: str | None) -> dict[str, tuple[int, list[list[Any]]]]:
    """What is kept, by match; nothing if it is of another shape than Arena writes."""
    try:
        raw: Any = json.loads(text or "{}")
        found = {str(id_): (mark, rows) for id_, (mark, rows) in cast("dict[str, Any]", raw).items()}
        sound = all(
            type(mark) is int and all(type(row) is list and len(row) == len(Measurement._fields) for row in rows)
            for mark, rows in found.values()
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}
    return found if sound else {}

"""A match that has ended, as the journal keeps it: encoded where it was played, and stored without being read again."""

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

from arena.record import Ending, Failure, MatchPlan, MatchRecord

from arena_engine.journal.record_text import record_bytes
from arena_engine.journal.stored_json import record_from
from arena_engine.journal.summaries import summary_row
from arena_engine.match.checked_state import record_fault


class EncodedMatch(NamedTuple):
    """The record of a match as bytes, and the columns of its summary; both travel between processes as they are.

    ``text`` is the record's JSON in UTF-8, without its plan. ``summary`` has the fields of ``MatchSummary``; what the
    match used is not in it, since the journal counts that.
    """

    text: bytes
    summary: tuple[Any, ...]

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.summary[0]

    @property
    def ending(self) -> Ending:
        """How the match ended."""
        return Ending(self.summary[4])

    @classmethod
    def of(cls, record: MatchRecord, started: datetime | None = None) -> "EncodedMatch":
        """Encode a match that has just ended and was ``started`` at that time.

        A record that holds something that is no JSON becomes a failed one that says what.
        """
        ended = None if started is None else datetime.now(UTC)
        try:
            return cls(record_bytes(record), summary_row(record, started, ended))
        except (TypeError, ValueError, RecursionError) as error:
            reason = record_fault(record.game, record.events) or f"it cannot be written down as JSON: {error}"
            failed = MatchRecord(
                plan=record.plan, seats=(), ending=Ending.FAILED, returns=None, failure=Failure(reason)
            )
            return cls(record_bytes(failed), summary_row(failed, started, ended))

    def record(self, plan: MatchPlan) -> MatchRecord:
        """The record again, for whoever reads it before it is in the journal."""
        return record_from({**json.loads(self.text), "plan": {**plan.to_json(), "agents": [*plan.agents]}})

"""Journals for tests, of real or sample matches."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from arena.record import MatchRecord
from arena_engine.journal.journal import Journal
from arena_engine.journal.schema import Header
from arena_engine.journal.stored_json import JournalEntry

HEADER = Header(
    id="test",
    name="test",
    seed=0,
    benchmark=None,
    created="2000-01-01T00:00:00+00:00",
    core="",
    python="",
    platform="",
    provenance=(),
)
"""The header of a run that has no benchmark file."""


def journal_of(directory: Path, records: Iterable[MatchRecord] = (), answers: Iterable[JournalEntry] = ()) -> Journal:
    """Create a journal in ``directory`` with these matches and answers; the caller closes it.

    Inside a running event loop only an empty journal can be created.
    """
    found, kept = tuple(records), tuple(answers)
    journal = Journal.create(directory, HEADER, tuple(record.plan for record in found))
    if found or kept:
        asyncio.run(_fill(journal, found, kept))
    return journal


async def _fill(journal: Journal, records: Iterable[MatchRecord], answers: Iterable[JournalEntry]) -> None:
    for record in records:
        journal.finish(record)
    for answer in answers:
        await journal.record(answer)
    await journal.flush()

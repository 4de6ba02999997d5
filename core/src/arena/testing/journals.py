"""Journals for tests: of matches that were played, or made up."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from arena.executor import Answer
from arena.journal import Header, Journal
from arena.record import MatchRecord

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
"""A run that nobody configured."""


def journal_of(directory: Path, records: Iterable[MatchRecord] = (), answers: Iterable[Answer] = ()) -> Journal:
    """A new journal in ``directory`` that holds these matches and answers, still open for writing; close it.

    Inside a running event loop it can only be made empty.
    """
    found, kept = tuple(records), tuple(answers)
    journal = Journal.create(directory, HEADER, tuple(record.plan for record in found))
    if found or kept:
        asyncio.run(_fill(journal, found, kept))
    return journal


async def _fill(journal: Journal, records: Iterable[MatchRecord], answers: Iterable[Answer]) -> None:
    for record in records:
        journal.finish(record)
    for answer in answers:
        await journal.keep(answer)
    await journal.flush()

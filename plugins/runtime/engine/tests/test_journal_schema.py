"""The tables of a journal: summaries and totals, failures of the writer, what cannot be kept."""

import asyncio
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import arena
import attrs
import pytest
from arena.errors import JournalError, JournalFull
from arena.record import Ending, Event, Failure, MatchRecord, Player
from arena_engine import Journal, JournalEntry
from arena_engine.journal.database import FILE, Transaction
from arena_engine.journal.encoded_match import record_fault
from arena_engine.journal.schema import RECORDS
from arena_engine.journal.writer import Rows

BENCHMARK = {
    "name": "n",
    "seed": 4,
    "games": {"ttt": {"use": "tic-tac-toe"}},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": {"use": "random"}},
    "schedule": {"use": "round-robin", "repeats": 4},
    "illegal-actions": {"retries": 1, "then": "random"},
    "metrics": [],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    return arena.run(BENCHMARK, output=tmp_path_factory.mktemp("runs") / "run").directory


def test_summaries_say_what_records_say(run):
    """A listing needs no record: turns, refusals, substitutes, winner and usage agree with records and answers."""
    with Journal.open(run) as journal:
        records = {record.id: record for record in journal.records()}
        answers = {match: journal.answers(match) for match in records}
        summaries = list(journal.summaries())

    assert {summary.match for summary in summaries} == set(records)
    for summary in summaries:
        record = records[summary.match]
        played = list(record.played())
        assert (summary.game, summary.agents, summary.ending) == (record.game, record.agents, record.ending)
        assert summary.at_fault == record.at_fault
        assert (summary.turns, summary.refusals) == (len(played), len(list(record.refused())))
        assert summary.substitutes == sum(event.data["by"] != "agent" for event in played)
        assert summary.winner == (None if 0 in record.returns else record.returns.index(max(record.returns)))
        asked = [answer for answer in answers[record.id] if answer.kind == "completion"]
        assert (summary.calls, summary.prompt_tokens) == (len(asked), sum(a.prompt_tokens for a in asked))
        assert summary.calls > 0
        assert summary.seconds >= 0
        assert datetime.fromisoformat(summary.started) <= datetime.fromisoformat(summary.ended)


def test_totals_by_pairing_count_every_match_once(run):
    """The totals are what counting the summaries gives."""
    with Journal.open(run) as journal:
        totals = list(journal.pairing_totals())
        counted = Counter((s.game, s.agents, s.ending, s.winner, s.at_fault) for s in journal.summaries())

    assert {(t.game, t.agents, t.ending, t.winner, t.at_fault): t.matches for t in totals} == counted


async def test_match_that_is_played_again_is_counted_once(run, tmp_path):
    """A failed match that gets a result is no longer counted as failed."""
    shutil.copytree(run, tmp_path / "run")
    with Journal.open(tmp_path / "run", write=True) as journal:
        record = next(journal.records())
        before = Counter(
            {(t.ending, t.winner): t.matches for t in journal.pairing_totals() if t.agents == record.agents}
        )
        failed = MatchRecord(
            plan=record.plan, seats=(), ending=Ending.FAILED, returns=None, failure=Failure("a plugin's bug")
        )
        journal.finish(failed)
        await journal.flush()
        between = [t.matches for t in journal.pairing_totals() if t.ending is Ending.FAILED]
        journal.finish(record, datetime.now(UTC) - timedelta(seconds=2))
        await journal.flush()
        after = Counter(
            {(t.ending, t.winner): t.matches for t in journal.pairing_totals() if t.agents == record.agents}
        )
        summary = next(s for s in journal.summaries() if s.match == record.id)
        journal.check()

    assert between == [1]
    assert after == before
    assert 2 <= summary.seconds < 60


def counts(journal: Journal, record: MatchRecord) -> dict[object, int]:
    """How many matches of a record's lineup had which ending and winner."""
    return {(t.ending, t.winner): t.matches for t in journal.pairing_totals() if t.agents == record.agents}


async def test_failed_write_fails_all_that_wait(run, tmp_path):
    """Whatever goes wrong in the writer reaches everybody who waits, at once, with the error it was."""
    shutil.copytree(run, tmp_path / "run")
    with Journal.open(tmp_path / "run", write=True) as journal:
        match = journal.plans()[0].id
        entries = [JournalEntry(match=match, scope=f"9/0/0/{i}", kind="once", prompt_tokens=i) for i in range(50)]
        entries[20] = attrs.evolve(entries[20], prompt_tokens=2**63)

        async with asyncio.timeout(60):
            outcomes = await asyncio.gather(*map(journal.record, entries), return_exceptions=True)

        told = [str(error) for error in outcomes if error is not None]
        assert all(isinstance(error, JournalFull) for error in outcomes if error is not None)
        assert any("OverflowError" in text and "free space" not in text for text in told)
        with pytest.raises(JournalFull):
            await journal.flush()


def with_event(record: MatchRecord, data: object, player: int | None = None) -> MatchRecord:
    """A record in which a game or an agent has done something that is no JSON."""
    event = Event(3, "game", "said", None if player is None else Player(player), data, None)  # type: ignore[arg-type]
    return attrs.evolve(record, events=(*record.events, event))


CIRCLE: list[object] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    "data",
    [{"text": "\ud83d"}, [1.0, float("nan")], 10**5000, {"a": {1, 2}}, CIRCLE],
    ids=["surrogate", "infinite", "long", "set", "circle"],
)
async def test_what_cannot_be_kept_is_named(run, tmp_path, data):
    """A value that would not come back is refused before it is written, and the event that holds it is named."""
    shutil.copytree(run, tmp_path / "run")
    with Journal.open(tmp_path / "run", write=True) as journal:
        record = with_event(next(journal.records()), data)
        with pytest.raises((TypeError, ValueError, RecursionError)):
            journal.finish(record)
        await journal.flush()

    assert (record_fault("ttt", record.events) or "").startswith("game 'ttt': the event 'said'")


async def test_long_numbers_and_odd_texts_survive(run, tmp_path):
    """Numbers of 4,300 digits and texts with every odd character come back as they were."""
    shutil.copytree(run, tmp_path / "run")
    with Journal.open(tmp_path / "run", write=True) as journal:
        record = with_event(next(journal.records()), {"n": 10**4299, "text": "\x00\x1f\x1e\x1ad83d \u2028"})
        journal.finish(record)
        await journal.flush()
        journal.check()
        assert journal.record_of(record.id) == record


def test_unknown_packing_is_refused_by_name(run, tmp_path):
    """A text that a later version has packed is no damage, and says what to do."""
    shutil.copytree(run, tmp_path / "run")
    with Journal.open(tmp_path / "run") as journal:
        id_, match = journal.header.id, next(journal.summary_rows())[0]
    with closing(sqlite3.connect(tmp_path / "run" / FILE, isolation_level=None)) as database, Transaction(database):
        block, ids, _, *texts, _ = database.execute(RECORDS.select).fetchone()
        rows = Rows(database, id_)
        rows.put(RECORDS, block, ids, "zip", *texts)
        rows.store()

    with Journal.open(tmp_path / "run") as journal, pytest.raises(JournalError, match=r"packed as 'zip'.*upgrade"):
        journal.record_of(match)

"""The journal: durable answers, grouped writes, locks, damage, secrets."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import attrs
import pytest
from arena.errors import ConfigError, JournalError, JournalFull
from arena.metric import Measurement
from arena.record import Ending, Event, MatchPlan, MatchRecord
from arena_engine.journal import blocks, database as files
from arena_engine.journal.blocks import PLANNED
from arena_engine.journal.database import FILE, LimitedConnection, read_log
from arena_engine.journal.journal import Journal, begun_header
from arena_engine.journal.listing import PlannedMatches
from arena_engine.journal.packing import PLAIN
from arena_engine.journal.repair import repair_journal
from arena_engine.journal.schema import PLANS, Header
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.verification import verify_journal
from arena_engine.journal.writer import Rows

HEADER = Header(
    id="run", name="n", seed=7, benchmark={"name": "n"}, created="", core="1", python="3", platform="p", provenance=()
)


def plan(number: int) -> MatchPlan:
    return MatchPlan(
        id=f"g/a,b/{number}.0",
        game="g",
        agents=("a", "b"),
        pairing="a,b",
        repeat=number,
        rotation=0,
        chance_seed=2**64 - number - 1,
    )


def record(number: int, ending: Ending = Ending.RULES) -> MatchRecord:
    event = Event(0, "game", "said", None, {"text": "key sk-canary-1 here"}, None)
    return MatchRecord(plan=plan(number), seats=("X", "O"), ending=ending, returns=(1.0, -1.0), events=(event,))


def answer(scope: str = "0/0/0/0", **more: object) -> JournalEntry:
    return JournalEntry(match=plan(0).id, scope=scope, kind="completion", **more)  # type: ignore[arg-type]


@pytest.fixture
def journal(tmp_path):
    with Journal.create(tmp_path / "run", HEADER, [plan(0), plan(1), plan(2)]) as made:
        yield made


async def test_what_is_written_can_be_read(journal, tmp_path):
    """Plans, records, answers and judgements come back as they were, in the order of the plans."""
    kept = answer(request_hash="h", request="{}", value='{"a":1}', prompt_tokens=3, completion_tokens=4, cost_usd=0.5)
    await journal.record(kept)
    journal.finish(record(2))
    journal.finish(record(1))
    journal.save_judgement(plan(1).id, "jury", [Measurement(name="style", value=0.5, player=1)])  # type: ignore[arg-type]
    await journal.flush()

    with Journal.open(tmp_path / "run") as read:
        assert read.header == HEADER
        assert read.plans() == (plan(0), plan(1), plan(2))
        assert [r.id for r in read.records()] == [plan(1).id, plan(2).id]
        assert read.record_of(plan(2).id) == record(2)
        assert read.record_of(plan(0).id) is None
        assert read.answers(plan(0).id) == [kept]
        assert read.judgements("jury")[plan(1).id][0].value == 0.5
        assert (read.totals().calls, read.totals().prompt_tokens, read.totals().cost_usd) == (1, 3, 0.5)


async def test_answer_is_on_disk_when_keep_returns(journal, tmp_path):
    """Another process sees an answer as soon as keep has returned, before anything else is done."""
    await journal.record(answer())

    path = str(tmp_path / "run" / FILE)
    count = f"import sqlite3; print(sqlite3.connect({path!r}).execute('SELECT count(*) FROM answers').fetchone()[0])"
    seen = await asyncio.create_subprocess_exec(sys.executable, "-c", count, stdout=asyncio.subprocess.PIPE)

    assert (await seen.communicate())[0].strip() == b"1"


async def test_many_answers_share_commits(journal):
    """A thousand answers at once are all kept, in far fewer transactions."""
    commits: list[str] = []
    journal._writer._database.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)

    await asyncio.gather(*(journal.record(answer(f"0/0/0/{i}")) for i in range(1_000)))

    assert len(journal.answers(plan(0).id)) == 1_000
    assert 1 <= len(commits) <= 10


async def test_finished_match_is_written_without_anybody_waiting(journal):
    """A finished match reaches the disk on its own within the group's time."""
    journal.finish(record(0))
    assert journal.record_of(plan(0).id) is None

    await asyncio.wait_for(_until(lambda: journal.record_of(plan(0).id) is not None), 5)


async def _until(is_true):
    while not is_true():  # noqa: ASYNC110 -- there is no event to wait for: the point is that nobody waits
        await asyncio.sleep(0)


async def test_secrets_are_cut_out(journal, tmp_path):
    """The value of a secret in use is found nowhere in the files of a run, however it got into a text."""
    journal.redact(["sk-canary-1", 'quo"te'])
    journal.finish(record(0))
    await journal.record(answer(request='"sk-canary-1"', value='"a quo\\"te b sk-canary-1"'))
    await journal.flush()

    data = b"".join(p.read_bytes() for p in (tmp_path / "run").iterdir())
    assert b"canary" not in data
    assert b'quo\\"te' not in data
    assert journal.record_of(plan(0).id).events[0].data == {"text": "key [secret] here"}


def test_two_writers_exclude_each_other(journal, tmp_path):
    """While one process writes a run another one is refused; readers are not."""
    with pytest.raises(JournalError, match="another process"):
        Journal.open(tmp_path / "run", write=True)

    Journal.open(tmp_path / "run").close()


def test_lock_of_a_killed_writer_is_gone(tmp_path):
    """A writer that was killed leaves no lock behind."""
    Journal.create(tmp_path / "run", HEADER, [plan(0)]).close()
    script = f"""
        import os, signal
        from pathlib import Path
        from arena_engine.journal.journal import Journal
        Journal.open(Path({str(tmp_path / "run")!r}), write=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)

    assert killed.returncode == -signal.SIGKILL
    Journal.open(tmp_path / "run", write=True).close()


def test_existing_run_is_not_overwritten(journal, tmp_path):
    """A run is never started where there is one."""
    with pytest.raises(JournalError, match="a run here already"):
        Journal.create(tmp_path / "run", HEADER, [])


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda path: path.unlink(), "no such journal"),
        (lambda path: path.write_bytes(b"not a database at all, " * 100), "header of the file is not what was written"),
        (lambda path: path.write_bytes(b""), "not a journal of Arena"),
        (lambda path: _execute(path, "PRAGMA user_version = 99"), "says schema 99, but its tables"),
        (
            lambda path: _execute(path, "PRAGMA user_version = 99", "CREATE TABLE more (a)"),
            "of schema 99, but this Arena reads schema 3 only",
        ),
        (lambda path: _execute(path, "PRAGMA user_version = 0"), "says schema 0, but its tables"),
        (lambda path: _execute(path, "DROP TABLE sums"), "tables are not those of schema 3"),
        (lambda path: _execute(path, "PRAGMA application_id = 1"), "not a journal of Arena"),
    ],
)
def test_unusable_journal_says_why(tmp_path, damage, complaint):
    """A missing, damaged, foreign or unknown file is one clear sentence."""
    Journal.create(tmp_path / "run", HEADER, []).close()
    damage(tmp_path / "run" / FILE)

    with pytest.raises(JournalError, match=complaint):
        Journal.open(tmp_path / "run")


def _execute(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


async def test_a_long_plan_is_read_in_parts(tmp_path, monkeypatch):
    """Plans are read in their order while records are written; those that a run still has to play are left then."""
    monkeypatch.setattr(blocks, "PLANNED", 3)
    plans = [plan(n) for n in (7, 2, 9, 4, 0, 1, 8)]
    lost = attrs.evolve(record(4), ending=Ending.INFRASTRUCTURE_FAILURE, returns=None)
    with Journal.create(tmp_path / "run", HEADER, iter(plans)) as journal:
        for ended in (record(2), record(8), lost):
            journal.finish(ended)
        await journal.flush()
        every, left = PlannedMatches(journal), PlannedMatches(journal, unfinished=True)

        found = []
        for each in left:
            found.append(each)
            journal.finish(record(each.repeat))
            await journal.flush()

        assert (len(every), len(left), len(PlannedMatches(journal, unfinished=True))) == (7, 5, 0)
        assert found == [each for each in plans if each.repeat not in (2, 8)]
        assert (list(every), every[0], every[-2:]) == (plans, plans[0], tuple(plans[-2:]))
        assert (journal.plan_of(plan(9).id), journal.plan_of("none")) == (plan(9), None)


def test_extension_keeps_what_was_played(tmp_path):
    """More plans can be added; those that were there keep their records, and the new order holds."""

    async def play(journal):
        journal.finish(record(1))
        await journal.flush()

    with Journal.create(tmp_path / "run", HEADER, [plan(1)]) as made:
        asyncio.run(play(made))
        made.extend(HEADER, [plan(0), plan(1), plan(2)])

    with Journal.open(tmp_path / "run") as read:
        assert [p.repeat for p in read.plans()] == [0, 1, 2]
        assert [r.id for r in read.records()] == [plan(1).id]


def test_full_disk_is_an_error_and_keeps_what_was_acknowledged(tmp_path):
    """When the disk takes no more, keep fails, everything acknowledged before is there, and the run can go on."""
    script = f"""
        import asyncio, resource
        from pathlib import Path
        from arena.errors import JournalFull
        from arena_engine.journal.stored_json import JournalEntry
        from arena_engine.journal.journal import Journal

        async def main():
            journal = Journal.open(Path({str(tmp_path / "run")!r}), write=True)
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
            for i in range(1_000):
                try:
                    request = "x" * 2_000
                    entry = JournalEntry(match="g/a,b/0.0", scope=str(i), kind="completion", request=request)
                    await journal.record(entry)
                except JournalFull:
                    print(i)
                    return

        asyncio.run(main())
    """
    Journal.create(tmp_path / "run", HEADER, [plan(0)]).close()
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)

    acknowledged = int(done.stdout.splitlines()[0])
    with Journal.open(tmp_path / "run", write=True) as again:
        assert 10 < acknowledged <= len(again.answers(plan(0).id))


async def test_after_a_failure_nothing_is_accepted(tmp_path, journal):
    """A journal whose file has gone wrong refuses everything with the same error."""
    journal._writer._database.close()

    with pytest.raises(JournalFull):
        await journal.record(answer())
    with pytest.raises(JournalFull):
        journal.finish(record(0))


def cut_off(directory: Path, *, is_scheduled: bool = True) -> None:
    """Leave what a process leaves that is killed while it writes the plans of a new run."""

    def plans() -> Iterator[MatchPlan]:
        yield from map(plan, range(PLANNED + 1))
        os.kill(os.getpid(), signal.SIGKILL)

    if not (child := os.fork()):
        Journal.create(directory, HEADER, plans(), is_scheduled=is_scheduled)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def test_creation_that_is_cut_off_leaves_no_journal(tmp_path):
    """What is left is not read as a run, says what to do, and gives way to the run when it is created again."""
    cut_off(tmp_path / "run")

    assert files.is_cut_off(tmp_path / "run")
    assert begun_header(tmp_path / "run") == HEADER
    for read in (Journal.open, verify_journal, repair_journal):
        with pytest.raises(JournalError, match=r"cut off while it was created.*begin it again with arena resume"):
            read(tmp_path / "run")
    Journal.create(tmp_path / "run", HEADER, [plan(0)]).close()
    assert [path.name for path in (tmp_path / "run").iterdir()] == [FILE]
    assert not verify_journal(tmp_path / "run").problems


def test_plans_of_no_schedule_are_not_made_up(tmp_path):
    """Of a run whose plans were given, a header that was written early would promise other matches."""
    cut_off(tmp_path / "run", is_scheduled=False)

    assert begun_header(tmp_path / "run") is None


def test_run_that_is_being_created_is_waited_for(tmp_path):
    """While another process creates a run, nobody takes it for one that was cut off."""
    cut_off(tmp_path / "run")
    held = files.lock(tmp_path / "run")

    assert not files.is_cut_off(tmp_path / "run")
    with pytest.raises(JournalError, match="is being created by another process"):
        Journal.open(tmp_path / "run")
    files.unlock(tmp_path / "run", held)


def test_failed_creation_leaves_nothing(tmp_path):
    """Plans that cannot be made leave no run, half of one, or lock."""

    def plans() -> Iterator[MatchPlan]:
        yield plan(0)
        raise ConfigError("no more plans")

    with pytest.raises(ConfigError, match="no more plans"):
        Journal.create(tmp_path / "run", HEADER, plans())

    assert list((tmp_path / "run").iterdir()) == []


def log_after(path: Path, *statements: str) -> bytes:
    """The log that SQLite has written when a process is killed in the midst of a transaction of many pages."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA cache_size = 10", "CREATE TABLE t (a, b)"):
            database.execute(statement)
        database.execute("BEGIN")
        for number in range(2_000):  # pages are written early, and again when more rows come into them
            database.execute("INSERT INTO t VALUES (?, ?)", (number * 7919 % 2_000, "x" * 100))
            database.execute("UPDATE t SET b = b || 'y' WHERE rowid = 1 + ?", (number // 2,))
        for statement in statements:
            database.execute(statement)
        return path.with_name(f"{path.name}-wal").read_bytes()


def test_log_without_a_commit_is_not_damaged(tmp_path):
    """SQLite mends checksums when it commits: frames of a transaction that was cut off say nothing of damage."""
    log = tmp_path / "copy-wal"
    log.write_bytes(log_after(tmp_path / "db"))
    found = read_log(log)
    assert (found.damage, found.pages_in_database) == ("", 2)

    whole = log_after(tmp_path / "other", "COMMIT")
    log.write_bytes(whole)
    assert read_log(log).damage == ""
    log.write_bytes(whole[:9_000] + bytes([whole[9_000] ^ 1]) + whole[9_001:])
    assert "is damaged; what was written from there on is unread" in read_log(log).damage


def test_each_transaction_reaches_the_log_once(tmp_path):
    """However long a transaction is, nothing of it is in the log before it commits."""
    Journal.create(tmp_path / "run", HEADER, [plan(0)]).close()
    with closing(files.open_existing(tmp_path / "run" / FILE, write=True)) as database, files.Transaction(database):
        rows = Rows(database, HEADER.id)
        rows.put_new(PLANS, ((n + 1, b"", PLAIN, "x" * 1_000) for n in range(10_000)))
        log = (tmp_path / "run" / f"{FILE}-wal").stat().st_size
        rows.store()

    assert log == 0


@pytest.mark.parametrize("statement", ["SELECT x FROM c", "SELECT count(*) FROM c", "SELECT x FROM c ORDER BY x"])
def test_no_statement_reads_for_ever(tmp_path, statement):
    """What would never end is an error within seconds, of a file with holes too, and the next one is as ever."""
    path = tmp_path / "holes"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with closing(sqlite3.connect(":memory:", factory=LimitedConnection)) as database:
        database.limit(path)
        endless = f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) {statement}"

        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            for _ in database.execute(endless):
                pass

        assert database.execute("SELECT 1").fetchone() == (1,)

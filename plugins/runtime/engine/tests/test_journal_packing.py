"""Packed journals: they say what plain ones say, in a fraction of the bytes, and damage names the match."""

import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import arena
import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError, JournalError
from arena_engine import Journal, load_benchmark, verify_journal
from arena_engine.execution.runner import resume_run
from arena_engine.journal.database import FILE, Transaction
from arena_engine.journal.packing import COPY, DICTIONARY, LONGEST, MOST_BYTES, PLAIN, Packer, Unpacker
from arena_engine.journal.repair import repair_journal
from arena_engine.journal.schema import RECORDS
from arena_engine.journal.writer import Rows
from hypothesis import given, settings, strategies as st

BENCHMARK = {
    "name": "n",
    "seed": 4,
    "games": {"ttt": {"use": "tic-tac-toe"}},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": {"use": "random"}},
    "schedule": {"use": "round-robin", "repeats": 20},
    "limits": {"concurrency": 1},  # so that each match is written alone
    "metrics": [],
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[bool, Path]:
    """The same run packed and plain, by whether it is packed."""
    place = tmp_path_factory.mktemp("runs")
    plain = {**BENCHMARK, "journal": {"compress": False}}
    return {
        True: arena.run(BENCHMARK, output=place / "packed").directory,
        False: arena.run(plain, output=place / "plain").directory,
    }


@pytest.fixture
def run(runs, tmp_path) -> Path:
    """A copy of the packed run."""
    return Path(shutil.copytree(runs[True], tmp_path / "run"))


def told(run: Path) -> object:
    """All that readers get of the texts of a run."""
    with Journal.open(run) as journal:
        matches = [(record, journal.answers(record.id)) for record in journal.records()]
        return matches, journal.model_versions(), journal.totals()


def packings(run: Path, table: str) -> set[str]:
    """How the texts of a table are packed."""
    with closing(sqlite3.connect(run / FILE)) as database:
        return {packing for (packing,) in database.execute(f"SELECT packing FROM {table}")}


def change(run: Path, **columns: object) -> str:
    """Change columns of the last block with all checksums, as somebody could who sends the run; what it is called."""
    with Journal.open(run) as journal:
        id_ = journal.header.id
    with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database, Transaction(database):
        *row, _ = database.execute(f"{RECORDS.select} ORDER BY block DESC").fetchone()
        named = {**dict(zip(RECORDS.names, row, strict=True)), **columns}
        rows = Rows(database, id_)
        rows.put(RECORDS, *named.values())
        rows.store()
    return RECORDS.named(row)


def last_match(run: Path) -> str:
    """The match of the last block."""
    with Journal.open(run) as journal:
        return [row[0] for row in journal.summary_rows()][-1]


def test_packed_run_says_what_a_plain_one_says(runs):
    """Records, answers, models and totals are equal; records and requests have dictionaries, and take less room."""
    assert told(runs[True]) == told(runs[False])
    assert packings(runs[True], "records") == {"zlib", "zlib:2"}
    assert packings(runs[True], "answers") == {"zlib", "zlib:1"}
    assert packings(runs[False], "records") | packings(runs[False], "answers") == {PLAIN}
    assert (runs[True] / FILE).stat().st_size < 0.4 * (runs[False] / FILE).stat().st_size
    assert verify_journal(runs[True]).problems == ()


def test_dictionaries_are_small(runs):
    """A dictionary has 4 kB at most, and there are two copies of each."""
    with Journal.open(runs[True]) as journal:
        texts = [made["text"] for made in journal.dictionaries().values()]
        copies = [journal.metadata(f"{DICTIONARY}{number}{COPY}") for number in journal.dictionaries()]

    assert [len(text.encode()) <= LONGEST for text in texts] == [True, True]
    assert [copy["text"] for copy in copies] == texts


@pytest.mark.parametrize("is_packed", [True, False])
async def test_resumed_run_goes_on_as_it_was_begun(runs, tmp_path, is_packed):
    """A run that was packed is packed on with the dictionaries it has, and a plain one stays plain."""
    run = Path(shutil.copytree(runs[is_packed], tmp_path / "run"))
    journal, _ = resume_run(run, Catalog())
    with journal:
        before = journal.dictionaries()
        record = journal.record_of(journal.match_ids()[0])
        answer = journal.answers(record.id)[0]
        await journal.record(attrs.evolve(answer, scope="9/0/0/0"))
        journal.finish(record)
        await journal.flush()
        assert journal.dictionaries() == before
        assert journal.record_of(record.id) == record
        assert attrs.evolve(journal.answers(record.id)[-1], scope=answer.scope) == answer

    with closing(sqlite3.connect(run / FILE)) as database:
        one = database.execute("SELECT packing FROM answers WHERE scope = '9/0/0/0'").fetchall()
        other = database.execute("SELECT packing FROM records ORDER BY block DESC LIMIT 1").fetchall()
    assert [*one, *other] == ([("zlib:1",), ("zlib:2",)] if is_packed else [(PLAIN,), (PLAIN,)])


def deflated(text: bytes) -> bytes:
    made = zlib.compressobj(9, wbits=-15)
    return made.compress(text) + made.flush()


@pytest.mark.parametrize(
    ("packing", "record", "why"),
    [
        ("zlib:9", b"", "there is no dictionary 9"),
        ("zlib", deflated(b"{}") + b"x", "does not end where it should"),
        ("zlib", b"\xff\xff", "invalid block type"),
        ("zlib", deflated(b"\xff"), "utf-8"),
        ("zlib", deflated(bytes(MOST_BYTES + 1)), "does not end where it should"),
        ("zlib", "{}", "it is a text"),
    ],
    ids=["dictionary", "longer", "noise", "characters", "bomb", "text"],
)
def test_what_cannot_be_unpacked_names_its_block(run, packing, record, why):
    """Damage that no checksum shows, since somebody made it, is one sentence with the block, and unpacks no bomb."""
    match = last_match(run)
    block = change(run, packing=packing, summaries=record, records=record)

    with Journal.open(run) as journal, pytest.raises(JournalError) as error:
        journal.record_of(match)

    assert f"{block} cannot be unpacked" in str(error.value)
    assert why in str(error.value)


def test_damaged_record_names_its_match(run):
    """A bit of what is packed is found by the checksum of the row, and the sentence says whose it is."""
    match = last_match(run)
    with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database:
        last = "block = (SELECT max(block) FROM records)"
        database.execute(f"UPDATE records SET records = CAST(records || 'x' AS BLOB) WHERE {last}")

    with Journal.open(run, check=False) as journal, pytest.raises(JournalError, match="of 1 match is not what"):
        journal.record_of(match)
    assert verify_journal(run).matches == (match,)


def test_lost_dictionary_is_restored_from_its_copy(run):
    """One copy of each is enough to lose nothing."""
    before = told(run)
    with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database:
        database.execute("UPDATE meta SET value = value || ' ' WHERE key IN ('dictionary/1', 'dictionary/2/copy')")

    repair = repair_journal(run)

    assert repair is not None
    assert (repair.matches, verify_journal(run).problems) == ((), ())
    assert told(run) == before


def test_without_its_dictionary_a_match_is_played_again(run):
    """If both copies are lost, the matches that were packed with them are to be played again, and no others."""
    with Journal.open(run) as journal:
        matches = {block: [row[0] for row in rows] for block, rows in journal.summary_blocks()}
    with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database:
        database.execute("UPDATE meta SET value = value || ' ' WHERE key GLOB 'dictionary/2*'")
        blocks = {block for (block,) in database.execute("SELECT block FROM records WHERE packing = 'zlib:2'")}
        answers = database.execute("SELECT count(*) FROM answers").fetchone()

    repair = repair_journal(run)

    assert repair is not None
    assert set(repair.matches) == {match for block in blocks for match in matches[block]}
    assert len(blocks) > 1
    assert verify_journal(run).problems == ()
    with closing(sqlite3.connect(run / FILE)) as database:
        assert database.execute("SELECT count(*) FROM answers").fetchone() == answers


def test_compress_is_a_boolean():
    """A mistake is one sentence with its path."""
    with pytest.raises(ConfigError, match=r"journal.compress: expected bool, got 'yes'"):
        load_benchmark({**BENCHMARK, "journal": {"compress": "yes"}})


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=900), st.text(max_size=90)), min_size=1, max_size=12))
def test_every_text_comes_back(texts):
    """Whatever was packed is unpacked to the same text, with every dictionary that was made meanwhile."""
    kept: dict[int, str] = {}
    packer = Packer({})
    unpacker = Unpacker(kept.__getitem__)

    for request, value in texts * 3:
        keep = lambda number, made: kept.update({number: made["text"]})  # noqa: E731
        packing, *packed = packer.answer((request * 9).encode(), value.encode(), keep)
        back = [text.decode() if packing == PLAIN else unpacker.unpack(packing, text) for text in packed]
        assert back == [request * 9, value]


def test_kinds_of_texts_have_one_dictionary_each_and_there_is_a_most():
    """A kind that comes again is packed with the dictionary it had; what comes after the last one is packed alone."""
    kept: dict[int, str] = {}
    packer = Packer({})

    def asked(kind: int) -> str:
        keep = lambda number, made: kept.update({number: made["of"]})  # noqa: E731
        return packer.answer(f"{kind} ".encode() * 200, b"an answer", keep)[0]

    first = [[asked(kind) for _ in range(5)][-1] for kind in range(300)]

    assert first == [f"zlib:{n}" for n in range(1, 257)] + ["zlib"] * 44
    assert [asked(kind) for kind in range(300)] == first
    assert len(kept) == len(set(kept.values())) == 256


async def test_short_answer_comes_back_from_the_disk(run):
    """What is too short to be packed is a text in the journal, like everything that is not packed."""
    journal, _ = resume_run(run, Catalog())
    with journal:
        match = journal.match_ids()[0]
        answer = attrs.evolve(journal.answers(match)[0], scope="9/0/0/0", request='{"messages": []}', value='"x"')
        await journal.record(answer)

    with closing(sqlite3.connect(run / FILE)) as database:
        kinds = "SELECT packing, typeof(request), typeof(value) FROM answers WHERE scope = '9/0/0/0'"
        assert database.execute(kinds).fetchall() == [(PLAIN, "text", "text")]


async def test_match_that_was_followed_leaves_no_progress(run):
    """A record takes the place of its match's progress, also where other matches end at the same moment."""
    journal, _ = resume_run(run, Catalog())
    with journal:
        first, second = map(journal.record_of, journal.match_ids()[:2])
        journal.finish(first)
        journal.progress(second.id, 1, second.events[:1], is_first=True)
        journal.finish(second)
        await journal.flush()

        assert journal.matches_with_progress() == frozenset()

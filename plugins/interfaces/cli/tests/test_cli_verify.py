"""``arena verify``: is a run still what was written?"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from arena_engine import Journal

BENCH = """
name: small
seed: 5
games: {ttt: tic-tac-toe}
agents: {one: random, two: first-legal}
schedule: {use: round-robin, repeats: 2}
metrics: []
"""


@pytest.fixture
def run(arena, tmp_path) -> Path:
    (tmp_path / "bench.yaml").write_text(BENCH)
    assert arena("run", "bench.yaml", "-q", "-o", "run").exit_code == 0
    return tmp_path / "run"


def first_block(run: Path) -> list[str]:
    """The matches of the first block of a run, sorted."""
    with Journal.open(run) as journal:
        return sorted(row[0] for row in next(journal.summary_blocks())[1])


def test_sound_run(arena, run):
    """A run that is what was written is one sentence and exit code 0."""
    done = arena("verify", "run")

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(" rows are what was written\n")
    assert len(done.stdout.splitlines()) == 1


def test_damaged_run_names_its_matches(arena, run):
    """Damage is exit code 1, what is damaged, and the matches that are touched; other commands refuse the run."""
    matches = first_block(run)
    block = f"the block 1 of {len(matches)} match{'es' if len(matches) > 1 else ''}"
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as database:
        database.execute("UPDATE records SET records = substr(records, 2) WHERE block = 1")

    done = arena("verify", "run")

    assert done.exit_code == 1
    assert "damaged" in done.stdout
    assert f"  records: {block} is not what was written\n" in done.stdout
    assert f"matches touched: {len(matches)}\n" + "".join(f"  {match}\n" for match in matches) in done.stdout
    for command in (("report", "run"), ("resume", "run"), ("export", "run", "-o", "-"), ("audit", "run")):
        refused = arena(*command)
        assert (refused.exit_code, refused.stdout) == (2, "")
        told = " ".join(refused.stderr.split())
        assert f"damaged (records: {block} is not what was written" in told
        assert "arena verify" in refused.stderr


def test_repaired_run(arena, run):
    """The matches that damage touches are played again, what was damaged is kept, and the run tells what it told."""
    lost = len(first_block(run))
    exported = arena("export", "run", "-o", "-").stdout
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as database:
        database.execute("UPDATE records SET records = substr(records, 2) WHERE block = 1")

    repaired, again = arena("resume", "run", "--repair", "-q"), arena("resume", "run", "--repair", "-q")

    assert (repaired.exit_code, again.exit_code) == (0, 0)
    said = "1 match lost something and is" if lost == 1 else f"{lost} matches lost something and are"
    assert f"{said} played again" in repaired.stderr
    assert "journal.sqlite.damaged" in repaired.stderr
    assert "nothing is damaged" in again.stderr
    assert arena("verify", "run").exit_code == 0
    assert arena("export", "run", "-o", "-").stdout == exported


def test_report_says_that_answers_were_lost(arena, run):
    """A reader of numbers is told that a part of them was asked for again."""
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as database:
        values = "'0/0/0/late', 'late', '', 'plain', '', 'null', 0, 0, NULL, '', 1"
        database.execute(f"INSERT INTO answers VALUES (?, {values})", first_block(run)[:1])
    arena("resume", "run", "--repair", "-q")

    assert "Answers of 1 match" in " ".join(arena("report", "run", "--full").stdout.split())


def test_no_run(arena):
    """Where there is no run the exit code is 2."""
    done = arena("verify", "nowhere")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "nowhere" in done.stderr


@pytest.mark.parametrize(
    "command", [("resume", "run"), ("run", "bench.yaml", "-o", "run"), ("resume", "run", "-n", "2")]
)
def test_run_that_was_cut_off_while_it_was_created(arena, run, command):
    """Readers say what to do in one sentence; the same command and a resumption begin it again, and say so."""
    exported = arena("export", "run", "-o", "-").stdout
    (run / "journal.sqlite").rename(run / "journal.sqlite.begun")
    with closing(sqlite3.connect(run / "journal.sqlite.begun")) as database:
        for table in ("records", "pairings", "attempts"):
            database.execute(f"DELETE FROM {table}")
        database.commit()

    for reading in ("verify", "report", "audit"):
        refused = arena(reading, "run")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "begin it again with arena resume run" in " ".join(refused.stderr.split())
    assert "cut off arena resume begins it again" in " ".join(arena("runs", ".").stdout.split())
    begun = arena(*command, "-q")

    more = command[2:] == ("-n", "2")  # as many as there are
    assert begun.exit_code == (2 if more else 0)
    said = " ".join(begun.stderr.split())
    assert "run: creating this run was cut off before anything was played; it begins again" in said
    if more:
        assert arena("resume", "run", "-q").exit_code == 0
    assert arena("export", "run", "-o", "-").stdout == exported

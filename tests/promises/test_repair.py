"""What is left of a damaged run is kept: its sound rows stay, and what was lost is played again from sound answers."""

import asyncio
import os
import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import arena
import pytest
from arena.catalog import Catalog
from arena.errors import JournalError
from arena.hookspecs import hookimpl
from arena_engine import Journal, load_benchmark, verify_journal
from arena_engine.execution.runner import play_run, resume_run
from arena_engine.journal.database import FILE
from arena_engine.journal.repair import repair_journal

from .flips import Files, bits, exported, make_runs

SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "6"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> list[Files]:
    return make_runs(tmp_path_factory.mktemp("repair"))


def played_on(run: Path) -> tuple[bool, int]:
    """Repair a run and play what is left; whether anything was damaged, and how many completions were asked for."""
    repair = repair_journal(run)
    asked = Counter[str]()

    class Counted:
        """Counts the completions that were really asked for."""

        @hookimpl
        def completion_received(self, is_replayed: bool) -> None:
            asked["again" if is_replayed else "anew"] += 1

    async def play() -> None:
        journal, benchmark = resume_run(run, Catalog(), is_repaired=repair is not None)
        with journal:
            await play_run(journal, benchmark, {"counted": Counted()}, lambda name, error: None)

    asyncio.run(play())
    return repair is not None, asked["anew"]


def lost(files: Files, rng: Random, number: int, place: Path) -> list[str]:
    """The flips after which a repaired run that was played on tells another result than the run that nothing befell."""
    wrong: list[str] = []
    expected = None
    for name, bit in [("", 0), *bits(files, rng, number)]:
        run = files.put(place, (name, bit) if name else None)
        where = f"{files.name}: bit {bit % 8} of byte {bit // 8} of {name}"
        try:
            played_on(run)
        except JournalError as error:
            if "restore it from a copy" not in str(error):
                wrong.append(f"{where}: {error}")
            continue
        if problems := verify_journal(run).problems:
            wrong.append(f"{where}: {problems[0]}")
        told = exported(run)
        expected = expected or told
        if told != expected:
            wrong.append(f"{where}: other results")
    return wrong


@pytest.mark.parametrize("place", [0, 1], ids=["finished", "killed"])
@pytest.mark.slow
def test_repaired_runs_tell_what_they_told(runs, tmp_path, place):
    """Fifteen random bits of a finished run and fifteen of a killed one."""
    assert lost(runs[place], Random(SEED), 15, tmp_path / "run") == []


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("compress", [True, False], ids=["packed", "plain"])
@pytest.mark.parametrize("place", [0, 1], ids=["finished", "killed"])
def test_many_repaired_runs_tell_what_they_told(tmp_path, place, compress):
    """A hundred random bits of each."""
    runs = make_runs(tmp_path, compress=compress)

    assert lost(runs[place], Random(SEED + 1), 100, tmp_path / "run") == []


def change(run: Path, *statements: str) -> None:
    """Change a journal behind Arena's back."""
    with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def test_one_lost_answer_is_asked_for_once(runs, tmp_path):
    """Of a finished run with one damaged answer its match alone is played again, with one call."""
    run = runs[0].put(tmp_path / "run")
    where = "match = (SELECT min(match) FROM answers) AND scope GLOB '0/1/*'"
    change(run, f"UPDATE answers SET value = value || ' ' WHERE {where}")
    (touched,) = verify_journal(run).matches

    assert played_on(run) == (True, 1)
    assert exported(run) == exported(runs[0].put(tmp_path / "sound"))
    assert (run / f"{FILE}.damaged").is_file()
    with Journal.open(run) as journal:
        assert journal.repaired == {touched}
    assert repair_journal(run) is None


FUNCTION = """
from pathlib import Path


def last(decision):
    with open(Path(__file__).parent / "calls", "a") as log:
        log.write(f"{decision.player} {decision.turn}\\n")
    return decision.options.actions[-1]
"""


@pytest.fixture
def asked_run(tmp_path, monkeypatch) -> Path:
    """A finished match of connect four between two players who are asked for each of their moves."""
    (tmp_path / "asked_for.py").write_text(FUNCTION)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "asked_for", raising=False)
    asking = {"use": "policy", "policy": "asked_for:last"}
    plain = {
        "name": "inputs",
        "games": {"g": "connect-four"},
        "agents": {"f": asking, "g": asking},
        "schedule": {"use": "fixed", "seatings": [["f", "g"]]},
        "metrics": [],
    }
    return arena.run(load_benchmark(plain, trust_code=True), output=tmp_path / "run").directory


def asked_again(run: Path) -> list[str]:
    """Who is asked, and in which of their turns, when a run is repaired and played on."""
    calls = run.parent / "calls"
    calls.unlink()
    played_on(run)
    return calls.read_text().splitlines() if calls.exists() else []


def test_inputs_are_kept_if_they_came_before_what_is_lost(asked_run):
    """A move that somebody chose later may belong to another course of the match, and is asked for anew."""
    before, decisions = exported(asked_run), (asked_run.parent / "calls").read_text().splitlines()
    change(asked_run, "UPDATE answers SET value = value || ' ' WHERE scope GLOB '0/2/*'")

    assert asked_again(asked_run) == decisions[decisions.index("0 2") :]
    assert exported(asked_run) == before


def test_inputs_are_not_trusted_where_nobody_knows_what_is_lost(asked_run):
    """An answer that vanished may have been anywhere, so the moves of all unfinished matches are asked for anew."""
    decisions = (asked_run.parent / "calls").read_text().splitlines()
    change(asked_run, "DELETE FROM answers WHERE scope GLOB '0/2/*'", "DELETE FROM records")

    assert asked_again(asked_run) == decisions


def test_lost_record_costs_nothing(asked_run):
    """Where all answers are sound, nobody is asked again."""
    before = exported(asked_run)
    change(asked_run, "UPDATE records SET records = records || ' '")

    assert asked_again(asked_run) == []
    assert exported(asked_run) == before


@pytest.mark.parametrize("damage", ["UPDATE plans SET plans = 'x'", "DELETE FROM plans"])
def test_lost_plans_are_made_again(runs, tmp_path, damage):
    """The matches of a run follow from its benchmark, so that even lost plans come back, and keep their records."""
    run = runs[0].put(tmp_path / "run")
    change(run, damage)

    assert played_on(run) == (True, 0)
    assert exported(run) == exported(runs[0].put(tmp_path / "sound"))


def test_damaged_log_is_found_by_whoever_repairs(runs, tmp_path):
    """A repair finds what every reader finds, and leaves a run that all of them read."""
    run = runs[0].put(tmp_path / "run")
    log = run / f"{FILE}-wal"
    with closing(sqlite3.connect(run / FILE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        for number in range(3):
            with database:
                database.execute("INSERT INTO meta VALUES (?, '1', 0)", (f"more{number}",))
        whole = log.read_bytes()
    log.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    assert "frame 1 of the log is damaged" in verify_journal(run).problems[0]

    assert repair_journal(run) is not None

    assert not verify_journal(run).problems
    assert exported(run) == exported(runs[0].put(tmp_path / "sound"))


def test_killed_repair_goes_on(runs, tmp_path):
    """A repair that is killed leaves the damaged files or the whole repaired one, which the next puts in place."""
    run = runs[1].put(tmp_path / "run")
    change(run, "UPDATE records SET records = records || ' ' WHERE block = 1")
    copy = shutil.copytree(run, tmp_path / "copy")
    assert repair_journal(copy) is not None
    (run / FILE).rename(run / f"{FILE}.damaged")
    shutil.copy(copy / FILE, run / f"{FILE}.repaired")

    assert repair_journal(run) is None
    assert not verify_journal(run).problems


def test_lost_header_is_not_guessed(runs, tmp_path):
    """Without the header nobody knows what was asked for: nothing is changed, and one sentence says so."""
    run = runs[0].put(tmp_path / "run")
    change(run, "UPDATE meta SET value = value || ' ' WHERE key = 'header'")
    before = (run / FILE).read_bytes()

    with pytest.raises(JournalError, match="the header is damaged, so it cannot be repaired; restore it from a copy"):
        repair_journal(run)

    assert (run / FILE).read_bytes() == before

"""The user's mistakes: one clear sentence each, exit status 2, nothing written."""

import ctypes
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from arena_testing import unwrapped

GOOD = """
name: small
seed: 1
games: {ttt: {use: tic-tac-toe}}
agents: {one: {use: random}, two: {use: first-legal}}
schedule: {use: round-robin, repeats: 2}
metrics: [outcomes]
"""

MISTAKES = {
    "syntax": ("games: {ttt: {use: tic-tac-toe}}", "games: {ttt: [", ["bench.yaml", "line 6", "column"]),
    "unknown plugin": ("tic-tac-toe", "tic-tak-toe", ["games.ttt", "'tic-tak-toe'", "did you mean 'tic-tac-toe'"]),
    "unknown key": ("seed: 1", "sed: 1", ["sed: unknown key (did you mean 'seed'?)"]),
    "unknown parameter": ("repeats: 2", "repeat: 2", ["schedule.repeat: unknown key (did you mean 'repeats'?)"]),
    "wrong type": ("seed: 1", "seed: seven", ["seed: expected int, got 'seven'"]),
    "nothing coerced": ("seed: 1", "seed: '1'", ["seed: expected int, got '1'"]),
    "out of range": ("repeats: 2", "repeats: 0", ["schedule.repeats", "0"]),
    "unknown metric": ("[outcomes]", "[outcome]", ["metrics", "'outcome'", "did you mean 'outcomes'"]),
    "unknown model file": (
        "{use: first-legal}",
        "{use: llm, backend: {use: llamacpp, model: ./missing.gguf}}",
        ["missing.gguf"],
    ),
}


def everything_in(directory: Path) -> dict[Path, bytes | None]:
    """What a directory holds."""
    return {path: path.read_bytes() if path.is_file() else None for path in directory.rglob("*")}


def assert_one_sentence(done, *parts: str) -> None:
    """It was the user's mistake, and one line says which."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    status = unwrapped(done.stderr)
    assert len(status.splitlines()) == 1, status
    assert all(part in status for part in parts), status


@pytest.mark.parametrize(("right", "wrong", "parts"), MISTAKES.values(), ids=MISTAKES.keys())
@pytest.mark.parametrize("command", [["run"], ["run", "--dry-run"]], ids=" ".join)
@pytest.mark.sample(fast=1, slow=2)
def test_mistake_in_the_file(arena, tmp_path, right, wrong, parts, command):
    """A mistake in a benchmark file is named with its place, and no run is begun."""
    assert right in GOOD
    (tmp_path / "bench.yaml").write_text(GOOD.replace(right, wrong))
    before = everything_in(tmp_path)

    done = arena(*command, "bench.yaml")

    assert_one_sentence(done, *parts)
    assert everything_in(tmp_path) == before


@pytest.mark.slow
def test_all_mistakes_at_once(arena, tmp_path):
    """Three mistakes in one file are reported together, each by its path."""
    (tmp_path / "bench.yaml").write_text(
        GOOD.replace("seed: 1", "seed: seven").replace("repeats: 2", "repeats: 0").replace("tic-tac-toe", "tic")
    )

    done = arena("run", "bench.yaml")

    assert done.returncode == 2
    assert all(path in done.stderr for path in ("seed:", "schedule.repeats", "games.ttt"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "resume", "report", "replay", "audit", "export"])
@pytest.mark.sample(slow=2)
def test_missing_file(arena, tmp_path, command):
    """What is not there is named."""
    more = ["--format", "jsonl", "--output", "out.jsonl"] if command == "export" else []

    done = arena(command, "nowhere/missing", *more)

    assert_one_sentence(done, "nowhere/missing")
    assert everything_in(tmp_path) == {}


@pytest.mark.parametrize("command", ["resume", "report", "replay", "audit", "export"])
@pytest.mark.parametrize("harm", ["corrupt", "newer", "foreign"])
@pytest.mark.sample(fast=1, slow=2)
def test_unreadable_journal(arena, tmp_path, command, harm):
    """A journal that is damaged, of a newer schema, or no journal at all is named and left alone."""
    journal = tmp_path / "run" / "journal.sqlite"
    journal.parent.mkdir()
    if harm == "corrupt":
        journal.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    else:
        with sqlite3.connect(journal) as database:
            database.execute("CREATE TABLE anything (at TEXT)")
            if harm == "newer":
                database.execute(f"PRAGMA application_id = {int.from_bytes(b'AREN')}")
                database.execute("PRAGMA user_version = 999")
        database.close()
    before = everything_in(tmp_path)
    more = ["--format", "jsonl", "--output", "out.jsonl"] if command == "export" else []

    done = arena(command, "run", *more)

    expected = {"corrupt": "damaged", "newer": "a journal of schema 999", "foreign": "not a journal"}[harm]
    assert_one_sentence(done, "journal.sqlite", expected)
    assert everything_in(tmp_path) == before


def obey_modes() -> None:
    """Give up root's right to write where the mode of a directory forbids it (Linux)."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its rights in the way of Linux")
@pytest.mark.slow
def test_read_only_directory(arena, tmp_path):
    """A run that cannot be written says so before anything is played."""
    (tmp_path / "bench.yaml").write_text(GOOD)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)

    done = arena("run", "bench.yaml", "--output", "closed/run", prepare=obey_modes)

    assert_one_sentence(done, "closed/run")
    assert list(closed.iterdir()) == []


@pytest.mark.sample(slow=1)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its rights in the way of Linux")
@pytest.mark.parametrize(
    ("text", "command", "status"),
    [
        (f"{GOOD.replace('random', 'llm, backend: {use: scripted}')}limits: {{budget-calls: 1}}", ["resume"], 3),
        (GOOD, ["run", "bench.yaml", "--extend"], 0),
    ],
    ids=["resume", "extend"],
)
def test_read_only_run(arena, tmp_path, text, command, status):
    """A run that lies where nothing can be written cannot go on, and says so."""
    (tmp_path / "bench.yaml").write_text(text)
    assert arena("run", "bench.yaml", "--output", "mine").returncode == status
    with read_only(tmp_path / "mine"):
        done = arena(*command, "mine", prepare=obey_modes)

    assert_one_sentence(done, "mine", "cannot be written")


@pytest.mark.campaign
@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its rights in the way of Linux")
def test_read_only_run_that_is_finished(arena, tmp_path):
    """Where nothing is left to play, nothing has to be written: the verdict is said again."""
    (tmp_path / "bench.yaml").write_text(GOOD)
    assert arena("run", "bench.yaml", "--output", "mine").returncode == 0
    with read_only(tmp_path / "mine"):
        done = arena("resume", "mine", prepare=obey_modes)

    assert done.returncode == 0, done.stderr
    assert "every match has a result; none is left to play" in done.stderr


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be written for a while, and no file of it either."""
    for path in [*folder.iterdir(), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield
    folder.chmod(0o755)


@pytest.mark.campaign
def test_output_that_holds_a_run_already(arena, tmp_path):
    """A run never overwrites another one."""
    (tmp_path / "bench.yaml").write_text(GOOD)
    assert arena("run", "bench.yaml", "--output", "mine").returncode == 0
    before = everything_in(tmp_path)

    done = arena("run", "bench.yaml", "--output", "mine")

    assert_one_sentence(done, "mine")
    assert everything_in(tmp_path) == before


@pytest.mark.slow
def test_unknown_command_and_option(arena):
    """A misspelt command or option is the user's mistake too."""
    assert arena("rnu").returncode == 2
    assert arena("run", "--dryrun").returncode == 2

"""The log of a run, on standard error and in a file: when it is there, and what happens where it cannot be."""

import json
import os
from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena_cli.process.event_file import KEPT, EventFile, event_file

BENCH = """
name: small
seed: 5
games: {ttt: tic-tac-toe}
agents: {one: random, two: first-legal}
schedule: {use: round-robin, repeats: 2}
metrics: [outcomes]
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "bench.yaml"
    path.write_text(BENCH)
    return path


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_nothing_is_logged_unless_asked(arena, bench):
    """Without an option a run shows no event and writes no log."""
    done = arena("run", bench, "-q", "-o", "run")

    assert done.stderr == ""
    assert sorted(path.name for path in Path("run").iterdir()) == ["journal.sqlite"]


def test_verbose_shows_events_and_more_of_them_twice(arena, bench):
    """``-v`` shows what a run did on standard error, ``-vv`` every event; both after the command's own name too."""
    once, twice = arena("run", bench, "-q", "-v", "-o", "once"), arena("-v", "run", bench, "-q", "-v", "-o", "twice")

    assert [word for word in ("run_started", "match_finished", "run_finished") if word not in once.stderr] == []
    assert "match_started" not in once.stderr
    assert twice.stderr.count("match_started") == 4
    assert (once.stdout, twice.stdout) == ("once\n", "twice\n")


def test_events_are_lines_of_json(arena, bench):
    """Each event is one object with time, level and name first; a resumed run adds to the same file."""
    log = Path("night.jsonl")

    arena("run", bench, "-q", "-o", "run", "--set", "limits.max-steps=5", "--log-json", log)
    found = lines(log)
    arena("resume", "run", "-q", "--log-json", log)

    assert [line["event"] for line in found].count("match_finished") == 4
    assert all(list(line)[:3] == ["time", "level", "event"] for line in found)
    assert len({line["run"] for line in found}) == 1
    assert lines(log)[: len(found)] == found
    assert lines(log)[len(found)]["event"] == "run_resumed"


def test_a_log_that_cannot_be_opened_is_refused_before_anything_is_written(arena, bench, tmp_path):
    """A directory, a folder that is not there, a journal: exit code 2, one sentence, and no run."""
    (tmp_path / "notes.txt").write_text("mine")
    os.mkfifo(tmp_path / "pipe")

    for name in (".", "nowhere/log.jsonl", "notes.txt", "pipe"):
        done = arena("run", bench, "-q", "-o", "run", "--log-json", tmp_path / name)

        assert done.exit_code == 2
        said = " ".join(done.stderr.split())
        assert said.startswith(f"arena: --log-json {tmp_path / name}: ")
        assert said.endswith("; choose another file")
        assert not Path("run").exists()
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_ends_the_log_and_not_the_run(arena, bench):
    """The first line that cannot be written is said once, and the run goes on to its end."""
    done = arena("run", bench, "-q", "-o", "run", "--log-json", "/dev/full")

    assert done.exit_code == 0
    said = "arena: /dev/full cannot be written (No space left on device); the run goes on without that log"
    assert " ".join(done.stderr.split()) == said


def test_a_command_that_plays_nothing_leaves_no_file(arena, bench):
    """A dry run, or a benchmark that is refused, makes no empty log."""
    arena("run", bench, "--dry-run", "--log-json", "log.jsonl")
    arena("run", "nowhere.yaml", "--log-json", "log.jsonl")

    assert not Path("log.jsonl").exists()


def test_a_full_file_is_set_aside(tmp_path):
    """A file that has reached its size is numbered, the youngest 1, and the oldest are dropped."""
    path = tmp_path / "log"
    file = EventFile(path, pytest.fail, full_bytes=10)

    for number in range(KEPT + 4):
        file.write(json.dumps({"number": number}) + "\n")
    file.close()

    assert lines(path) == [{"number": KEPT + 3}]
    kept = [lines(tmp_path / f"log.{number}") for number in range(1, KEPT + 1)]
    assert kept == [[{"number": KEPT + 3 - number}] for number in range(1, KEPT + 1)]
    assert sorted(tmp_path.iterdir()) == sorted([path, *(tmp_path / f"log.{n}" for n in range(1, KEPT + 1))])


def test_a_line_that_was_cut_off_is_ended(tmp_path):
    """What a process that was killed has left is a line of its own."""
    path = tmp_path / "log"
    path.write_text('{"a": 1}\n{"b')

    with event_file(path, pytest.fail) as file:
        file.write('{"c": 2}\n')

    assert path.read_text() == '{"a": 1}\n{"b\n{"c": 2}\n'


def test_a_file_that_cannot_be_set_aside_ends_the_log(tmp_path):
    """Where a name for it is taken by something else, a sentence says so, and what is there stays."""
    path = tmp_path / "log"
    (tmp_path / f"log.{KEPT}").mkdir()
    (tmp_path / f"log.{KEPT - 1}").touch()
    told: list[str] = []

    file = EventFile(path, told.append, full_bytes=1)
    for _ in range(3):
        file.write("{}\n")
    file.close()

    assert len(told) == 1
    assert told[0].endswith("; the run goes on without that log")
    assert path.read_text() == "{}\n"


def test_what_is_no_log_is_not_written_to(tmp_path):
    """A journal given for a log is refused and left as it is."""
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"SQLite format 3\0")

    with pytest.raises(ConfigError, match="holds something that is no log"), event_file(path, pytest.fail):
        pass

    assert path.read_bytes() == b"SQLite format 3\0"

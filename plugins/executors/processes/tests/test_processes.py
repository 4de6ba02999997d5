"""Runs in worker processes: what is played is the same as in one process, and nothing is lost or asked twice."""

import asyncio
import json
from collections import Counter

import pytest
from arena.errors import ConfigError
from arena_cli.application import group
from arena_engine import Journal, build_benchmark
from arena_engine.running.runner import create_run, play_run
from arena_executor_processes.executor import Processes
from click.testing import CliRunner


@pytest.fixture
def plain(tmp_path):
    """A benchmark of two games, with a model that answers by rules, keeps a log, and is wrong at times."""
    return {
        "name": "parted",
        "seed": 11,
        "games": {"ttt": "tic-tac-toe", "kuhn": "kuhn-poker"},
        "agents": {
            "model": {"use": "llm", "backend": {"use": "scripted", "log": str(tmp_path / "asked.log")}},
            "random": "random",
        },
        "schedule": {"use": "round-robin", "repeats": 12},
        "illegal-actions": {"retries": 1, "then": "random"},
        "metrics": [],
    }


def on(workers, plain):
    """The same benchmark in so many processes."""
    return {**plain, "executor": {"use": "processes", "workers": workers}}


def complain(name, hook, error):
    """No observer breaks in these tests."""
    raise AssertionError(f"{name}: {hook}: {error}")


def play(plain, directory, watcher=None, control=None):
    """Start a run and play it as far as it goes."""
    made = build_benchmark(plain, trust_code=True)
    with create_run(made, directory) as journal:
        return asyncio.run(play_run(journal, made, {"watcher": watcher} if watcher else {}, complain, control=control))


def exported(directory) -> bytes:
    """The whole story of a run as bytes, without its name."""
    target = directory.with_suffix(".jsonl")
    arguments = ["export", str(directory), "--format", "jsonl", "--events", "--output", str(target)]
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 0, done.output
    return target.read_bytes().replace(f'"{directory.name}"'.encode(), b'"run"')


def asked(tmp_path) -> Counter[str]:
    """How often each request reached the backend; the log is begun anew."""
    log = tmp_path / "asked.log"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return Counter(line.split()[0] for line in lines)


def kept(directory) -> Counter[str]:
    """How often each request is answered in the journal."""
    with Journal.open(directory) as journal:
        answers = [a for plan in journal.plans() for a in journal.answers(plan.id)]
    return Counter(a.request_hash for a in answers if a.kind == "completion")


def test_two_processes_play_what_one_plays(plain, tmp_path):
    """The export of two processes has the bytes of one, and the model is asked the same."""
    assert play(plain, tmp_path / "one").exit_status == 0
    calls = asked(tmp_path)

    assert play(on(2, plain), tmp_path / "two").exit_status == 0

    assert exported(tmp_path / "two") == exported(tmp_path / "one")
    assert asked(tmp_path) == calls == kept(tmp_path / "two")


@pytest.mark.slow  # it starts eight processes
@pytest.mark.parametrize("workers", [1, 7])
def test_any_number_of_processes_plays_what_one_plays(plain, tmp_path, workers):
    """The export of one worker and of seven has the bytes of a run without; matches come in chunks and one by one."""
    plain["games"]["ttt"] = "tic-tac-toe"
    plain["agents"]["other"] = "random"
    plain["schedule"]["repeats"] = 150
    assert play(plain, tmp_path / "one").exit_status == 0

    assert play(on(workers, plain), tmp_path / "some").exit_status == 0

    assert exported(tmp_path / "some") == exported(tmp_path / "one")


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "many"])
def test_a_number_of_workers_that_makes_no_sense_is_named(plain, workers):
    """Anything but ``auto`` and numbers from 1 is refused with its path and what is expected."""
    with pytest.raises(ConfigError, match=r"executor\.workers"):
        build_benchmark(on(workers, plain))


def test_the_default_is_auto(plain):
    """Without a number, it is found out how many workers are worth it."""
    assert build_benchmark({**plain, "executor": "processes"}).executor == Processes(workers="auto")


def complaint(*arguments) -> str:
    """What a command that is refused says, in one line."""
    done = CliRunner().invoke(group, list(arguments))
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def test_the_option_takes_the_place_of_the_executor(plain, tmp_path):
    """``--workers`` is the executor with which a run goes on; with ``auto``, so few matches are played here."""
    plain["games"], plain["schedule"]["repeats"] = {"ttt": "tic-tac-toe"}, 1
    (tmp_path / "bench.yaml").write_text(json.dumps({**plain, "limits": {"budget-calls": 0}}))
    run = str(tmp_path / "run")

    stopped = CliRunner().invoke(group, ["run", str(tmp_path / "bench.yaml"), "-q", "-o", run])
    more = ["-q", "--workers", "auto", "--set", "limits.budget-calls=100", "--log-json", str(tmp_path / "log")]
    done = CliRunner().invoke(group, ["resume", run, *more])

    assert (stopped.exit_code, done.exit_code) == (3, 0), done.output
    assert "worker_started" not in (tmp_path / "log").read_text()
    with Journal.open(tmp_path / "run") as journal:
        assert journal.header.benchmark["executor"] == {"use": "processes", "workers": "auto"}


@pytest.mark.slow  # it starts two processes
def test_no_more_workers_than_matches_are_started(plain, tmp_path):
    """A run with fewer matches than workers says how many it starts."""
    plain["games"], plain["schedule"]["repeats"] = {"ttt": "tic-tac-toe"}, 1

    outcome = play(on(3, plain), tmp_path / "run")

    assert outcome.exit_status == 0
    assert outcome.warnings == ("executor: 2 matches are left, so 2 of 3 workers are started",)


def test_the_option_contradicts_nothing(plain, tmp_path):
    """A number that makes no sense, another executor in the file, and one in ``--set`` are one sentence each."""
    file = tmp_path / "bench.yaml"
    file.write_text(json.dumps({**plain, "executor": "ray"}))

    assert "expected 'auto' or a number of processes from 1, got '0'" in complaint("run", str(file), "--workers", "0")
    assert "has executor 'ray'; write --set executor.workers=2" in complaint("run", str(file), "--workers", "2")
    assert "so does --set executor" in complaint("run", str(file), "--workers", "2", "--set", "executor=asyncio")

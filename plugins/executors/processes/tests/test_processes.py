"""Runs in worker processes: what is played is the same as in one process, and nothing is lost or asked twice."""

import asyncio
import errno
import itertools
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from arena.catalog import Catalog
from arena.errors import BackendError, ConfigError, StopRun
from arena.hookspecs import hookimpl
from arena.record import Ending
from arena.testing import check_executor
from arena_cli.application.group import group
from arena_engine import Control, Journal, RemoteControl, WorkerSetup, build_benchmark
from arena_engine.execution.runner import create_run, job_for, play_run, resume_run
from arena_engine.job.planning import plan_matches
from arena_executor_processes import executor as executor_module
from arena_executor_processes.executor import Processes
from arena_testing import unwrapped
from click.testing import CliRunner

ARENA = Path(sys.executable).parent / "arena"


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
        played = play_run(journal, made, {"watcher": watcher} if watcher else {}, complain, control=control)
        # A run that hangs is told of; seven processes that start on a busy machine take a minute.
        return asyncio.run(asyncio.wait_for(played, 240))


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


@pytest.mark.slow  # it starts four processes
def test_the_contract_of_executors_is_kept(plain):
    """The shipped check finds nothing: matches are those of one process, answers are recorded, a stop ends all."""
    made = build_benchmark(plain, trust_code=True)

    report = check_executor(Processes(workers=2), job_for(made, plan_matches(made)))

    assert (report.matches, report.answers > 0) == (48, True)


@pytest.mark.campaign  # it starts eight processes
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


@pytest.mark.slow
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


@pytest.mark.campaign
def test_no_more_workers_than_matches_are_started(plain, tmp_path):
    """A run with fewer matches than workers says how many it starts."""
    plain["games"], plain["schedule"]["repeats"] = {"ttt": "tic-tac-toe"}, 1

    outcome = play(on(3, plain), tmp_path / "run")

    assert outcome.exit_status == 0
    assert outcome.warnings == ("executor: 2 matches are left, so 2 of 3 workers are started",)


@pytest.mark.usefixtures("named_packages")
def test_the_option_contradicts_nothing(plain, tmp_path):
    """A number that makes no sense, another executor in the file, and one in ``--set`` are one sentence each."""
    file = tmp_path / "bench.yaml"
    file.write_text(json.dumps({**plain, "executor": "ray"}))

    assert "expected 'auto' or a number of processes from 1, got '0'" in complaint("run", str(file), "--workers", "0")
    assert "has executor 'ray'; write --set executor.workers=2" in complaint("run", str(file), "--workers", "2")
    assert "so does --set executor" in complaint("run", str(file), "--workers", "2", "--set", "executor=asyncio")


def test_a_process_that_cannot_be_started_is_one_sentence(plain, tmp_path, monkeypatch):
    """Where the system has no room for another process, the run ends with what to do."""

    def refuse(*_, **__):
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(subprocess, "Popen", refuse)

    with pytest.raises(BackendError, match=r"^executor: a process .* \(Resource .*\); ask for fewer workers, or "):
        play(on(2, plain), tmp_path / "run")


def test_workers_that_are_late_are_one_sentence(plain, tmp_path, monkeypatch):
    """A machine on which no worker is ready in time is told of as one machine."""
    monkeypatch.setattr(executor_module, "START_TIMEOUT_S", 0.0)

    with pytest.raises(BackendError, match=r"no worker was ready within 0 s: .*; ask for fewer workers$"):
        play(on(1, plain), tmp_path / "run")


@pytest.mark.slow
def test_a_damaged_run_is_repaired_in_workers(plain, tmp_path):
    """What damage touches is played again in workers to the same end, and only the answer that is lost is asked for."""
    run = tmp_path / "run"
    assert play(plain, run).exit_status == 0
    whole, calls = exported(run), asked(tmp_path)
    with Journal.open(run) as journal:
        *_, (_, last) = journal.summary_blocks()
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as database:
        ((match, scope, lost),) = database.execute(
            "SELECT match, scope, request_hash FROM answers WHERE kind = 'completion' ORDER BY match LIMIT 1"
        )
        database.execute("UPDATE answers SET value = 'x' WHERE match = ? AND scope = ?", (match, scope))
        database.execute("UPDATE records SET records = 'x' WHERE block = (SELECT max(block) FROM records)")

    log = tmp_path / "log"
    arguments = ["resume", str(run), "--repair", "--workers", "2", "-q", "--log-json", str(log)]
    done = CliRunner().invoke(group, arguments)

    assert done.exit_code == 0, done.output
    again = len({match, *(row[0] for row in last)})
    assert again > 1
    assert f"{again} matches lost something and are played again" in unwrapped(done.stderr)
    assert json.loads(log.read_text().splitlines()[0])["done"] == 48 - again
    assert "worker_started" in log.read_text()
    assert exported(run) == whole
    assert asked(tmp_path) == {lost: 1}
    assert kept(run) == calls


@pytest.mark.campaign
def test_observers_hear_the_same(plain, listener, tmp_path):
    """What observers are told of each match is the same, in the same order, as in one process."""
    here, there = listener(), listener()

    play(plain, tmp_path / "one", here)
    play(on(2, plain), tmp_path / "two", there)

    assert there.heard == here.heard


@pytest.mark.campaign
def test_a_match_that_is_announced_is_kept(plain, listener, tmp_path):
    """When an observer stops the run at the end of a match, all matches that observers heard of are stored."""
    plain["agents"] = {"a": "random", "b": "random"}

    class Stopper(listener):
        @hookimpl
        def match_finished(self, record):
            super().match_finished(record)
            if len(self.heard) >= 5:
                raise StopRun("that will do")

    stopper = Stopper()

    outcome = play(on(1, plain), tmp_path / "run", stopper)

    assert outcome.stopped.startswith("that will do")
    with Journal.open(tmp_path / "run") as journal:
        stored = set(journal.endings())
    finished = {id_ for id_, heard in stopper.heard.items() if heard[-1][0] == "finished"}
    assert len(finished) >= 5
    assert stored == finished


@pytest.mark.campaign
def test_auto_hands_on_what_is_worth_it(plain, tmp_path, monkeypatch):
    """With ``auto``, matches are played here until it is known that the others are worth starting workers."""
    monkeypatch.setattr(executor_module, "WORTH_S", 0.3)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    plain["agents"], plain["schedule"]["repeats"] = {"a": "random", "b": "random"}, 600
    (tmp_path / "bench.yaml").write_text(json.dumps(on("auto", plain)))

    arguments = ["-q", "-o", str(tmp_path / "two"), "--log-json", str(tmp_path / "log")]
    done = CliRunner().invoke(group, ["run", str(tmp_path / "bench.yaml"), *arguments])
    assert play(plain, tmp_path / "one").exit_status == 0

    assert done.exit_code == 0, done.output
    events = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert Counter(event["event"] for event in events)["worker_started"] == 2
    assert exported(tmp_path / "two") == exported(tmp_path / "one")


@pytest.fixture
def provider(model_server):
    """A server that is no model in anybody's process; its first five requests are answered once all five are there."""
    numbers, all_five = itertools.count(), threading.Barrier(5)

    def answer(body):
        if next(numbers) < 5:
            all_five.wait(120)
        return '{"action": "row 2, column 2"}'

    return model_server(answer, latency_s=0.1)


@pytest.mark.campaign
def test_limits_hold_for_all_workers_together(plain, provider, tmp_path):
    """The server hears of as many calls at once as one backend may make, and of no more than the budget allows."""
    backend = {"use": "openai-compatible", "model": "m", "base-url": provider.address, "concurrency": 5}
    plain["games"] = {"ttt": "tic-tac-toe"}
    plain["agents"]["model"]["backend"] = backend
    plain["limits"] = {"budget-calls": 40}

    outcome = play(on(3, plain), tmp_path / "run")

    assert outcome.exit_status == 3
    assert "budget-calls" in outcome.stopped
    assert len(provider.requests) == 40 == kept(tmp_path / "run").total()
    assert provider.most_at_once == 5


@pytest.mark.campaign
def test_a_model_that_cannot_be_reached_fails_its_matches(plain, tmp_path):
    """A connection that cannot be opened in a worker fails the matches that need it, with what is to be corrected."""
    (tmp_path / "ca.pem").write_text("no certificate")
    backend = {"use": "openai-compatible", "model": "m", "base-url": "https://127.0.0.1:1"}
    plain["agents"]["model"]["backend"] = backend | {"ca-file": str(tmp_path / "ca.pem")}
    plain["games"], plain["schedule"]["repeats"] = {"ttt": "tic-tac-toe"}, 2

    outcome = play(on(1, plain), tmp_path / "run")

    assert len(outcome.failed) == outcome.planned == 4
    assert all("ca.pem' cannot be used" in reason for reason in outcome.failed.values()), outcome.failed


@pytest.mark.campaign
def test_a_model_is_held_once(plain, tmp_path):
    """A model that would be loaded in every worker is loaded in the driver: all workers ask the same one."""
    plain["games"] = {"ttt": "tic-tac-toe"}
    texts = [json.dumps({"action": number % 9}) + " " * number for number in range(400)]
    plain["agents"]["model"]["backend"] |= {"answers": texts}

    assert play(on(2, plain), tmp_path / "run").exit_status == 0

    with Journal.open(tmp_path / "run") as journal:
        answers = [a for plan in journal.plans() for a in journal.answers(plan.id) if a.kind == "completion"]
    said = Counter(json.loads(answer.value)["text"] for answer in answers)
    assert set(said.values()) == {1}
    assert sorted(said, key=len) == texts[: len(said)]


@pytest.fixture
def fragile(tmp_path, monkeypatch):
    """An agent that plays the first action; how it breaks its process is the body of a function."""

    def made(body):
        (tmp_path / "fragile.py").write_text(
            "import os, signal, time\nfrom pathlib import Path\n\n\n"
            f"HERE = Path({str(tmp_path)!r})\n\n\ndef choose(decision, *_):\n    {body}\n"
            "    return decision.options[0].action\n"
        )
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.syspath_prepend(tmp_path)
        return {"use": "policy", "policy": "fragile:choose"}

    return made


@pytest.mark.slow
def test_a_killed_worker_costs_nothing(plain, fragile, tmp_path):
    """The matches of a worker that is killed are played again; nothing is lost, and no answer asked twice."""
    mark = tmp_path / "mark"
    body = (
        "(HERE / 'mark').exists() or ((HERE / 'mark').touch(), time.sleep(0.5), os.kill(os.getpid(), signal.SIGKILL))"
    )
    plain["agents"]["other"] = fragile(body)

    outcome = play(on(2, plain), tmp_path / "two")
    calls = asked(tmp_path)

    assert mark.exists()
    assert (outcome.exit_status, outcome.finished) == (0, outcome.planned)
    assert (calls - kept(tmp_path / "two")).total() <= 32  # those in flight
    assert play(plain, tmp_path / "one").exit_status == 0
    assert exported(tmp_path / "two") == exported(tmp_path / "one")


@pytest.mark.slow
def test_calls_of_a_killed_worker_are_counted_and_in_nobodys_way(plain, fragile, tmp_path, monkeypatch):
    """What a killed worker had asked of a model of its own counts as used, and what waited there waits no more."""
    ours = SimpleNamespace(of=lambda *job, asks_driver: WorkerSetup.of(*job))
    monkeypatch.setattr(executor_module, "WorkerSetup", ours)  # models are held in each worker, as on a cluster
    plain["agents"]["other"] = fragile(
        "while not (HERE / 'mark').exists():\n"
        "        if (HERE / 'asked.log').exists() and (HERE / 'asked.log').stat().st_size:\n"
        "            (HERE / 'mark').touch()\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        time.sleep(0.01)"
    )
    del plain["agents"]["random"]
    plain["games"], plain["schedule"]["repeats"] = {"ttt": "tic-tac-toe"}, 2
    plain["agents"]["model"]["backend"] |= {"latency-s": 1000}
    plain["limits"] = {"budget-calls": 1}

    outcome = play(on(1, plain), tmp_path / "run")

    assert outcome.exit_status == 3
    assert "1 of 1 is used" in outcome.stopped
    assert asked(tmp_path).total() == 1


@pytest.mark.slow
def test_a_killed_worker_is_noticed_though_its_fork_lives(plain, fragile, tmp_path):
    """A worker whose code has forked is replaced when it is killed, while the fork goes on with what it inherited."""
    plain["agents"] = {"random": "random"} | {
        "other": fragile(
            "if not (HERE / 'mark').exists():\n"
            "        (HERE / 'mark').touch()\n"
            "        if os.fork():\n"
            "            os.kill(os.getpid(), signal.SIGKILL)\n"
            "        while HERE.exists() and not (HERE / 'over').exists():\n"
            "            time.sleep(0.01)\n"
            "        os._exit(0)"
        )
    }

    try:
        outcome = play(on(1, plain), tmp_path / "run")
    finally:
        (tmp_path / "over").touch()

    assert (tmp_path / "mark").exists()
    assert (outcome.exit_status, outcome.finished) == (0, outcome.planned)


@pytest.mark.slow
def test_a_worker_that_ends_with_the_run_is_not_lost(plain, fragile, tmp_path):
    """Workers that end because nothing is left to play are no lost ones in the log, though one takes longer."""
    slow_end = (
        "if not (HERE / 'mark').exists():\n"
        "        (HERE / 'mark').touch()\n"
        "        __import__('atexit').register(time.sleep, 1)"
    )
    plain["agents"] = {"other": fragile(slow_end), "random": "random"}
    (tmp_path / "bench.yaml").write_text(json.dumps(plain))
    arguments = ["-q", "-o", str(tmp_path / "run"), "--log-json", str(tmp_path / "log"), "--trust-code"]

    done = CliRunner().invoke(group, ["run", str(tmp_path / "bench.yaml"), "--workers", "2", *arguments])

    assert done.exit_code == 0, done.output
    log = (tmp_path / "log").read_text()
    assert (log.count('"worker_started"'), log.count('"worker_lost"')) == (2, 0)


@pytest.mark.slow
def test_a_match_that_kills_its_worker_is_failed(plain, fragile, tmp_path):
    """A match under which workers crash is played alone at last, and fails with the signal; the others are played."""
    crash = "decision.player or 'bet' not in str(decision.options) + str(list(decision.options)) or "
    plain["agents"] = {"other": fragile(crash + "os.kill(os.getpid(), signal.SIGSEGV)"), "random": "random"}
    plain["schedule"]["repeats"] = 1

    outcome = play(on(1, plain), tmp_path / "run")

    ((match, reason),) = outcome.failed.items()
    assert (outcome.exit_status, outcome.finished, match) == (1, 3, "kuhn/other,random/0.0")
    assert reason == "the process that played it was ended by SIGSEGV, 3 times, at last while it played alone"
    with Journal.open(tmp_path / "run") as journal:
        assert journal.endings()[match] is Ending.FAILED


@pytest.mark.slow
def test_other_code_in_a_worker_is_refused(plain, tmp_path, monkeypatch):
    """A worker that finds another version of something ends the run with one sentence before anything is played."""
    (tmp_path / "sitecustomize.py").write_text(
        "from importlib.metadata import Distribution\n"
        "real = Distribution.version.fget\n"
        "Distribution.version = property(\n"
        "    lambda self: '9.9' if self.metadata['Name'] == 'playarena-core' else real(self)\n)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "bench.yaml").write_text(json.dumps(plain))

    said = complaint("run", str(tmp_path / "bench.yaml"), "-q", "-o", str(tmp_path / "run"), "--workers", "1")

    assert re.search(r"playarena-core 9\.9 .*playarena-core 0\.1\.0 .*install the same", said)
    assert not asked(tmp_path)


@pytest.fixture
def begun(plain, fragile, resumed, tmp_path):
    """A run of slow matches in a process of its own, once they are being played."""
    plain["agents"]["other"] = fragile("(HERE / 'begun').touch(), time.sleep(0.05)")
    create_run(build_benchmark(on(2, plain), trust_code=True), tmp_path / "run").close()
    run = resumed(tmp_path / "run", "-q", is_apart=True)
    wait_until((tmp_path / "begun").exists)
    return run


def wait_until(holds) -> None:
    """Look until something holds, for a minute at most."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.campaign
def test_ctrl_c_stops_and_leaves_nothing_running(begun, tmp_path):
    """Ctrl-C ends a run with status 3 and no process of it left, and it is resumed to the end."""
    os.killpg(begun.process.pid, signal.SIGINT)
    output, _ = begun.process.communicate(timeout=60)

    assert begun.process.returncode == 3, output
    assert "Traceback" not in output
    assert begun.processes() == []
    first = asked(tmp_path)
    journal, made = resume_run(tmp_path / "run", Catalog())
    with journal:
        assert asyncio.run(play_run(journal, made, {}, complain)).exit_status == 0
    assert first + asked(tmp_path) == kept(tmp_path / "run")


@pytest.mark.slow
def test_workers_end_with_the_run(begun):
    """Workers end when the run's process is killed, although nobody tells them."""
    assert len(begun.processes()) >= 3

    begun.process.kill()
    begun.process.wait()

    wait_until(lambda: begun.processes() == [])


@pytest.mark.slow
def test_a_second_ctrl_c_ends_at_once(plain, fragile, resumed, tmp_path):
    """An agent that does not let go is left with a second Ctrl-C, and its process ends."""
    plain["agents"] = {"other": fragile("(HERE / 'begun').touch(), time.sleep(1000)"), "random": "random"}
    create_run(build_benchmark(on(1, plain), trust_code=True), tmp_path / "run").close()
    run = resumed(tmp_path / "run", "-q")
    wait_until((tmp_path / "begun").exists)

    def interrupted():
        if run.process.poll() is None:
            run.process.send_signal(signal.SIGINT)
        return run.process.poll() is not None

    wait_until(interrupted)

    assert "Traceback" not in run.process.communicate()[0]
    wait_until(lambda: run.processes() == [])


class Holder:
    """Pauses a run once four matches have begun, cancels one from another thread, goes on, and stops the run."""

    def __init__(self, directory):
        self.control, self.directory = Control(), directory
        self.started, self.cut, self.errors = 0, None, []
        self.thread = threading.Thread(target=self.work)

    @hookimpl
    def match_started(self):
        self.started += 1
        if self.started == 4:
            self.control.pause()
            self.thread.start()

    def work(self):
        try:
            self.hold(RemoteControl(self.directory))
        except BaseException as error:
            self.errors.append(error)
        finally:
            self.control.stop("that will do")

    def hold(self, remote):
        self.cut, *others = remote.state.playing
        for match in (self.cut, *others):
            remote.unfinished_step(match)  # which is asked behind the pause
        self.directory.with_name("paused").touch()
        remote.cancel(self.cut)
        with Journal.open(self.directory, check=False) as journal:
            wait_until(lambda: journal.record_of(self.cut) is not None)
        assert remote.state.is_paused
        remote.proceed()
        wait_until(lambda: not remote.state.is_paused)


@pytest.mark.campaign
def test_matches_of_workers_are_held_from_outside(plain, fragile, tmp_path):
    """A run in processes is paused and goes on, a match of a worker is cancelled, and the run is stopped.

    No match is over before its worker has heard of the pause, however late that is.
    """
    plain["games"] = {"ttt": "tic-tac-toe"}
    go_on = "while decision.turn and not (HERE / 'paused').exists():\n        time.sleep(0.01)"
    plain["agents"] = {"other": fragile(go_on), "random": "random"}
    plain["limits"] = {"concurrency": 4}
    holder = Holder(tmp_path / "run")

    outcome = play(on(2, plain), tmp_path / "run", holder, holder.control)
    holder.thread.join()

    assert holder.errors == []
    assert outcome.stopped.startswith("that will do")
    with Journal.open(tmp_path / "run") as journal:
        assert [id_ for id_, ending in journal.endings().items() if ending is Ending.CANCELLED] == [holder.cut]


ODD_AGENT = """
import asyncio

import attrs
from arena.agent import Agent, PlayerAgent, Reply
from arena.plugin import Plugin

ODD = Plugin(factory="odd_agent:Odd", summary="plays once it was sent a message", licence="Apache-2.0")


@attrs.frozen
class Odd(Agent):
    def join(self, seat):
        return OddPlayer()


class OddPlayer(PlayerAgent):
    def __init__(self):
        self.is_sent = asyncio.Event()

    async def act(self, decision):
        await self.is_sent.wait()
        return Reply(action=decision.options[0].action)

    async def receive(self, message):
        self.is_sent.set()
        return lambda: message
"""


@pytest.mark.slow
def test_an_answer_that_cannot_travel_is_told(plain, tmp_path, monkeypatch):
    """Whoever sends a message to an agent of a worker hears that its answer is no JSON."""
    (tmp_path / "odd_agent.py").write_text(ODD_AGENT)
    about = tmp_path / "odd_agent-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-agent\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[arena.agents]\nodd = odd_agent:ODD\n")
    monkeypatch.syspath_prepend(tmp_path)
    plain["games"], plain["schedule"]["repeats"] = {"ttt": "tic-tac-toe"}, 1
    plain["agents"] = {"odd": "odd", "random": "random"}
    control, told, sending = Control(), [], []

    def send(match, player):
        try:
            told.append(control.send(match, player, "hello"))
        except ConfigError as error:
            told.append(str(error))

    class Sender:
        @hookimpl
        def match_started(self, plan):
            player = plan.agents.index("odd")
            sending.append(threading.Thread(target=send, args=(plan.id, player), daemon=True))
            sending[-1].start()

    outcome = play(on(1, plain), tmp_path / "run", Sender(), control)
    for thread in sending:
        thread.join()

    assert (outcome.exit_status, outcome.finished, len(told)) == (0, 2, 2)
    for sentence in told:
        assert re.search(r"^match .*'receive' .* cannot be sent .*pickle.*; an agent answers with JSON$", sentence)

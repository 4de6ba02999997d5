"""A run that another process plays, held through its socket."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena.hookspecs import hookimpl
from arena.record import Ending
from arena.testing import RANDOM
from arena_engine.execution.control import Control
from arena_engine.execution.remote_control import FILE, ControlAddress, RemoteControl
from arena_engine.job.executor import Limits
from arena_engine.journal.journal import Journal

from .test_control import go
from .test_open_seats import Person, made, of_person
from .test_runner import benchmark

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no Unix sockets")

PLAY = """
import sys
import arena
agents = {"model": {"use": "llm", "backend": {"use": "scripted", "latency-s": 30.0}}, "other": "random"}
plain = {"games": {"ttt": "tic-tac-toe"}, "agents": agents, "seed": 3, "limits": {"concurrency": 1}}
done = arena.run(plain, output=sys.argv[1])
print(done.outcome.stopped)
"""


@pytest.fixture(autouse=True)
def runtime(monkeypatch):
    """A runtime directory of the test's own, with a path that is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def holding(run_dir, hold, agents=None):
    """Play a run that ``hold(remote)`` holds in another thread; returns what it returned, the outcome and records."""
    found, errors = [], []

    def work():
        try:
            found.append(hold(RemoteControl(run_dir)))
        except BaseException as error:
            errors.append(error)
        finally:
            control.proceed()

    class Holds:
        @hookimpl
        def match_started(self, plan):
            if not threads:
                threads.append(threading.Thread(target=work))
                control.pause()
                threads[0].start()

    control, threads = Control(), []
    made = benchmark(agents or {"a": RANDOM, "b": RANDOM}, limits=Limits(concurrency=1))
    outcome, records = go(made, run_dir, control, {"holds": Holds()})
    threads[0].join()
    assert not errors, errors
    return found[0], outcome, records


def test_run_of_another_process_is_held(run_dir, runtime):
    """Its state is told, it goes on after a pause, a match of it is cancelled; afterwards nothing is left behind."""

    def hold(remote):
        first = remote.state
        remote.cancel("g/b,a/2.1")
        (path,) = (runtime / "arena").iterdir()
        modes = [oct(os.stat(each).st_mode & 0o777) for each in (path, path.parent, run_dir / FILE)]
        remote.proceed()
        return first, modes

    (state, modes), outcome, records = holding(run_dir, hold)

    assert state.is_playing
    assert state.is_paused
    assert state.playing == ("g/a,b/0.0",)
    assert modes == ["0o600", "0o700", "0o600"]
    assert {r.id for r in records if r.ending is Ending.CANCELLED} == {"g/b,a/2.1"}
    assert outcome.stopped is None
    assert not (run_dir / FILE).exists()
    assert list((runtime / "arena").iterdir()) == []


def test_run_is_stopped_and_a_player_gets_up(run_dir):
    """The same methods as in the process of the run, with the same effect; that somebody left outlives the run."""

    def hold(remote):
        remote.leave("g/a,b/0.0", 0)
        remote.stop("that will do")

    _, outcome, records = holding(run_dir, hold)
    _, later = go(benchmark({"a": RANDOM, "b": RANDOM}), run_dir, Control())

    assert (outcome.stopped, records) == ("that will do", [])
    assert [record.id for record in later if record.ending is Ending.FORFEIT_LEFT] == ["g/a,b/0.0"]


@pytest.mark.slow
def test_what_the_host_watches_is_in_the_journal(run_dir):
    """Matches that are marked as watched by the host are so at once, and still are when the run is resumed."""

    def hold(remote):
        found = []
        for matches in (["g/a,b/0.0", "g/b,a/2.1"], ["g/a,b/1.0"], []):
            remote.mark_watched(matches)
            with Journal.open(run_dir, check=False) as journal:
                found.append(len(journal.watched()))
        remote.stop()
        return found

    found, *_ = holding(run_dir, hold)
    go(benchmark({"a": RANDOM, "b": RANDOM}), run_dir, Control())

    assert found == [2, 3, 3]
    with Journal.open(run_dir) as journal:
        assert journal.watched() == {"g/a,b/0.0", "g/b,a/2.1", "g/a,b/1.0"}


def test_what_cannot_be_done_is_the_same_sentence(run_dir):
    """Errors of the run are raised where it was asked, and nonsense gets a sentence of its own."""

    def hold(remote):
        said = []
        for call in (
            lambda: remote.cancel("nothing"),
            lambda: remote.unfinished_step("g/b,a/2.1"),
            lambda: remote.mark_watched(["g/b,a/2.1", "nothing"]),
            lambda: remote._ask("dance"),
            lambda: remote._ask("leave", match="g/a,b/0.0"),
            lambda: remote._ask("stop", reason=3),
        ):
            with pytest.raises(ConfigError) as error:
                call()
            said.append(str(error.value))
        return said

    said, *_ = holding(run_dir, hold)

    unknown = "no match 'nothing' in the run"
    assert said[:3] == [unknown, "match 'g/b,a/2.1' is not being played", unknown]
    assert said[3].startswith("expected {'do': NAME, …} with NAME one of state, pause")
    assert said[4:] == ["'leave' needs match (str), player (int)", "'stop' needs reason (str)"]


def test_whoever_watches_is_waited_for(run_dir):
    """While somebody attends over the socket the run waits for a person, who answers through it; then it ends."""
    person, done = Person(), threading.Event()

    def attend():
        remote = RemoteControl(run_dir)
        with remote.attending():
            control.attend(is_here=False)
            (seat,) = remote.state.waiting
            done.set()
            remote.send(seat.match, seat.player, 0)
            while len(person.asked) < 2:
                assert remote.state.is_playing

    class Comes:
        @hookimpl
        def player_waited(self, plan, player):
            if not done.is_set():
                threading.Thread(target=attend).start()

    control = Control(is_attended=True)
    outcome, records = go(made(person, repeats=1), run_dir, control, {"comes": Comes()})

    assert done.is_set()
    assert len(person.asked) >= 2
    assert of_person(records) == []
    assert outcome.stopped.startswith("waits for 1 seat")


@pytest.mark.slow
def test_run_that_nobody_plays_says_so(run_dir):
    """Without a file, with a stale one, and with one of another machine there is one sentence each."""
    go(benchmark({"a": RANDOM, "b": RANDOM}, repeats=1), run_dir, Control())
    said = []
    for machine in (None, socket.gethostname(), "elsewhere"):
        if machine is not None:
            ControlAddress(path="/nowhere.sock", process=1, machine=machine).write(run_dir)
        with pytest.raises(ConfigError) as error:
            RemoteControl(run_dir).pause()
        said.append(str(error.value).partition(": ")[2])

    assert said == [
        "nobody plays this run, or not so that it can be reached (no control.json)",
        "nobody plays this run any more; resume it",
        "played on 'elsewhere'; hold it there",
    ]
    outcome, _ = go(benchmark({"a": RANDOM, "b": RANDOM}, repeats=1), run_dir, Control())
    assert outcome.stopped is None
    assert not (run_dir / FILE).exists()


def test_folder_of_somebody_else_is_not_used(run_dir, runtime):
    """Where the folder for sockets can be entered by others, there is no socket, and the run is played all the same."""
    (runtime / "arena").mkdir(mode=0o755)
    (runtime / "arena").chmod(0o755)

    outcome, records = go(benchmark({"a": RANDOM, "b": RANDOM}, repeats=1), run_dir, Control())

    assert (outcome.stopped, len(records)) == (None, 2)
    assert list((runtime / "arena").iterdir()) == []


@pytest.mark.campaign
def test_run_of_a_process_of_its_own(tmp_path):
    """A run that ``arena.run`` plays elsewhere is stopped within its grace, and can be resumed."""
    directory = tmp_path / "elsewhere"
    process = subprocess.Popen([sys.executable, "-c", PLAY, str(directory)], stdout=subprocess.PIPE, text=True)
    remote, deadline = RemoteControl(directory), time.monotonic() + 60
    while not (directory / FILE).exists() and time.monotonic() < deadline:
        assert process.poll() is None
    remote.stop("from over here")
    said, _ = process.communicate(timeout=60)

    assert said.startswith("from over here")
    with Journal.open(directory) as journal:
        assert journal.endings() == {}
    assert not (directory / FILE).exists()

"""The progress display hears hooks and shows numbers."""

import os
import pty
import subprocess
import sys

import pytest
from arena.backend import Completion, Usage
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena_observer_progress.progress import PlainLines, Progress, Tally, Watcher


def plan(number: int) -> MatchPlan:
    return MatchPlan(
        id=f"g/a/{number}.0", game="g", agents=("a",), pairing="a", repeat=number, rotation=0, chance_seed=number
    )


def finished(number: int, ending: Ending = Ending.RULES) -> MatchRecord:
    return MatchRecord(plan=plan(number), seats=("x",), ending=ending, returns=None)


def test_lines_come_with_every_tenth(capsys):
    """A hundred matches are told in ten lines and one to begin with."""
    watcher = Progress(plain=True).start()

    watcher.run_started(name="bench", plans=[plan(n) for n in range(100)], done=0)
    for number in range(100):
        watcher.match_finished(record=finished(number))
    watcher.run_finished(stopped=None)

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "bench: 100 matches"
    assert [line.split()[0] for line in lines[1:]] == [f"{n}/100" for n in range(10, 101, 10)]


def test_numbers_are_counted():
    """Turns, refusals, tokens, money, retries and failures; what the journal answered is not counted as paid."""
    watcher = Watcher(PlainLines)
    completion = Completion(text="", usage=Usage(prompt_tokens=30, completion_tokens=12), cost_usd=0.25)
    played = Event(0, "referee", "played", Player(0), {}, (Player(0),))
    told = Event(0, "game", "told", None, {}, None)

    watcher.run_started(name="bench", plans=[plan(0), plan(1)], done=0)
    watcher.actions_applied(events=[played, told, played])
    watcher.action_refused()
    watcher.completion_received(completion=completion, is_replayed=False, is_cached=False)
    watcher.completion_received(completion=completion, is_replayed=True, is_cached=False)
    watcher.completion_retried()
    watcher.match_finished(record=finished(0, Ending.FAILED))

    assert watcher.tally.facts() == "2 turns · 1 illegal · 42 tokens in 1 calls · $0.2500 · 1 retries · 1 failed"


def test_time_left_comes_from_this_attempt():
    """Matches finished earlier took no time now."""
    assert Tally(planned=10, earlier=4, finished=2).left_s(30.0) == 60.0
    assert Tally(planned=10, earlier=4).left_s(30.0) is None


def test_stop_is_told_once(capsys):
    """Why a run ended early is the last line."""
    watcher = Progress(plain=True).start()

    watcher.run_started(name="bench", plans=[plan(0)], done=0)
    watcher.run_finished(stopped="interrupted")
    watcher.close()

    assert capsys.readouterr().err.splitlines()[1:] == ["stopped at 0/1 matches · 0 turns · 0 illegal · interrupted"]


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
def test_terminal_gets_a_bar(tmp_path):
    """At a terminal the numbers stay on one live line, and the cursor is given back."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-c", "from arena_cli import main; main()"]
    command += ["run", "--game", "kuhn-poker", "--agent", "random", "-n", "20", "-o", "run"]

    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        shown = b""
        while more := _read(controller):
            shown += more
        assert process.wait(30) == 0
    os.close(controller)

    assert b"20/20" in shown
    assert shown.count(b"\x1b[?25h") >= shown.count(b"\x1b[?25l") > 0


def _read(controller: int) -> bytes:
    try:
        return os.read(controller, 65_536)
    except OSError:  # the other side has closed
        return b""

"""The progress display hears hooks and shows numbers."""

import os
import pty
import subprocess
import sys
import threading
from datetime import datetime

import attrs
import pytest
from arena.backend import Completion, Usage
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena_observer_progress.displays import PlainLines
from arena_observer_progress.progress import Progress, Watcher
from arena_observer_progress.tally import RunningScores, Tally


def plan(number: int) -> MatchPlan:
    return MatchPlan(
        id=f"g/a/{number}.0", game="g", agents=("a",), pairing="a", repeat=number, rotation=0, chance_seed=number
    )


def finished(number: int, ending: Ending = Ending.RULES) -> MatchRecord:
    return MatchRecord(plan=plan(number), seats=("x",), ending=ending, returns=None)


def match(game: str, returns: dict[str, float]) -> MatchRecord:
    made = MatchPlan(
        id=f"{game}/x/0.0", game=game, agents=tuple(returns), pairing="x", repeat=0, rotation=0, chance_seed=0
    )
    seats = tuple(f"seat {n}" for n in range(len(returns)))
    return MatchRecord(plan=made, seats=seats, ending=Ending.RULES, returns=tuple(returns.values()))


class Told(Tally):
    """A tally that says when a line is made of it."""

    def __init__(self, told: threading.Event) -> None:
        super().__init__(planned=5)
        self._asked = told
        self._lines = 0

    def line(self, name: str, elapsed_s: float, width: int, end: str = "") -> str:
        self._lines += 1
        if self._lines > 1:  # the first one has been written
            self._asked.set()
        return super().line(name, elapsed_s, width, end)


def test_lines_come_with_every_tenth(capsys):
    """A hundred matches are told in ten lines and one to begin with."""
    watcher = Progress(plain=True).start()

    watcher.run_started(name="bench", plans=[plan(n) for n in range(100)], done=0)
    for number in range(100):
        watcher.match_finished(record=finished(number))
    watcher.run_finished(stopped=None)

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "bench: 100 matches"
    assert [line.split()[2] for line in lines[1:]] == [f"{n}/100" for n in range(10, 101, 10)]


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

    watcher.close()
    line = watcher.tally.line("bench", 2.0, 120)
    assert line == "bench · 1/2 matches · 30/min · 33 % illegal · 42 tokens · $0.25 · 1 retry · 1 failed · 0:02 left"


def test_requests_in_batches_are_shown_while_they_wait():
    """What waits at providers is told, all backends together, with the first time and the last promise."""
    watcher = Watcher(PlainLines)
    first, second = (datetime(2026, 3, day, 14, 5).timestamp() for day in (2, 3))  # a Monday and a Tuesday
    day = 86_400

    watcher.run_started(name="bench", plans=[plan(0), plan(1)], done=0)
    watcher.batches_changed(backend="one", requests=1_200, since=first, until=first + day)
    watcher.batches_changed(backend="two", requests=34, since=second, until=second + day)
    waiting = watcher.tally.line("bench", 2.0, 120)
    watcher.batches_changed(backend="one", requests=0, since=None, until=None)
    watcher.batches_changed(backend="two", requests=0, since=None, until=None)

    watcher.close()
    assert waiting == "bench · 0/2 matches · 1,234 in batches since 14:05, by Wed 14:05 at most"
    assert watcher.tally.line("bench", 2.0, 120) == "bench · 0/2 matches"


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

    assert capsys.readouterr().err.splitlines()[1:] == ["bench · 0/1 matches · stopped: interrupted"]


def test_a_long_silence_is_broken(capsys):
    """Where no event comes for long, a line is written all the same."""
    lines = PlainLines(silence_s=0.01)
    told = threading.Event()
    tally = Told(told)

    lines.start("bench", tally)
    assert told.wait(30)
    lines.stop(tally, None)

    assert "0/5 matches" in capsys.readouterr().err


def test_the_standing_is_told_as_soon_as_there_is_one():
    """Two agents have their points side by side, more of them in order; an even standing says nothing."""
    standings = RunningScores()
    standings.add(match("hex", {"mcts": 0.0, "first": 0.0}))
    assert standings.text() == ""

    standings.add(match("hex", {"mcts": 1.0, "first": -1.0}))
    assert standings.text() == "hex first 0.5 : 1.5 mcts"

    standings.add(match("poker", {"a": 3.0, "b": -1.0, "c": -2.0, "d": 0.0}))
    assert standings.text() == "poker a 1, d 0.667, b 0.333"


def test_a_disqualification_is_a_point_for_the_others():
    """Whoever failed loses to each of the others; a match that nobody is to blame for gives nobody a point."""
    standings, played = RunningScores(), match("hex", {"mcts": 0.0, "first": 0.0})
    cut = attrs.evolve(played, returns=None, ending=Ending.TURN_LIMIT)
    out = attrs.evolve(played, returns=None, ending=Ending.DISQUALIFIED, forfeited=(Player(0),))

    for each in (cut, out, out):
        standings.add(each)

    assert standings.text() == "hex first 2 : 0 mcts"


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_the_line_fits(width):
    """What does not fit is left out: the rate before the time left, the name and the matches last."""
    tally = Tally(planned=90, finished=34, turns=985, refused=12, calls=90, tokens=123_456, cost_usd=1.5, retries=3)
    tally.standings.add(match("connect-four", {"mcts": 1.0, "first": -1.0}))

    line = tally.line("three", 17.0, width)

    assert len(line) <= width
    assert line.startswith("three")
    assert ("left" in line) == (width >= 40)
    assert ("0 : 1" in line) == (width >= 80)
    assert ("2/s" in line) == (width >= 120)


@pytest.mark.campaign
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

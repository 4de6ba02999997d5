"""What readers of a journal see of matches that are being played, or that were cut off."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from arena.agent import Reply
from arena.errors import StopRun
from arena.hookspecs import hookimpl
from arena.record import MatchHistory, MatchRecord
from arena.testing import RANDOM, FunctionAgent, playing
from arena.turns import turns
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.journal.journal import Journal
from arena_engine.journal.schema import PROGRESS
from arena_engine.match import referee

from ....authoring.testing.tests.games_cards import KuhnPoker
from .test_runner import benchmark, go


@pytest.fixture
def at_once(monkeypatch):
    """Let every match be old enough to be seen."""
    monkeypatch.setattr(referee, "VISIBLE_AFTER_S", 0.0)


def watching(directory, seen, moves=(0, 1, 2)):
    """An agent that notes before each of its moves what a reader of the journal sees of the match."""

    async def choose(decision, seat):
        if seat.player == 1:  # in the other match
            return Reply(action=decision.sample(seat.rng))
        steps = -1
        while steps < 2 * decision.turn:  # rows that nobody waits for are written a moment later
            await asyncio.sleep(0.01)
            with Journal.open(directory) as reader:
                history = reader.history_of("g/a,b/0.0")
            steps = history.steps
        seen.append(history)
        return Reply(action=moves[decision.turn])

    return FunctionAgent(choose)


def test_steps_are_seen_while_a_match_is_played(run_dir, at_once):
    """A reader sees each step that is complete, and when the match is over its record and nothing else."""
    seen = []
    made = benchmark({"a": watching(run_dir, seen), "b": playing(3, 4, 5)}, repeats=1)

    _, (record, _) = go(made, run_dir)

    assert [(type(each), each.steps, len(list(each.played()))) for each in seen[:3]] == [
        (MatchHistory, 0, 0),
        (MatchHistory, 2, 2),
        (MatchHistory, 4, 4),
    ]
    assert all(each.events == record.events[: len(each.events)] for each in seen[:3])
    with Journal.open(run_dir) as journal:
        assert journal.history_of(record.id) == record
        assert journal.matches_with_progress() == frozenset()


def test_what_a_match_begins_with_is_seen_before_its_first_move(run_dir, at_once):
    """Cards that were dealt are in the journal while the first player still thinks."""
    seen = []

    async def choose(decision, seat):
        while not seen and seat.player == 0:  # in the other match it plays at once
            await asyncio.sleep(0.01)
            with Journal.open(run_dir) as reader:
                seen[:] = reader.history_of("g/a,b/0.0").events
        return Reply(action=decision.sample(seat.rng))

    _, (record, *_) = go(benchmark({"a": FunctionAgent(choose), "b": RANDOM}, KuhnPoker(), repeats=1), run_dir)

    assert seen
    assert tuple(seen) == record.events[: len(seen)]
    assert {event.source for event in seen} == {"game"}


@pytest.mark.slow
def test_match_that_was_cut_off_shows_how_far_it_came(run_dir, at_once):
    """What a run did when it was stopped can be read; when it goes on, the record takes its place."""
    is_stopped = True

    async def choose(decision, seat):
        await asyncio.sleep(0)
        if is_stopped and decision.turn == 2:
            raise StopRun("enough")
        return Reply(action=(0, 1, 2)[decision.turn])

    made = benchmark({"a": FunctionAgent(choose), "b": playing(3, 4, 5)}, repeats=1)
    go(made, run_dir)

    with Journal.open(run_dir) as journal:
        known = {plan.id: journal.history_of(plan.id) for plan in journal.plans()}
        begun = journal.matches_with_progress()
    assert max(each.steps for each in known.values()) >= 4
    assert "g/a,b/0.0" in begun <= known.keys()
    assert not isinstance(known["g/a,b/0.0"], MatchRecord)
    is_stopped = False
    go(made, run_dir)
    with Journal.open(run_dir) as journal:  # which checks the sums of all tables
        assert journal.matches_with_progress() == frozenset()
        for id_, before in known.items():
            now = journal.history_of(id_)
            assert isinstance(now, MatchRecord)
            assert now.events[: len(before.events)] == before.events


def test_steps_do_not_vanish_for_who_reads_as_a_match_ends(run_dir, at_once, monkeypatch):
    """Steps go once the record is there; who reads at that moment has the one or the other."""

    async def choose(decision, seat):
        await asyncio.sleep(0)
        if decision.turn == 2:
            raise StopRun("enough")
        return Reply(action=(0, 1, 2)[decision.turn])

    go(benchmark({"a": FunctionAgent(choose), "b": playing(3, 4, 5)}, repeats=1), run_dir)
    look = Journal.record_of

    def looked(journal, id_):
        """There is no record yet; right after that the match ends, and its steps are taken away."""
        found = look(journal, id_)
        with closing(sqlite3.connect(run_dir / "journal.sqlite")) as writer, writer:
            writer.execute("DELETE FROM progress")
        return found

    with Journal.open(run_dir) as journal:
        monkeypatch.setattr(Journal, "record_of", looked)
        history = journal.history_of("g/a,b/0.0")

    assert history.steps >= 4
    assert history.events


def test_events_of_another_attempt_are_dropped(run_dir):
    """The first events of an attempt take the place of all that is known of the one before."""
    made = benchmark({"a": RANDOM, "b": RANDOM}, repeats=1)
    _, (record, _) = go(made, run_dir)
    first, second = record.events[:2], record.events[:3]

    async def write():
        with Journal.open(run_dir, write=True) as journal:
            journal.progress(record.id, 1, first, is_first=True)
            journal.progress(record.id, 2, record.events[2:4], is_first=False)
            journal.progress(record.id, 2, second, is_first=True)
            await journal.flush()
            return list(journal._rows(PROGRESS, "match = ?", record.id))

    rows = asyncio.run(write())

    assert [row[1] for row in rows] == [2]


def test_quick_matches_write_nothing_more(run_dir, monkeypatch):
    """Matches that are over before they may be seen are written once, at their end."""
    monkeypatch.setattr(referee, "VISIBLE_AFTER_S", 3_600.0)  # a second is soon over on a busy machine
    calls = []
    monkeypatch.setattr(JournaledRun, "progress", lambda *arguments, **named: calls.append(arguments))

    go(benchmark({"a": RANDOM, "b": RANDOM}, repeats=20), run_dir)

    assert calls == []


def test_unknown_match_has_no_history(run_dir):
    """Of a match that has not begun nothing is known, and one that is not in the plan is none."""
    made = benchmark({"a": RANDOM, "b": FunctionAgent(_stop)}, repeats=1)
    go(made, run_dir)

    with Journal.open(run_dir) as journal:
        history = journal.history_of("g/a,b/0.0")
        assert journal.history_of("g/a,b/9.9") is None

    assert (history.plan.id, history.events, turns(history)) == ("g/a,b/0.0", (), ())


def _stop(decision, seat):
    raise StopRun("at once")


def test_observers_are_told_what_a_match_begins_with(run_dir):
    """The hook that fires after each step fires before the first one too, with what the game announces."""

    class Listener:
        def __init__(self):
            self.first = {}

        @hookimpl
        def actions_applied(self, plan, events):
            self.first.setdefault(plan.id, tuple(events))

    listener = Listener()

    _, records = go(benchmark({"a": RANDOM, "b": RANDOM}, KuhnPoker(), repeats=2), run_dir, {"listener": listener})

    for record in records:
        opening = tuple(e for e in record.events if e.step == 0 and e.source == "game")
        assert opening
        assert listener.first[record.id] == opening

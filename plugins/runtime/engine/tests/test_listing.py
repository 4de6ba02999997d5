"""Pages of a run's matches, sorted and filtered by their summaries alone."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import arena
import attrs
import pytest
from arena.errors import ConfigError, JournalError
from arena.record import Ending, Failure
from arena_engine import Journal, MatchFilter, count_matches, is_played, match_page
from arena_engine.journal.database import FILE
from arena_engine.journal.match_table import COLUMNS
from arena_engine.journal.reading import JournalReader

BENCHMARK = {
    "name": "n",
    "seed": 4,
    "games": {"ttt": {"use": "tic-tac-toe"}, "rps": {"use": "matrix-rps"}},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": "random", "first": "first-legal"},
    "schedule": {"use": "round-robin", "repeats": 3},
    "illegal-actions": {"retries": 0, "then": "forfeit"},
    "metrics": [],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    return arena.run(BENCHMARK, output=tmp_path_factory.mktemp("runs") / "run").directory


@pytest.fixture
def journal(run):
    with Journal.open(run) as journal:
        yield journal


def pages(journal, wanted=None, **how):
    """All matches of a listing, read page by page."""
    found, after = [], None
    while True:
        page = match_page(journal, wanted, after=after, **how)
        found += page.matches
        if page.last is None:
            return found
        after = tuple(json.loads(json.dumps(page.last)))


@pytest.mark.parametrize("is_descending", [False, True])
@pytest.mark.parametrize("by", COLUMNS)
def test_pages_are_the_whole_in_order(journal, by, is_descending):
    """Page after page gives every match once, sorted by any column and then by id, those without a value first."""

    def key(row):
        value = row[COLUMNS.index(by)]
        return (value is not None, value if value is not None else 0, row[0])

    expected = [row[0] for row in sorted(journal.summary_rows(), key=key, reverse=is_descending)]

    assert [each.match for each in pages(journal, by=by, is_descending=is_descending, limit=5)] == expected
    assert match_page(journal, limit=len(expected)).last is None


def winners(each) -> list[str]:
    """The agent that won a match, if one did."""
    return [] if each.winner is None else [each.agents[each.winner]]


def losers(each) -> list[str]:
    """The agents that lost a match in some seat."""
    return [] if each.winner is None else [a for p, a in enumerate(each.agents) if p != each.winner]


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (MatchFilter(games=("rps",)), lambda each: each.game == "rps"),
        (MatchFilter(agents=("random",)), lambda each: "random" in each.agents),
        (MatchFilter(agents=("random", "first")), lambda each: {"random", "first"} <= set(each.agents)),
        (MatchFilter(agents=("rand",)), lambda each: False),
        (MatchFilter(lineup=("first", "random")), lambda each: each.agents == ("first", "random")),
        (MatchFilter(endings=(Ending.RULES,)), lambda each: each.ending is Ending.RULES),
        (MatchFilter(winner=1), lambda each: each.winner == 1),
        (MatchFilter(won_by="random"), lambda each: "random" in winners(each)),
        (MatchFilter(lost_by="model"), lambda each: "model" in losers(each)),
        (MatchFilter(is_drawn=True), lambda each: each.winner is None),
        (MatchFilter(is_drawn=False), lambda each: each.winner is not None),
        (
            MatchFilter(has_refused_winner=True),
            lambda each: each.winner is not None and each.winner in each.refused,
        ),
        (MatchFilter(has_refusals=True), lambda each: each.refusals > 0),
        (MatchFilter(has_refusals=False), lambda each: each.refusals == 0),
        (MatchFilter(has_substitutes=True), lambda each: each.substitutes > 0),
        (MatchFilter(is_forfeited=True), lambda each: bool(each.at_fault)),
        (MatchFilter(is_forfeited=False, games=("ttt",)), lambda each: each.game == "ttt" and not each.at_fault),
    ],
)
def test_filters(journal, wanted, fits):
    """A filter leaves the matches that fit it, and their number is counted."""
    expected = {each.match for each in journal.summaries() if fits(each)}

    found = pages(journal, wanted, by="turns", limit=4)

    assert {each.match for each in found} == expected
    assert len(found) == len(expected) == count_matches(journal, wanted)


def test_long_listings_are_not_counted(journal):
    """Beyond a bound the number of matches is not said, unless all are to be counted."""
    assert count_matches(journal, at_most=5) is None
    assert count_matches(journal, at_most=None) == count_matches(journal) == journal.planned() == 36


def test_no_record_is_read(journal, monkeypatch):
    """A page, a count and the number of planned matches need no record and no plan."""
    monkeypatch.setattr(JournalReader, "_ended_block", lambda *_: pytest.fail("a record was read"))
    monkeypatch.setattr(JournalReader, "iter_plans", lambda *_: pytest.fail("the plans were read"))

    assert match_page(journal, by="ended").matches
    assert count_matches(journal) == journal.planned()


def test_bad_input_is_said(journal):
    """A column that is none and a page that is too long: one sentence each."""
    with pytest.raises(ConfigError, match=r"matches cannot be sorted by 'turn' .did you mean 'turns'"):
        match_page(journal, by="turn")
    with pytest.raises(ConfigError, match="limit: expected 1 to 500, got 501"):
        match_page(journal, limit=501)


@pytest.mark.parametrize("is_descending", [False, True])
def test_matches_are_sorted_by_all_of_their_tokens(journal, is_descending):
    """``tokens`` sorts by prompts and completions together, page after page, each match once."""
    rows = sorted(journal.summaries(), key=lambda each: (each.tokens, each.match), reverse=is_descending)

    found = pages(journal, by="tokens", is_descending=is_descending, limit=2)

    assert [each.match for each in found] == [each.match for each in rows]
    assert len({each.tokens for each in rows}) > 1


def test_ids_are_those_of_the_plans(journal):
    """The ids of the planned matches come in the order of the plan, without reading the plans."""
    assert journal.match_ids() == tuple(plan.id for plan in journal.plans())


def test_tokens_of_players_are_those_of_their_answers(journal):
    """The tokens of each player of a match add up to those of its summary."""
    for summary in journal.summaries():
        by_player = journal.tokens_by_player(summary.match)

        assert sum(by_player.values()) == summary.tokens
        assert set(by_player) <= {player for player, agent in enumerate(summary.agents) if agent == "model"}


def test_answers_within_a_scope(journal):
    """The answers of one turn are those whose scope begins with it: turn 1 is not turn 10."""
    for plan in journal.plans():
        every = journal.answers(plan.id)
        turns = {"/".join(answer.scope.split("/")[:2]) for answer in every}

        assert [a for turn in sorted(turns) for a in journal.answers(plan.id, turn)] == every
        assert journal.answers(plan.id, "0/99") == []


def test_run_that_is_written_is_played(run, tmp_path):
    """A run is played for as long as a process has it open for writing."""
    copy = shutil.copytree(run, tmp_path / "copy")
    assert not is_played(copy)

    with Journal.open(copy, write=True):
        assert is_played(copy)

    assert not is_played(copy)


def test_lock_that_goes_away_is_nobody_who_plays(tmp_path, monkeypatch):
    """A run that ends just while it is looked at is not played any more, and that is no error."""
    monkeypatch.setattr(Path, "is_file", lambda path: True)

    assert not is_played(tmp_path)


def test_listing_grows_with_its_run(run, tmp_path):
    """Matches that end after the first listing are in the next one, and one that is written anew is there once."""
    source = Journal.open(run)
    with source, Journal.create(tmp_path / "run", source.header, source.plans()) as journal:
        records = list(source.records())
        failed = attrs.evolve(records[0], ending=Ending.FAILED, returns=None, failure=Failure("a plugin's bug"))
        found = []
        for batch in ([failed, *records[1:5]], records[5:9], [records[0], records[10]]):
            for record in batch:
                journal.finish(record)
            asyncio.run(journal.flush())
            found.append({each.match: each.ending for each in match_page(journal, by="ended").matches})

    assert [len(each) for each in found] == [5, 9, 10]
    assert [each[failed.id] for each in found] == [Ending.FAILED, Ending.FAILED, records[0].ending]
    assert found[-1] == {record.id: record.ending for record in (*records[:9], records[10])}


def test_listing_of_another_file_is_another_one(run, tmp_path):
    """A run that takes the place of one that was listed shares nothing with it."""
    source = Journal.open(run)
    with source:
        records = list(source.records())
        for some in (records[:3], records[3:10]):
            shutil.rmtree(tmp_path / "run", ignore_errors=True)
            with Journal.create(tmp_path / "run", source.header, source.plans()) as journal:
                for record in some:
                    journal.finish(record)
                asyncio.run(journal.flush())
                assert {each.match for each in match_page(journal).matches} == {record.id for record in some}


def test_listing_of_a_damaged_run_is_refused_each_time(run, tmp_path):
    """Damage is one sentence, also the second time, and a run that is whole again is listed."""
    copy = shutil.copytree(run, tmp_path / "copy")
    whole = (copy / FILE).read_bytes()
    with closing(sqlite3.connect(copy / FILE, isolation_level=None)) as database:
        last = "block = (SELECT max(block) FROM records)"
        database.execute(f"UPDATE records SET ids = CAST(ids || 'x' AS BLOB) WHERE {last}")

    for _ in range(2):
        with Journal.open(copy, check=False) as damaged, pytest.raises(JournalError, match="is not what was written"):
            match_page(damaged)
    (copy / FILE).write_bytes(whole)

    with Journal.open(copy) as journal:
        assert len(match_page(journal).matches) == journal.planned()

"""Blocks of a journal: which matches share one, and that each match is found in them, and once."""

import asyncio
from collections.abc import Sequence

import attrs
import pytest
from arena.record import Ending, Failure, MatchPlan, MatchRecord
from arena_engine import Journal, JournalSettings, match_page, verify_journal
from arena_engine.journal.blocks import ENDED, LONGEST, PLANNED, BlockPlaces, ids_of, mark, parts, plan_blocks, plans_of
from arena_engine.journal.packing import PLAIN, Unpacker
from arena_engine.journal.schema import Header

HEADER = Header(
    id="run", name="n", seed=7, benchmark={"name": "n"}, created="", core="1", python="3", platform="p", provenance=()
)
ALIKE = ("g/1fdc0ee9,b/0.0", "g/5fb19e8e,b/0.0")
"""Two ids with one mark."""


def plan(number: int, id_: str = "") -> MatchPlan:
    return MatchPlan(
        id=id_ or f"g/a,b/{number}.0",
        game="g",
        agents=("a", "b"),
        pairing="a,b",
        repeat=number,
        rotation=0,
        chance_seed=number,
    )


def won(planned: MatchPlan) -> MatchRecord:
    return MatchRecord(plan=planned, seats=("X", "O"), ending=Ending.RULES, returns=(1.0, -1.0))


def lost(planned: MatchPlan) -> MatchRecord:
    failure = Failure("a plugin's bug")
    return MatchRecord(plan=planned, seats=(), ending=Ending.FAILED, returns=None, failure=failure)


async def finish(journal: Journal, records: Sequence[MatchRecord]) -> None:
    for record in records:
        journal.finish(record)
    await journal.flush()


@pytest.mark.parametrize("is_packed", [True, False])
def test_plans_come_back_from_their_blocks(is_packed):
    """Plans are held in blocks of at most a thousand, with a mark for each, and are read as they were."""
    plans = [plan(number) for number in range(2 * PLANNED + 1)]

    blocks = [*plan_blocks(iter(plans), is_packed=is_packed)]
    texts = [
        text.decode() if packing == PLAIN else Unpacker(lambda number: "").unpack(packing, text)
        for _, packing, text in blocks
    ]

    assert [len(ids) for ids, _, _ in blocks] == [4 * PLANNED, 4 * PLANNED, 4]
    assert [each for text in texts for each in plans_of(text)] == plans
    assert [id_ for text in texts for id_ in ids_of(text)] == [each.id for each in plans]


def test_blocks_of_matches_are_short():
    """A block has 250 matches at most, and takes no more after a quarter of a megabyte of records."""
    few = [(b"x" * (LONGEST // 2), ("a",)), (b"x" * LONGEST, ("b",)), (b"x", ("c",))]
    many = [(b"x", (str(number),)) for number in range(2 * ENDED + 1)]

    assert [[row[0] for _, row in part] for part in parts(few)] == [["a", "b"], ["c"]]
    assert [len(part) for part in parts(many)] == [ENDED, ENDED, 1]
    assert list(parts([])) == []


async def test_match_that_is_played_again_is_in_one_block(tmp_path):
    """What failed and was played again is read, counted and listed once, whatever shares its block."""
    plans = [plan(number) for number in range(3 * ENDED)]
    with Journal.create(tmp_path / "run", HEADER, plans, JournalSettings()) as journal:
        await finish(journal, [lost(each) if each.repeat % 3 else won(each) for each in plans])
        await finish(journal, [won(each) for each in reversed(plans) if each.repeat % 3])

        assert list(journal.records()) == [won(each) for each in plans]
        assert len([*journal.summaries()]) == len(plans)
        assert +journal.ended() == {Ending.RULES: len(plans)}
        assert len(match_page(journal, by="ending", limit=500).matches) == 500
    assert not verify_journal(tmp_path / "run").problems


async def test_matches_with_one_mark_are_told_apart(tmp_path):
    """Marks say where to look, and ids which match it is."""
    assert mark(ALIKE[0]) == mark(ALIKE[1])
    first, second = plan(0, ALIKE[0]), plan(1, ALIKE[1])
    with Journal.create(tmp_path / "run", HEADER, [first, second]) as journal:
        await finish(journal, [won(first)])
        assert journal.record_of(second.id) is None
        assert list(journal.iter_plans(unfinished=True)) == [second]

        await finish(journal, [lost(second)])
        await finish(journal, [attrs.evolve(won(second), returns=(-1.0, 1.0))])

        assert [journal.plan_of(id_) for id_ in ALIKE] == [first, second]
        assert [journal.record_of(id_).returns for id_ in ALIKE] == [(1.0, -1.0), (-1.0, 1.0)]
        assert [record.id for record in journal.records()] == [*ALIKE]
        assert [journal.summary_of(id_).winner for id_ in ALIKE] == [0, 1]


def test_places_say_every_block_that_may_hold_a_match():
    """A mark that is in several blocks leads to all of them, one that is in none to none."""
    places = BlockPlaces([(1, mark("a") + mark("b")), (7, mark("c")), (9, mark("a"))])

    assert (places.of("a"), places.of("b"), places.of("c"), places.of("d")) == ([1, 9], [1], [7], [])


def test_many_matches_in_one_transaction_are_all_written(tmp_path):
    """Matches that come faster than the disk takes them are written part by part, each once."""
    plans = [plan(number) for number in range(3_000)]
    with Journal.create(tmp_path / "run", HEADER, plans) as journal:
        asyncio.run(finish(journal, [won(each) for each in plans]))
        blocks = [len(rows) for _, rows in journal.summary_blocks()]

    assert sum(blocks) == len(plans)
    assert max(blocks) == ENDED

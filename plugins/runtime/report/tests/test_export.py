"""Matches as records and files."""

import csv
import io
import json
import weakref
from pathlib import Path

import attrs
import pytest
from arena.agent import RefusalKind
from arena.errors import ArenaError
from arena.record import Ending, Event, Failure, MatchPlan, MatchRecord, Player
from arena_report.formats.exports import csv_table, finished_matches, jsonl, parquet, plain, rows, write_file

PLAN = MatchPlan(
    id="coins/ann,bob/0.0",
    game="coins",
    agents=("ann", "bob"),
    pairing="ann,bob",
    repeat=0,
    rotation=0,
    chance_seed=2**63,
)


def verdict(event: str, player: int, **data: object) -> Event:
    return Event(0, "referee", event, Player(player), data, (Player(player),))  # type: ignore[arg-type]  # it is JSON


RECORD = MatchRecord(
    plan=PLAN,
    seats=("north", "south"),
    ending=Ending.RULES,
    returns=(1.0, -1.0),
    steps=2,
    events=(
        Event(0, "game", "dealt", None, {"card": "K"}, (Player(0),)),
        verdict("refused", 0, kind="illegal", reason="no such coin", turn=0, **{"try": 0}),
        verdict("refused", 0, kind="empty", reason="nothing", turn=0, **{"try": 1}),
        verdict("played", 0, action=3, label="take 3", turn=0, by="random", **{"try": 2}),
        verdict("played", 1, action={"take": 1}, turn=0, by="agent", **{"try": 0}),
    ),
)


def test_turns_are_the_accepted_actions():
    """Each has its player, its JSON as a text, its label where there is one, and who put it in."""
    assert plain(RECORD)["turns"] == [
        {"player": 0, "action": "3", "label": "take 3", "by": "random"},
        {"player": 1, "action": '{"take":1}', "label": None, "by": "agent"},
    ]


def test_refusals_are_counted_by_kind():
    """In all and by player; kinds that did not occur are there too, so that all matches have the same fields."""
    value = plain(RECORD)

    none = dict.fromkeys(map(str, RefusalKind), 0)
    assert value["refusals"] == {**none, "empty": 1, "illegal": 1}
    assert value["refusals_by_player"] == [{**none, "empty": 1, "illegal": 1}, none]


def test_events_are_there_on_demand():
    """Hidden events are told with their audience."""
    assert "events" not in plain(RECORD)
    assert plain(RECORD, events=True)["events"][0] == {  # type: ignore[index]  # a list
        "wave": 0,
        "source": "game",
        "kind": "dealt",
        "player": None,
        "data": '{"card":"K"}',
        "to": [0],
    }


def types_of(value: object) -> object:
    """The type of everything in JSON, by field; of lists, those of their items together."""
    if isinstance(value, dict):
        return {key: types_of(item) for key, item in value.items()}
    return [types_of(item) for item in value] if isinstance(value, list) else type(value).__name__


def test_each_field_has_one_type_whatever_a_game_says():
    """Readers of tables take the lines of games whose actions are numbers, texts, lists and tables in one file."""
    pyarrow_json = pytest.importorskip("pyarrow.json")
    said = (3, "e4", [1, 2], {"take": 1}, None, 0.5)
    events = tuple(verdict("played", 1, action=each, turn=0, by="agent", **{"try": 0}) for each in said)
    happened = tuple(Event(0, "game", "said", None, each, None) for each in said)
    many = [attrs.evolve(RECORD, events=(one, other)) for one, other in zip(events, happened, strict=True)]

    text = b"".join(jsonl([*many, RECORD], events=True))

    lines = [json.loads(line) for line in text.splitlines()]
    assert {json.dumps(types_of(line["turns"][0])) for line in lines[:-1]} == {
        json.dumps({"player": "int", "action": "str", "label": "NoneType", "by": "str"})
    }
    table = pyarrow_json.read_json(io.BytesIO(text))
    assert table.num_rows == 7
    assert [json.loads(turns[0]["action"]) for turns in table["turns"].to_pylist()[:-1]] == list(said)


def test_matches_without_a_result_are_left_out():
    """What will be played again is not exported, and no traceback with it."""
    failed = MatchRecord(
        plan=PLAN, seats=(), ending=Ending.FAILED, returns=None, failure=Failure("bug", "File '/home/ann/x.py'")
    )

    assert list(finished_matches([failed, RECORD])) == [RECORD]


def test_lines_are_json():
    """One object a line, text as it is."""
    (line,) = jsonl([RECORD])

    assert json.loads(line)["seed"] == str(2**63)
    assert line.endswith(b"\n")


def test_rows_have_the_columns_of_the_largest_match():
    """Players that a match does not have are empty."""
    alone = MatchRecord(
        plan=MatchPlan(
            id="solo/ann/0.0", game="solo", agents=("ann",), pairing="ann", repeat=0, rotation=0, chance_seed=1
        ),
        seats=("me",),
        ending=Ending.DISQUALIFIED,
        returns=None,
    )

    first, second = rows([alone, RECORD])

    assert list(first) == list(second)
    assert (first["player_1"], first["return_0"]) == (None, None)
    assert (second["player_1"], second["return_1"], second["refused_illegal"]) == ("bob", -1.0, 1)
    assert second["substitutes"] == 1


def test_csv_can_be_read_again():
    """A heading and one row a match."""
    text = b"".join(csv_table([RECORD]))
    (row,) = csv.DictReader(io.StringIO(text.decode()))

    assert (row["id"], row["seed"], row["return_1"]) == (PLAN.id, str(2**63), "-1.0")


def test_long_table_comes_in_pieces():
    """No piece holds all rows, and a large match at the end gives columns to those before it."""
    alone = attrs.evolve(RECORD, plan=attrs.evolve(PLAN, agents=("ann",)), seats=("me",), returns=None, events=())

    pieces = list(csv_table(alone if number else RECORD for number in range(3_000, -1, -1)))
    table = list(csv.DictReader(io.StringIO(b"".join(pieces).decode())))

    assert max(map(len, pieces)) < sum(map(len, pieces)) / 2
    assert [row["player_1"] for row in table] == [*[""] * 3_000, "bob"]


@pytest.mark.parametrize("table", [csv_table, pytest.param(parquet, marks=pytest.mark.slow)])
def test_records_are_not_held(table):
    """While a table is made, a record is let go once it is read."""
    left: list[weakref.ref[MatchRecord]] = []
    most = 0

    def records():
        nonlocal most
        for number in range(2_000):
            record = attrs.evolve(RECORD, steps=number)
            left.append(weakref.ref(record))
            yield record
            most = max(most, sum(each() is not None for each in left[-50:]))

    for _ in table(records()):
        pass

    assert 0 < most < 10


def test_table_of_no_match():
    """Without a match there is a heading alone."""
    assert b"".join(csv_table([])) == b"id\n"


@pytest.mark.slow
def test_parquet_has_types():
    """Returns are numbers, seeds are text, since they have 64 bits."""
    from pyarrow.parquet import read_table

    content = b"".join(parquet([RECORD]))
    table = read_table(io.BytesIO(content))

    assert table.to_pylist() == list(rows([RECORD]))
    assert str(table.schema.field("return_0").type) == "double"
    assert b"".join(parquet([RECORD])) == content


@pytest.mark.slow
def test_parquet_of_many_matches():
    """Texts and numbers come back as they were, in whichever group of rows they are; none is there without matches."""
    from pyarrow.parquet import ParquetFile, read_table

    odd = ("=1+1", 'a "quoted"\nname, ünd mehr', "", "2026-11-29T12:00:00Z", "007")
    records = [
        attrs.evolve(
            RECORD,
            plan=attrs.evolve(PLAN, id=f"{number}", agents=(odd[number % 5], "bob"), chance_seed=2**64 - number - 1),
            returns=None if number % 3 == 0 else (number / 7, -0.1),
        )
        for number in range(20_000)
    ]

    file = io.BytesIO(b"".join(parquet(iter(records))))
    empty = read_table(io.BytesIO(b"".join(parquet([]))))

    assert read_table(file).to_pylist() == list(rows(records))
    assert ParquetFile(file).num_row_groups == 2
    assert (empty.column_names, empty.num_rows) == (["id"], 0)


def test_file_is_whole_or_not_there(tmp_path: Path):
    """When the content breaks off, the old file stays and nothing else is left behind."""
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def broken():
        yield b"new"
        raise OSError(28, "No space left on device")

    with pytest.raises(ArenaError, match="No space left on device"):
        write_file(path, broken())

    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]
    assert path.read_text() == "old"


def test_directory_that_is_not_there(tmp_path: Path):
    """The message names the file and what to do."""
    with pytest.raises(ArenaError, match="choose another --output"):
        write_file(tmp_path / "missing" / "out.csv", [b""])


@pytest.mark.slow
def test_command_writes_each_format(arena):
    """The same matches come as JSON lines, CSV and Parquet; what does not fit together is said."""
    arena("run", "--game", "kuhn-poker", "--agent", "random", "-n", 3, "-q", "-o", "run")

    lines = arena("export", "run", "-o", "-").stdout.splitlines()
    for form in ("csv", "parquet", "jsonl"):
        assert arena("export", "run", "--format", form, "-o", f"out.{form}").exit_code == 0
    mixed = arena("export", "run", "--format", "csv", "--events", "-o", "x.csv")

    assert len(lines) == 3
    assert Path("out.jsonl").read_text().splitlines() == lines
    assert len(Path("out.csv").read_text().splitlines()) == 4
    assert mixed.exit_code == 2
    assert "--events needs --format jsonl" in mixed.stderr


def test_what_is_left_out_is_said(arena, tmp_path):
    """An unfinished run exports what is finished and says how much is missing."""
    (tmp_path / "model.yaml").write_text(
        "{games: {ttt: tic-tac-toe}, agents: {m: {use: llm, backend: {use: scripted}}, r: random},"
        " schedule: {use: round-robin, repeats: 3}, limits: {budget-calls: 6, concurrency: 1}, metrics: []}"
    )
    assert arena("run", "model.yaml", "-q", "-o", "run").exit_code == 3

    done = arena("export", "run", "-o", "-")

    assert 0 < len(done.stdout.splitlines()) < 6
    assert "that are not finished" in done.stderr

"""A run folder may hold anything: whoever reads it gets one sentence, and nothing is written but what was asked for."""

import copy
import json
import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from arena_cli.application.group import group
from arena_engine.journal.database import FILE, Transaction
from arena_engine.journal.packing import DICTIONARY, PLAIN, Unpacker
from arena_engine.journal.schema import SUMMED
from arena_engine.journal.writer import Rows
from arena_testing import unwrapped
from click.testing import CliRunner, Result

SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "16"))
READERS = (
    ["report", "run"],
    ["report", "run", "--full"],
    ["report", "run", "--output", "out.html"],
    ["export", "run", "--events", "--output", "-"],
    ["export", "run", "--format", "csv", "--output", "-"],
    ["replay", "run"],
    ["replay", "run", "--match", "1"],
    ["audit", "run"],
    ["leaderboard", "run"],
    ["resume", "run", "--quiet"],
)
DEEP = "[" * 200_000
PLAN = ("plans", "plans")
RECORD = ("records", "records")
Change = Callable[[Any], Any]


def put(*path: Any) -> Change:
    """A change of JSON: the last of ``path`` is put where the others lead."""

    def change(plain: Any) -> Any:
        *most, value = path
        if not most:
            return value
        inner = plain
        for key in most[:-1]:
            inner = inner[key]
        inner[most[-1]] = value
        return plain

    return change


def repeated(text: str) -> Callable[[Any], str]:
    """A change to a text that is no JSON, or no JSON that can be parsed."""
    return lambda _: text


HOSTILE: Mapping[str, tuple[tuple[str, str], Change]] = {
    "a-list-for-a-record": (RECORD, put([])),
    "a-number-for-a-record": (RECORD, put(1)),
    "nothing-for-a-record": (RECORD, put(None)),
    "an-empty-table-for-a-record": (RECORD, put({})),
    "agents-that-are-numbers": (PLAN, put("agents", [1, 2])),
    "one-agent-too-few": (PLAN, put("agents", ["a"])),
    "an-ending-that-is-none": (RECORD, put("ending", "won")),
    "an-ending-that-is-a-list": (RECORD, put("ending", [])),
    "returns-that-are-texts": (RECORD, put("returns", ["1", "2"])),
    "one-return-too-few": (RECORD, put("returns", [1.0])),
    "returns-that-are-no-numbers": (RECORD, put("returns", [float("nan"), 1.0])),
    "somebody-forfeits-who-does-not-play": (RECORD, put("gone", [7])),
    "events-that-are-numbers": (RECORD, put("events", [1])),
    "an-event-of-two-parts": (RECORD, put("events", [[0, "game"]])),
    "an-event-of-nobody": (RECORD, put("events", 0, 3, 99)),
    "an-event-for-nobody": (RECORD, put("events", 0, 5, [99])),
    "a-refusal-without-a-reason": (RECORD, put("events", 0, 4, {})),
    "a-refusal-of-no-kind": (RECORD, put("events", 0, 4, "kind", "bored")),
    "a-failure-of-many-parts": (RECORD, put("failure", ["a", "b", "c"])),
    "brackets-for-a-record": (RECORD, repeated(DEEP)),
    "closed-brackets-for-a-record": (RECORD, repeated(DEEP + "]" * 200_000)),
    "brackets-in-an-event": (
        RECORD,
        lambda r: json.dumps(put("events", 0, 4, "text", "DEEP")(r)).replace('"DEEP"', DEEP),
    ),
    "levels-in-an-event": (RECORD, lambda r: put("events", 0, 4, "text", json.loads("[" * 900 + "]" * 900))(r)),
    "a-long-number": (RECORD, lambda r: json.dumps(put("waves", "LONG")(r)).replace('"LONG"', "9" * 6_000)),
    "no-json-for-a-record": (RECORD, repeated("no JSON")),
    "a-plan-that-is-a-list": (PLAN, put([])),
    "a-plan-without-agents": (PLAN, put("agents", None)),
    "brackets-for-a-plan": (PLAN, repeated(DEEP)),
    "a-header-that-is-a-list": (("meta", "value"), put([])),
    "a-header-with-a-long-name": (("meta", "value"), put("name", ["x"])),
    "a-benchmark-that-is-a-list": (("meta", "value"), put("benchmark", [])),
    "games-that-are-a-list": (("meta", "value"), put("benchmark", "games", [])),
    "agents-that-are-a-text": (("meta", "value"), put("benchmark", "agents", "x")),
    "a-provenance-of-numbers": (("meta", "value"), put("provenance", [1])),
    "levels-in-a-benchmark": (
        ("meta", "value"),
        lambda h: put("benchmark", "games", "g", json.loads('{"a":' * 900 + "1" + "}" * 900))(h),
    ),
    "brackets-for-a-header": (("meta", "value"), repeated(DEEP)),
    "an-answer-that-is-a-list": (("answers", "value"), put([])),
    "usage-of-one-number": (("answers", "value"), put("usage", [1])),
    "a-tool-call-of-numbers": (("answers", "value"), put("tool_calls", [[1]])),
    "a-request-that-is-a-text": (("answers", "request"), put("x")),
    "messages-that-are-numbers": (("answers", "request"), put("messages", [1])),
    "brackets-for-an-answer": (("answers", "value"), repeated(DEEP)),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a small run of a model that says nothing useful."""
    directory = tmp_path_factory.mktemp("played")
    model = {"use": "llm", "backend": {"use": "scripted", "answers": ["no move"]}}
    benchmark = {
        "name": "received",
        "games": {"g": "tic-tac-toe"},
        "agents": {"a": model, "b": "random"},
        "schedule": {"use": "round-robin"},
    }
    (directory / "b.yaml").write_text(json.dumps(benchmark))
    before = Path.cwd()
    os.chdir(directory)
    try:
        assert CliRunner().invoke(group, ["run", "b.yaml", "--output", "run", "--quiet"]).exit_code == 0
    finally:
        os.chdir(before)
    return directory


@pytest.fixture
def run(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the run, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(played / "run", tmp_path / "run")


def forge(run: Path, place: tuple[str, str], change: Change) -> None:
    """Change one JSON text of a journal with its checksums, as somebody could who sends the run."""
    name, column = place
    table = next(table for table in SUMMED if table.name == name)
    least = {"meta": "key = 'header'", "answers": "scope = (SELECT min(scope) FROM answers)"}
    where = least.get(name, f"block = (SELECT min(block) FROM {name})")
    with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database, Transaction(database):
        ((header,),) = database.execute("SELECT value FROM meta WHERE key = 'header'")
        *row, _ = database.execute(f"{table.select} WHERE {where}").fetchone()
        at = table.names.index(column)
        if table.packed and row[table.packed[0] - 1] != PLAIN:
            kept = dict(database.execute("SELECT key, value FROM meta"))
            unpacker = Unpacker(lambda number: json.loads(kept[f"{DICTIONARY}{number}"])["text"])
            for packed in table.packed:
                row[packed] = unpacker.unpack(row[table.packed[0] - 1], row[packed])
            row[table.packed[0] - 1] = PLAIN
        text, *others = row[at].split("\n") if "ids" in table.names else [row[at]]  # the first match of a block
        changed = change(json.loads(text))
        row[at] = "\n".join([changed if isinstance(changed, str) else json.dumps(changed), *others])
        rows = Rows(database, json.loads(header)["id"])
        rows.put(table, *row)
        rows.store()


def files(directory: Path) -> set[str]:
    """The files below a directory, but those that SQLite makes and takes away."""
    found = (path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file())
    return {path for path in found if not path.endswith(("-wal", "-shm")) and ".lock" not in path}


def check(done: Result, command: list[str], before: set[str], directory: Path) -> None:
    """Either it was done, or one sentence says what is wrong; and nothing else was written."""
    shown = f"{command}\n{done.output[-3000:]}\n{done.exception!r}"
    assert done.exception is None or isinstance(done.exception, SystemExit), shown
    assert done.exit_code in (0, 2) or command[0] == "resume", shown
    assert "Traceback" not in done.output, shown
    if done.exit_code == 2:
        assert len(unwrapped(done.stderr).splitlines()) == 1, shown
        assert len(done.stderr) < 600, shown
    assert files(directory) - before <= {"out.html"}, shown


@pytest.mark.parametrize(("place", "change"), HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.sample(fast=3, slow=9)
def test_what_is_of_another_shape_is_one_sentence(run, tmp_path, place, change):
    """Exit code 2 of each command that reads it, and none of those that do not."""
    forge(run, place, change)
    before, codes = files(tmp_path), []

    for command in READERS[:-1]:
        done = CliRunner().invoke(group, command)
        check(done, command, before, tmp_path)
        codes.append(done.exit_code)

    assert 2 in codes or place[0] == "meta"


@pytest.mark.slow
def test_a_whole_run_is_read_as_ever(run):
    """Nothing is of another shape in what Arena writes."""
    assert [CliRunner().invoke(group, command).exit_code for command in READERS] == [0] * len(READERS)


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT {} FROM c"
STRUCTURES: Mapping[str, str] = {
    "a view": "ALTER TABLE {0} RENAME TO kept; CREATE VIEW {0} AS {1};",
    "a view in its place": "DROP TABLE {0}; CREATE VIEW {0} AS {1};",
    "a view beside it": "CREATE VIEW more AS {1};",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON {0} BEGIN DELETE FROM sums; END;",
    "an index": "CREATE INDEX i ON {0}(checksum);",
    "another column": "ALTER TABLE {0} ADD COLUMN more TEXT;",
    "a table beside it": "CREATE TABLE more (x);",
}


@pytest.mark.parametrize("table", ["records", "meta", "plans"])
@pytest.mark.parametrize("statements", STRUCTURES.values(), ids=STRUCTURES.keys())
@pytest.mark.sample(fast=4, slow=12)
@pytest.mark.timeout(60)
def test_a_journal_of_another_structure_is_never_read(run, tmp_path, statements, table):
    """A view that never ends, a trigger, a column more: one sentence, at once; the others of a list are as ever."""
    shutil.copytree(run, tmp_path / "runs" / "sound")
    shutil.copytree(run, tmp_path / "runs" / "forged")
    columns = ", ".join(next(each for each in SUMMED if each.name == table).names)
    endless = ENDLESS.format(", ".join(f"x AS {name.strip()}" for name in f"{columns}, checksum".split(",")))
    with closing(sqlite3.connect(tmp_path / "runs" / "forged" / FILE, isolation_level=None)) as database:
        database.executescript(statements.format(table, endless))
    before, began = files(tmp_path), time.monotonic()

    for command in READERS[:-1]:
        done = CliRunner().invoke(group, [part if part != "run" else "runs/forged" for part in command])
        check(done, command, before, tmp_path)
        assert done.exit_code == 2
        assert "its tables are not those of schema" in unwrapped(done.stderr)
    listed = json.loads(CliRunner().invoke(group, ["runs", "--json"]).stdout)["runs"]

    assert {Path(each["directory"]).name: each["state"] for each in listed} == {"sound": "done", "forged": "damaged"}
    assert time.monotonic() - began < 30


def test_a_run_told_with_another_result_is_an_error_that_names_both(run, tmp_path):
    """Two copies of one run, one of them changed with its checksums: the leaderboard believes neither."""
    shutil.copytree(run, tmp_path / "forged")
    forge(tmp_path / "forged", RECORD, lambda r: {**r, "ending": "rules", "gone": [], "returns": [0.0, 0.0]})

    done = CliRunner().invoke(group, ["leaderboard", "run", "forged"])

    said = unwrapped(done.stderr)
    assert done.exit_code == 2, done.output
    assert "run and forged" in said
    assert "tell the same match with different results" in said


VALUES = (None, 1, -1, 1.5, True, "x", "", [], {}, [1], {"a": 1}, "[red]\x1b[31m", 10**30, [[[]]], ["x"])


def places(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything in JSON, of lists only the first items."""
    yield path
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from places(value, (*path, key))
    elif isinstance(plain, list):
        for number, value in enumerate(plain[:3]):
            yield from places(value, (*path, number))


def without(plain: Any, path: tuple[Any, ...]) -> Any:
    """A copy of JSON in which nothing is at ``path``."""
    made = inner = copy.deepcopy(plain)
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return made


@pytest.mark.campaign
@pytest.mark.timeout(1_800)
def test_any_value_in_the_place_of_any_other(played, tmp_path, monkeypatch):
    """Two hundred changes at random places, read by every command, harm nobody."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(SEED)
    tables = [("meta", "value"), RECORD, PLAN, ("answers", "value"), ("answers", "request")]
    for _ in range(200):
        place = rng.choice(tables)

        def change(plain: Any) -> Any:
            path = rng.choice(list(places(plain)))
            return without(plain, path) if path and rng.random() < 0.2 else put(*path, rng.choice(VALUES))(plain)

        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        shutil.copytree(played / "run", tmp_path / "run")
        forge(tmp_path / "run", place, change)
        shutil.copytree(tmp_path / "run", tmp_path / "kept")
        for command in READERS:
            before = files(tmp_path)
            check(CliRunner().invoke(group, command), command, before, tmp_path)
        shutil.rmtree(tmp_path / "kept")


NAMES = {
    "markup": "[red]x[/]",
    "html": "<script>alert(1)</script>",
    "latex": "\\input{secret}$x_",
    "formula": "=HYPERLINK(1)",
    "up": "..",
    "surprise": "a\u202eb",
    "percent": "%s%n",
    "long": "x" * 300,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
@pytest.mark.sample(fast=1, slow=3)
def test_names_are_shown_and_lead_nowhere(tmp_path, monkeypatch, name):
    """Games and agents may be called anything that their rules allow; nothing is written elsewhere because of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    plain = {"name": "names", "games": {name: "tic-tac-toe"}, "agents": {name: "random", "b": "first-legal"}}
    Path("b.yaml").write_text(json.dumps(plain))

    done = CliRunner().invoke(group, ["run", "b.yaml", "--output", "run", "--quiet"])
    if done.exit_code == 2:  # a name that is not allowed
        assert len(unwrapped(done.stderr).splitlines()) <= 2
        return
    for form in ("html", "markdown", "latex", "figures", "vega"):
        assert CliRunner().invoke(group, ["report", "run", "--format", form, "-o", f"out.{form}"]).exit_code == 0, form
    page = Path("out.html").read_text()

    assert {path.name for path in tmp_path.iterdir()} == {"in"}
    assert {path.name for path in Path().iterdir()} <= {
        "b.yaml",
        "run",
        "out.html",
        "out.markdown",
        "out.latex",
        "out.figures",
        "out.vega",
    }
    assert "<script>alert(1)" not in page
    assert "\\input{secret}" not in Path("out.latex").read_text()

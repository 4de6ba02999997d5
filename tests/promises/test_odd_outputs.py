"""What others have said goes into tables and terminals as text, whatever reads it there."""

import csv
import io
import json
import os
import subprocess

import pytest
from arena_cli.output.signs import ERRORS, adapt_streams, plain_signs
from arena_report import from_spreadsheet, spreadsheet_row

FORMULAS = ("=1+1", "=HYPERLINK(1)", "+1+1", "-1-1", "-x", "@SUM(A1)", "\t=1", "\r=1", "=", "-", "+", "@", "\t", "--5")
TEXTS = ("", "x", "1", "-1", "+1.5", "-1e9", "-inf", "'=1", "a=1", " =1", "'", "0x1F", "\u2212x")


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_formula_is_a_text(cell):
    """What a spreadsheet would run has an apostrophe in front, and is found again without it."""
    assert spreadsheet_row({"a": cell}) == {"a": f"'{cell}"}
    assert from_spreadsheet(f"'{cell}") == cell


@pytest.mark.parametrize("cell", [*TEXTS, None, -1, -1.5, True])
def test_what_is_no_formula_stays(cell):
    """Numbers and other texts are written as they are."""
    assert spreadsheet_row({"a": cell}) == {"a": cell}
    if isinstance(cell, str) and not cell.startswith("'="):
        assert from_spreadsheet(cell) == cell


@pytest.mark.slow
def test_names_in_an_export_are_no_formulas(arena, tmp_path):
    """An agent that is called like a formula is a text in the CSV of a run and of a leaderboard, and keeps its name."""
    agents = {"=HYPERLINK(1)": "random", "-2": "first-legal"}
    (tmp_path / "b.yaml").write_text(json.dumps({"name": "x", "games": {"@g": "tic-tac-toe"}, "agents": agents}))
    assert arena("run", "b.yaml", "--output", "run", "--quiet").returncode == 0

    exported = arena("export", "run", "--format", "csv", "--output", "-").stdout
    arena("leaderboard", "run", "--format", "submission", "--output", "s.csv")
    again = arena("leaderboard", "s.csv", "--format", "json").stdout

    row, *_ = csv.DictReader(io.StringIO(exported))
    assert row["game"] == "'@g"
    assert {row["player_0"], row["player_1"]} == {"'=HYPERLINK(1)", "-2"}
    assert '"=HYPERLINK(1)"' in again
    assert "'=HYPERLINK" not in again


@pytest.mark.parametrize("encoding", ["ascii:strict", "latin-1:strict", "utf-8"])
@pytest.mark.sample(slow=1)
def test_other_signs_where_some_are_missing(program, tmp_path, encoding):
    """Each command writes to a terminal or pipe of any encoding, and in that encoding."""
    agents = {"ü": "random", "王": "first-legal"}
    (tmp_path / "b.yaml").write_text(json.dumps({"name": "x", "games": {"g": "tic-tac-toe"}, "agents": agents}))
    shown: list[str] = []
    for command in ("run b.yaml --output run", "report run --full", "replay run --match 1", "--help"):
        done = subprocess.run(
            [str(program), *command.split()],
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout.decode(encoding.partition(":")[0]) + done.stderr.decode(encoding.partition(":")[0]))

    expected = {"ascii:strict": "u", "latin-1:strict": "ü", "utf-8": "ü"}[encoding]
    assert f"{expected} " in shown[1]
    assert ("\\u738b" in shown[1]) == (encoding != "utf-8")


def test_signs_that_take_the_place_of_others():
    """They look alike where there is one, and are told by their number where there is none."""
    assert plain_signs("─│┌ 1 ± 2 … “é” → ×") == '-|+ 1 +- 2 ... "e" -> x'
    assert plain_signs("王") == "\\u738b"
    adapt_streams()
    assert "a─é".encode("ascii", ERRORS) == b"a-e"
    assert "a─é".encode("latin-1", ERRORS) == b"a-\xe9"
    assert "a─é".encode("arena-ascii") == b"a-e"

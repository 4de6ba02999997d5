"""Agents with spaces, commas, brackets and umlauts in their names survive every command and every export."""

import csv
import json
from html import unescape

import pytest
from arena_engine.journal.journal import Journal

PLAIN = ("Müller, K. [v2]", "a,b", "50 % & <b>", 'x "q" | y = {z} #')
SWEPT = ("tree (simulations=2)", "tree (simulations=5)")
NAMES = {*PLAIN, *SWEPT}

BENCH = f"""
name: odd
seed: 3
games: {{ttt: tic-tac-toe}}
agents: {json.dumps(dict.fromkeys(PLAIN, "random") | {"tree": "mcts"}, ensure_ascii=False)}
sweep: {{agents.tree.simulations: [2, 5]}}
schedule: {{use: round-robin, repeats: 1}}
metrics: [outcomes]
"""


@pytest.fixture(scope="module")
def run(arena_anywhere, tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.yaml").write_text(BENCH, "utf-8")
    done = arena_anywhere("run", folder / "odd.yaml", "-o", folder / "run", "-q")
    assert done.exit_code == 0, done.stderr
    return folder / "run"


def test_exports_have_the_names(arena, run):
    """CSV and JSON lines hold each name as it is written."""
    rows = list(csv.DictReader(arena("export", run, "--format", "csv", "-o", "-").stdout.splitlines()))
    lines = [json.loads(line) for line in arena("export", run, "--format", "jsonl", "-o", "-").stdout.splitlines()]

    assert {row[f"player_{p}"] for row in rows for p in (0, 1)} == NAMES
    assert {name for line in lines for name in line["players"]} == NAMES
    assert len({row["id"] for row in rows}) == len({row["pairing"] for row in rows}) * 2 == 30


def test_reports_have_the_names(arena, run, tmp_path):
    """Each form escapes what means something in it, and shows the rest."""
    shown = {form: arena("report", run, "--format", form).stdout for form in ("markdown", "latex")}
    page = tmp_path / "page.html"
    arena("report", run, "--format", "html", "-o", page)
    rows = json.loads(arena("report", run, "--json").stdout)["verdict"]["parts"][0]["rows"]

    assert {row["agent"] for row in rows} == NAMES
    assert all(name in unescape(page.read_text("utf-8")) for name in NAMES)
    assert "50 % & <b>" not in page.read_text("utf-8")
    assert all(word in shown["markdown"] for word in (r"Müller, K. \[v2\]", r"50 % \& \<b\>", r"y = \{z\} \#"))
    assert all(word in shown["latex"] for word in (r"Müller, K. {[}v2{]}", r"50 \% \&", r"y = \{z\} \#"))


@pytest.mark.parametrize("name", sorted(NAMES))
def test_filters_and_resume_take_the_names(arena, run, tmp_path, name):
    """``--agent`` chooses an agent by its name, and a run can be played on."""
    done = arena("run", run.parent / "odd.yaml", "--agent", name, "--agent", "tree", "-o", tmp_path / "run", "-q")
    again = arena("resume", tmp_path / "run", "-q")

    assert (done.exit_code, again.exit_code) == (0, 0), done.stderr + again.stderr
    with Journal.open(tmp_path / "run") as journal:
        assert {agent for record in journal.records() for agent in record.agents} == {name, *SWEPT}


def test_leaderboard_has_the_names_of_the_run(arena, run):
    """A sweep's agents are called on the leaderboard as in the report, in tables by agent too."""
    rows = json.loads(arena("leaderboard", run, "--json").stdout)["rows"]
    table = arena("leaderboard", run, "--format", "csv", "--by", "agent").stdout

    assert set(SWEPT) < {row["agent"] for row in rows}
    assert {row[0] for row in list(csv.reader(table.splitlines()))[1:]} == NAMES


def test_a_branch_takes_names_with_commas(arena, run, tmp_path):
    """Names of players are told apart by commas that no space follows."""
    names = ("--branch", "Müller, K. [v2],a%2Cb")
    said = arena("replay", run, "--match", "1", "--turn", "2", *names, "-o", tmp_path / "b")

    assert said.exit_code == 0, said.stderr
    with Journal.open(tmp_path / "b") as journal:
        assert [record.agents for record in journal.records()] == [("Müller, K. [v2]", "a,b")]

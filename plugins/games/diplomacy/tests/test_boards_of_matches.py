"""The board in what is made of a run: in ``arena replay`` and in the HTML report."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

BENCHMARK = """
seed: 1
games: {solo: {use: diplomacy, last-year: 1901, negotiation-rounds: 1, players: 2}}
agents: {one: random, two: first-legal}
schedule: round-robin
"""


@pytest.fixture
def run(arena) -> str:
    Path("solo.yaml").write_text(BENCHMARK, "utf-8")
    assert arena("run", "solo.yaml", "-q", "-o", "run").exit_code == 0
    return "run"


def test_replay_writes_the_board_of_each_step(arena, run):
    """Each step of a match has its board, after the orders that led to it, and the page of a turn names the file."""
    done = arena("replay", run, "-m", 1, "--form", "map", "-o", "boards")

    assert done.exit_code == 0, done.stderr
    files = sorted(Path("boards").iterdir())
    boards = [path.read_text("utf-8") for path in files]
    assert all(ElementTree.fromstring(board).tag.endswith("svg") for board in boards)
    assert "Spring 1901, movement" in boards[0]
    assert any("after Spring 1901, movement" in board for board in boards)
    assert any("<title>AUSTRIA: A " in board for board in boards)
    assert all(f"[{path}: " in done.stdout for path in files)


@pytest.mark.campaign
def test_html_report_has_the_board_of_each_phase(arena, run):
    """Steps in which only messages are sent have no board of their own; the last board is open."""
    assert arena("report", run, "--format", "html", "-o", "r.html").exit_code == 0

    page = Path("r.html").read_text("utf-8")
    captions = re.findall(r"<summary>step \d+: ([^<]*)</summary>", page)
    expected = ["Spring 1901, movement", "Fall 1901, movement, after Spring 1901, movement"]
    assert captions[:2] == captions[len(captions) // 2 :][:2] == expected  # of both matches
    assert len(captions) == 2 * len(set(captions))
    assert page.count('<details class="board" open>') == 2
    assert page.count('id="shape-0"') == 1
    assert page.count("<script>") == 1

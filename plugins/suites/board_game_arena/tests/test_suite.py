"""The suite as it is shipped, and its logs in the original's columns."""

import csv
import re
import sqlite3
from pathlib import Path

import pytest
from arena.catalog import Catalog
from arena_cli.application.group import group
from arena_engine import Journal
from arena_engine.benchmark.documents import suites
from arena_suite_board_game_arena.logs import MERGED, TABLES
from click.testing import CliRunner

GAMES = {
    *("tic-tac-toe", "connect-four", "kuhn-poker", "prisoners-dilemma", "matching-pennies", "rock-paper-scissors"),
}


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


_AGENTS = """
agents:
  random: random
  talker:
    use: llm
    constrained: false
    prompt: {style: STYLE}
    backend:
      use: scripted
      answers:
        - '{"reasoning": "I don''t know", "action": 99}'
        - '{"reasoning": "I don''t know, I guess", "action": 1}'
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The suite with other agents: one that plays at random, and one that reasons and names a square there is not."""
    directory = tmp_path_factory.mktemp("suite")
    (directory / "mine.yaml").write_text(_AGENTS.replace("STYLE", str(Path(__file__).with_name("numbers.yaml"))))
    done = arena(
        "run", "suite:board-game-arena", "--agents", directory / "mine.yaml", "-n", 2, "-q", "-o", directory / "run"
    )
    assert done.exit_code == 0, done.stderr
    return directory / "run"


@pytest.fixture(scope="module")
def logs(run, tmp_path_factory):
    """The logs exported from the run, in a directory."""
    directory = tmp_path_factory.mktemp("logs") / "bga"
    done = arena("export", run, "--format", "board-game-arena", "-o", directory)
    assert done.exit_code == 0, done.stderr
    return directory


@pytest.fixture(scope="module")
def records(run):
    """The records of the run's matches, in order."""
    with Journal.open(run) as journal:
        return list(journal.records())


def table(path, name):
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(f"SELECT * FROM {name} ORDER BY id")]


@pytest.mark.slow
def test_suite_is_listed_and_needs_no_key():
    """It is found by name, plays the six games, and its own agents are the embedded model and random play."""
    (listed,) = [suite for suite in suites(Catalog()) if suite.name == "board-game-arena"]

    done = arena("run", "suite:board-game-arena", "--dry-run")

    assert listed.dist == "playarena-suite-board-game-arena"
    assert done.exit_code == 0, done.stderr
    assert "60 matches" in done.output
    assert "$0" in done.output
    assert all(game in done.output for game in GAMES)


def test_suite_plays_any_agents(records):
    """All six games are played by the agents given, in both seats, whatever they say."""
    assert {record.game for record in records} == GAMES
    assert {record.agents for record in records} == {("random", "talker"), ("talker", "random")}
    assert all(record.ending.is_result for record in records)


def test_databases_have_the_columns_of_the_original(logs):
    """Each agent has a database with four tables, and each table all columns."""
    assert {path.name for path in logs.glob("*.db")} == {"random.db", "talker.db"}
    for path in logs.glob("*.db"):
        with sqlite3.connect(path) as database:
            found = {name: [c[1] for c in database.execute(f"PRAGMA table_info({name})")] for name in TABLES}
        assert found == {name: ["id", *columns] for name, columns in TABLES.items()}


def test_every_move_is_logged(logs, records):
    """Actions, opponents and reasons, apostrophes included, are those of the journal, in its order."""
    played = [
        (record.game, event.data["action"], event.data.get("reasoning"))
        for record in records
        for event in record.played()
        if record.agents[event.player] == "talker"
    ]

    moves = table(logs / "talker.db", "moves")

    assert [(m["game_name"], m["action"], m["reasoning"]) for m in moves] == played
    assert "I don't know, I guess" in {m["reasoning"] for m in moves}
    assert {m["opponent"] for m in moves} == {"random"}
    assert {(m["agent_type"], m["seed"]) for m in moves} == {("llm", 42)}
    assert all(m["board_state"] for m in moves)


def test_every_illegal_move_is_logged(logs, records):
    """What could not be played is there with its reason, and what was played in its place is marked."""
    refused = [e for record in records for e in record.refused()]

    illegal = table(logs / "talker.db", "illegal_moves")

    assert len(illegal) == len(refused) > 0
    assert {row["illegal_action"] for row in illegal} >= {99}
    assert [row["reason"] for row in illegal] == [event.data["reason"] for event in refused]
    assert table(logs / "random.db", "illegal_moves") == []


def test_results_are_logged(logs, records):
    """Rewards and status match by match, counted within each game."""
    results = table(logs / "random.db", "game_results")

    assert [row["reward"] for row in results] == [r.returns[r.agents.index("random")] for r in records]
    assert [row["reward"] for row in table(logs / "random.db", "rewards")] == [row["reward"] for row in results]
    assert {row["status"] for row in results} == {"terminated"}
    assert [row["episode"] for row in results if row["game_name"] == "kuhn-poker"] == [1, 2, 3, 4]


def test_tables_by_game_hold_all_agents(logs, records):
    """One CSV file for each game: the moves of everybody in the order of play, with what came of them."""
    assert {path.name for path in logs.glob("*.csv")} == {f"merged_logs_{game}.csv" for game in GAMES}
    with (logs / "merged_logs_tic-tac-toe.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))

    told = [
        (record.id, str(event.player), event.data["label"], event.data["by"])
        for record in records
        if record.game == "tic-tac-toe"
        for event in record.played()
    ]
    assert [(row["match"], row["player"], row["label"], row["by"]) for row in rows] == told
    assert list(rows[0]) == list(MERGED)
    assert {row["by"] for row in rows if row["agent_name"] == "talker"} == {"agent", "random"}


def test_board_is_the_one_before_the_move(logs):
    """The first player of tic-tac-toe saw an empty board, the second one a mark."""
    with (logs / "merged_logs_tic-tac-toe.csv").open(newline="") as file:
        first, second, *_ = list(csv.DictReader(file))

    assert first["board_state"] != second["board_state"]
    assert "X" in second["board_state"].replace("You play X", "")


def test_perfect_play_is_told_which_game_to_leave_out_and_plays_the_others(tmp_path):
    """`optimal` has no solver for the prisoner's dilemma; the refusal names it, and what it says to write works."""
    agents = tmp_path / "agents.yaml"
    agents.write_text("agents: {optimal: optimal, random: random}")
    command = ("run", "suite:board-game-arena", "--agents", agents, "-n", 1, "--dry-run")

    refused = arena(*command)
    advice = re.search(r"game is 'prisoners-dilemma', and (--set) (\S+) plays", " ".join(refused.stderr.split()))

    assert refused.exit_code == 2
    assert advice
    played = arena(*command, *advice.groups())
    assert played.exit_code == 0, played.stderr
    assert all(f"{game}: 2 matches" in played.output for game in GAMES - {"prisoners-dilemma"})

"""The original's published files, read for the leaderboard and as a run; the files are written in their likeness."""

import csv
import io
import json
from itertools import permutations

import pytest
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from arena_suite_grid_games.games import GAME
from click.testing import CliRunner

from .published_files import COLUMNS, write

PAIRS = (("one", "two"), ("two", "one"))


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


def imported(files, output):
    done = arena("import", "llm-game-benchmark", *files, "-o", output)
    assert done.exit_code == 0, done.stderr
    return " ".join(done.stderr.split())


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The bulk files of tic-tac-toe and connect four: games, moves as CSV and as JSON, submissions."""
    directory = tmp_path_factory.mktemp("published")
    return {game: write(directory, game, "list", PAIRS) for game in ("tic-tac-toe", "connect-four")}


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_each_form_of_a_file_gives_the_same_results(files, tmp_path, game, which):
    """Games, moves as CSV and moves as JSON by their keys say the same; so do all of them together, once."""
    imported([files[game][which]], tmp_path / "one.csv")
    said = imported(files[game], tmp_path / "all.csv")

    same = [c for c in COLUMNS if c not in ("UUID", "PromptVersion", "ProviderEmail", "DateTime")]
    same += ["Games", "Cancelled", "InvalidMoves-1st", "InvalidMoves-2nd"]
    one, every = (
        sorted(tuple(row[c] for c in same) for row in rows(tmp_path / name)) for name in ("one.csv", "all.csv")
    )
    assert one == every
    assert "2 results of 9 matches; 2 were there twice" in said


def test_moves_and_a_submission_of_the_same_games_count_once(files, tmp_path):
    """A file of moves alone does not tell its sessions; its games are those of the submission made after them."""
    said = imported(files["tic-tac-toe"][2:], tmp_path / "all.csv")

    found = rows(tmp_path / "all.csv")
    assert [row["UUID"] for row in found] == [f"session-tic-tac-toe-list-{'-'.join(pair)}" for pair in PAIRS[::-1]]
    assert "2 were there twice" in said


def test_network_errors_are_told_and_in_no_rate(files, tmp_path):
    """They have a column of their own, one line says how many they are, and nothing else counts them."""
    said = imported(files["tic-tac-toe"][:1], tmp_path / "all.csv")

    found = {(row["LLM1stPlayer"], row["LLM2ndPlayer"]): row for row in rows(tmp_path / "all.csv")}
    assert "1 game ended in a network error" in said
    assert [(found[pair]["Games"], found[pair]["NoResult"]) for pair in PAIRS] == [("4", "1"), ("5", "0")]
    assert {row["Cancelled"] for row in found.values()} == {"0"}
    shown = arena("leaderboard", tmp_path / "all.csv", "--format", "lines", "--by", "agent").stdout
    assert "no result" in shown


CONTRADICTING = [
    {"wins": (2, 0), "out": (0, 3), "ratios": ("0.2", "0")},
    {"wins": (0, 1), "out": (4, 0), "ratios": ("0", "0")},
    {"wins": (1, 0), "out": (0, 4), "ratios": ("0.2", "0")},
]


def test_outcomes_decide(tmp_path):
    """Every row has as many games as outcomes; a ratio that says otherwise is named once, with its row and numbers."""
    board = []
    for number, row in enumerate(CONTRADICTING):
        counts = (*row["wins"], *row["out"], 0, 0, 0, 9, 9)
        values = ("gomoku", "list", "2024-06-12", f"a{number}", "b", *row["ratios"], *counts, "", "240617-1", number)
        board.append(dict(zip(COLUMNS, map(str, values), strict=True)))
    (tmp_path / "leaderboard-data.json").write_text(json.dumps(board))

    said = imported([tmp_path / "leaderboard-data.json"], tmp_path / "old.csv")

    assert "3 results of 15 matches" in said
    assert {row["Cancelled"] for row in rows(tmp_path / "old.csv")} == {"0"}
    assert said.count("row 1: WinRatio-1st is 0.2, its outcomes give 2 of 5 matches, 0.4;") == 1
    assert said.count("row 2: WinRatio-2nd is 0, its outcomes give 1 of 5 matches, 0.2;") == 1
    assert "row 3" not in said


@pytest.mark.parametrize("keys", [("LLM1stPlayer", "LLM2ndPlayer", "PromptType"), ("LLM1stPlayer",)])
def test_sums_of_a_leaderboard_are_left_out_with_what_they_are(files, tmp_path, keys):
    """Files that sum a leaderboard up by game or model are named, and their sums are not added to their parts."""
    sums = dict.fromkeys(keys, "one") | {"Wins-1st": 12, "Draws": 0, "InvalidMoves-1st": 48}
    (tmp_path / "leaderboard-data-agg-gametype.json").write_text(json.dumps([sums]))

    said = imported([*files["tic-tac-toe"], tmp_path / "leaderboard-data-agg-gametype.json"], tmp_path / "all.csv")

    assert "leaderboard-data-agg-gametype.json: left out, since it sums up a leaderboard" in said
    assert "2 results of 9 matches" in said


MOVE = {"MoveNumber": 1, "CurrentStatus": "", "Response": ""}


def moves(*told):
    """Moves of a game of tic-tac-toe: player, row and column, each ``Valid`` unless it says otherwise."""
    return [
        MOVE | {"Player": p, "Row": r, "Column": c, "Outcome": (*outcome, "Valid")[0]} for p, r, c, *outcome in told
    ]


WON = moves((1, 1, 1), (2, 2, 1), (1, 1, 2), (2, 1, 1, "Already Taken"), (2, 2, 2), (1, 1, 3))


@pytest.mark.parametrize("directory", [False, True])
def test_names_with_underscores_need_another_file(tmp_path, directory):
    """Where a key does not say whose name ends where, other files do; without one it is a mistake that says so."""
    key = "Moves_tic-tac-toe_list_my_model_v2_other_winner1st_240617-103605"
    (tmp_path / "moves.json").write_text(json.dumps({key: WON}))
    alone = arena("import", "llm-game-benchmark", tmp_path / "moves.json", "-o", tmp_path / "old.csv")
    values = (
        *("s", "240617-103605", "tic-tac-toe", "list", "2024-06-12", 1, "my_model_v2", "other", "winner1st", 3, 6, 3),
        *(3, 3, 0, 0, 1, 0, 0, 0, 0),
    )
    table = ",".join(GAME) + "\n" + ",".join(map(str, values)) + "\n"
    (tmp_path / "x_all.csv").write_text(table)

    output = tmp_path / ("run" if directory else "both.csv")
    said = imported([tmp_path / "moves.json", tmp_path / "x_all.csv"], output)

    assert alone.exit_code == 2
    assert "give the file …_all.csv" in " ".join(alone.stderr.split())
    assert ("1 match with its moves" if directory else "1 result of 1 match") in said


def test_moves_become_a_run(files, tmp_path):
    """Each game with moves is a match with the actions, refusals and ending that the file tells."""
    said = imported([each for own in files.values() for each in own], tmp_path / "run")

    with Journal.open(tmp_path / "run") as journal:
        records = list(journal.records())
    assert "18 matches with their moves" in said
    assert len(records) == 20
    lost = [record for record in records if not record.ending.is_result]
    assert {record.ending for record in lost} == {Ending.INFRASTRUCTURE_FAILURE}
    told = rows(files["tic-tac-toe"][0]) + rows(files["connect-four"][0])
    assert sum(int(row["TotalMoves"]) for row in told) == sum(len([*r.played(), *r.refused()]) for r in records)
    assert sum(r.ending is Ending.DISQUALIFIED for r in records) == sum("disq" in row["Result"] for row in told)
    assert {agent for record in records for agent in record.agents} == {"one", "two"}


def test_games_that_nobody_was_shown_become_a_run(tmp_path):
    """Our own export writes `-` as the form of matches between agents that look at none; it is read again."""
    imported(write(tmp_path, "tic-tac-toe", "-", PAIRS), tmp_path / "run")

    with Journal.open(tmp_path / "run") as journal:
        agents = {agent for record in journal.records() for agent in record.agents}
    assert agents == {"one", "two"}


@pytest.mark.slow
def test_report_of_an_imported_run_has_the_papers_figures(files, tmp_path):
    """Missed wins and blocks, moves and outcomes come from the moves, as in a run that was played here."""
    imported(files["tic-tac-toe"], tmp_path / "run")

    shown = arena("report", tmp_path / "run", "--json")
    checked = arena("verify", tmp_path / "run")

    assert shown.exit_code == 0, shown.stderr
    titles = {table["title"] for section in json.loads(shown.stdout)["sections"] for table in section["tables"]}
    assert {"Outcomes by seat", "Moves", "Missed wins", "Missed blocks"} <= titles
    assert checked.exit_code == 0, checked.stderr


@pytest.mark.slow
def test_a_run_and_a_table_of_the_same_games_count_once(files, tmp_path):
    """The leaderboard counts published games once, as a table and as a run, and says which two hold them."""
    imported(files["tic-tac-toe"], tmp_path / "games.csv")
    imported(files["tic-tac-toe"], tmp_path / "run")

    alone = json.loads(arena("leaderboard", tmp_path / "run", "--json").stdout)
    both = json.loads(arena("leaderboard", tmp_path / "run", tmp_path / "games.csv", "--json").stdout)
    shown = " ".join(arena("leaderboard", tmp_path / "run", tmp_path / "games.csv").stdout.split())
    lines = json.loads(
        arena("leaderboard", tmp_path / "run", tmp_path / "games.csv", "--format", "lines", "--json").stdout
    )

    assert both["rows"] == alone["rows"]
    assert {row["agent"] for row in alone["rows"]} == {"one", "two"}
    assert [(len(each["matches"]), set(each["sources"])) for each in both["duplicates"]] == [(9, {"run", "games.csv"})]
    assert "9 matches (run, games.csv): counted once" in shown
    assert sum(int(line["Games-1st"]) for line in lines["lines"]) == 9


def test_games_of_a_table_that_a_run_lacks_are_told(files, tmp_path):
    """A result of which a run holds some games does not count beside it; how many others there are is said."""
    imported(files["tic-tac-toe"], tmp_path / "games.csv")
    imported([files["tic-tac-toe"][1]], tmp_path / "whole.csv")
    few = json.loads(files["tic-tac-toe"][2].read_text("utf-8"))
    (tmp_path / "few.json").write_text(json.dumps(dict(list(few.items())[-2:])))
    imported([tmp_path / "few.json"], tmp_path / "run")

    shown = json.loads(arena("leaderboard", tmp_path / "run", tmp_path / "games.csv", "--json").stdout)

    assert {"why": "of results whose other matches are in a run", "matches": 3} in shown["left_out"]


def test_imported_run_is_not_played_on(files, tmp_path):
    """What ended in a network error stays without a result, since nobody is there to play it again."""
    imported(files["tic-tac-toe"], tmp_path / "run")

    done = arena("resume", tmp_path / "run", "-q")

    assert "cannot play" in " ".join((done.stdout + done.stderr).split())
    with Journal.open(tmp_path / "run") as journal:
        assert sum(not record.ending.is_result for record in journal.records()) == 1


@pytest.mark.parametrize(
    ("told", "result", "said"),
    [
        (WON, "winner2nd", "it says winner2nd, and its moves end in a win of player 1"),
        (WON[:3], "draw", "it says draw, and its moves end in an unfinished game"),
        (moves((1, 1, 1), (2, 1, 1)), "draw", "move 2 is called valid, and row 1, column 1 is already taken"),
        (moves((2, 1, 1)), "draw", "move 1 is of player 2, who is not to move"),
        (WON[:3], "disqualified2nd", "that one's last move was not refused"),
    ],
)
def test_moves_that_contradict_the_rules_are_left_out(tmp_path, told, result, said):
    """A game that cannot have been played so is named with the move, and is in no run."""
    stem = "tic-tac-toe_list_one_two"
    good = {f"Moves_{stem}_winner1st_240617-103605": WON}
    bad = {f"Moves_{stem}_{result}_240617-103700": told}
    (tmp_path / "moves.json").write_text(json.dumps(good | bad))

    found = imported([tmp_path / "moves.json"], tmp_path / "run")

    assert said in found
    assert "1 match with its moves" in found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"Moves_tic-tac-toe": []}, "expected a key such as"),
        ({"Moves_tic-tac-toe_list_one_two_winner1st_240617-103605": {}}, "expected a list of moves"),
        ({"Moves_tic-tac-toe_list_one_two_winner1st_240617-103605": [3]}, "expected a list of objects"),
        ({"Moves_tic-tac-toe_list_one_two_winner1st_240617-103605": [{"Player": 1}]}, "no Row, Column, Outcome"),
        ({"Moves_tic-tac-toe_list_one_two_winner1st_240617-103605": [WON[0] | {"Outcome": "Odd"}]}, "is 'Odd'"),
        ({"Moves_tic-tac-toe_list_one_two_winner1st_240617-103605": [WON[0] | {"Player": 3}]}, "Player is 3"),
    ],
)
def test_broken_files_of_moves_are_a_mistake(tmp_path, content, said):
    """The file, the key and what was expected are said, and nothing is written."""
    (tmp_path / "moves.json").write_text(json.dumps(content))

    done = arena("import", "llm-game-benchmark", tmp_path / "moves.json", "-o", tmp_path / "old.csv")

    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert not (tmp_path / "old.csv").exists()


def test_results_without_moves_make_no_run(files, tmp_path):
    """Without any moves there is no run, and what to give instead is said."""
    done = arena("import", "llm-game-benchmark", files["tic-tac-toe"][3], "-o", tmp_path / "run")

    assert done.exit_code == 2
    assert "no game with its moves" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["report", "audit", "replay"])
def test_table_of_results_is_no_run(files, tmp_path, command):
    """Who gives what was imported as CSV to a command that reads runs is told where it goes."""
    imported(files["tic-tac-toe"], tmp_path / "old.csv")

    done = arena(command, tmp_path / "old.csv")

    said = " ".join(done.stderr.split())
    assert done.exit_code == 2
    assert "this is a file and no run" in said
    assert "arena leaderboard" in said


def test_all_pairs_of_a_form_are_in_one_file(tmp_path):
    """Six agents in every order make thirty results of five games."""
    pairs = list(permutations(("three", "four", "five", "six", "seven", "eight"), 2))
    paths = write(tmp_path, "tic-tac-toe", "illustration", pairs)

    assert "30 results of 150 matches" in imported(paths[2:3], tmp_path / "all.csv")

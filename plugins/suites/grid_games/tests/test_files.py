"""The original's files: written with its names and columns, and read back."""

import csv
import io
import json
import zipfile

import pytest
from arena_cli.application.group import group
from arena_command_leaderboard.submissions import ROW
from arena_suite_grid_games.games import GAME, MOVES
from click.testing import CliRunner
from PIL import Image


def arena(*arguments: object):
    return CliRunner().invoke(group, [str(a) for a in arguments], prog_name="arena")


@pytest.fixture(scope="module")
def files(run, tmp_path_factory):
    """The files of the run."""
    directory = tmp_path_factory.mktemp("files") / "files"
    done = arena("export", run, "--format", "llm-game-benchmark", "-o", directory)
    assert done.exit_code == 0, done.stderr
    return directory


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


def games(files, pattern="*"):
    paths = files.glob(f"{pattern}.json")
    return {p: json.loads(p.read_text("utf-8")) for p in paths if not p.stem.endswith(("_moves", "_submission"))}


@pytest.mark.slow
def test_files_have_the_originals_names_and_columns(files):
    """Each match has its JSON, CSV, moves and text, in the original's columns and under its names."""
    assert len(games(files)) == 20
    for path, game in games(files).items():
        kind, form, first, second, result, moment = path.stem.split("_")
        assert tuple(game) == (*GAME, "Moves", "FinalGameState")
        assert (game["GameType"], game["PromptType"], game["Player1"], game["Player2"]) == (kind, form, first, second)
        assert (game["Result"], game["DateTime"]) == (result, moment)
        assert {first, second} == {"random", "talker"}
        assert game["TotalMoves"] == len(game["Moves"]) == game["Player1Moves"] + game["Player2Moves"]
        (row,) = rows(path.with_suffix(".csv"))
        assert row == {column: "" if game[column] is None else str(game[column]) for column in GAME}
        moves = rows(path.with_name(f"{path.stem}_moves.csv"))
        assert [move["MoveOutcome"] for move in moves] == [move["Outcome"] for move in game["Moves"]]
        assert all(tuple(move) == MOVES for move in moves)
        assert "Moves: " in path.with_suffix(".txt").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["list", "illustration"])
def test_bulk_files_hold_all_of_a_form(files, form):
    """Games, moves and submissions of one game and form stand in files of their own."""
    (every,) = files.glob(f"tic-tac-toe_{form}_*_all.csv")
    (told,) = files.glob(f"tic-tac-toe_{form}_*_all_moves.json")
    (moves,) = files.glob(f"tic-tac-toe_{form}_*_all_moves.csv")
    (submitted,) = files.glob(f"tic-tac-toe_{form}_*_all_submission.json")

    assert len(rows(every)) == 10
    assert all(name.startswith(f"Moves_tic-tac-toe_{form}_") for name in json.loads(told.read_text("utf-8")))
    assert len(rows(moves)) == sum(int(row["TotalMoves"]) for row in rows(every))
    rows_ = json.loads(submitted.read_text("utf-8"))
    assert rows_ == rows(submitted.with_suffix(".csv"))
    assert all(tuple(row) == ROW for row in rows_)
    assert {row["UUID"] for row in rows_} == {row["UUID"] for row in rows(every)}


@pytest.mark.slow
def test_files_say_what_was_played(files):
    """Cells, kinds of invalid moves, answers and boards are those of the match."""
    talked = games(files, "tic-tac-toe_illustration_talker_random_*").values()
    moves = [move for game in talked for move in game["Moves"]]

    assert {"Valid", "Already Taken", "Invalid Format"} <= {move["Outcome"] for move in moves}
    named = [move for move in moves if move["Response"] == "{'row': 2, 'column': 2}"]
    assert named
    assert {(move["Row"], move["Column"]) for move in named} == {(2, 2)}
    invalid = [move for move in moves if move["Outcome"] == "Invalid Format"]
    assert all((move["Row"], move["Column"], move["Response"]) == (-1, -1, "no move") for move in invalid)
    for game in talked:
        assert game["Moves"][0]["CurrentStatus"] == "eee\neee\neee"
        held = sum(move["Outcome"] == "Valid" for move in game["Moves"])
        assert sum(symbol in "XO" for symbol in game["FinalGameState"]) == held


@pytest.mark.slow
def test_pictures_show_each_move(files):
    """There is a picture before each move and one at the end, 512 pixels square."""
    path = min(files.glob("*disqualified*_moves.csv"))
    pictures = sorted(files.glob(path.name.replace("_moves.csv", "_move[0-9]*.png")))

    assert len(pictures) == len(rows(path)) + 1
    with Image.open(pictures[0]) as empty, Image.open(pictures[-1]) as last:
        assert empty.size == last.size == (512, 512)
        assert empty.convert("RGB").tobytes() != last.convert("RGB").tobytes()


@pytest.mark.slow
def test_zip_holds_all_files(run, files, tmp_path):
    """The ZIP has every other file, and equal journals give equal bytes."""
    with zipfile.ZipFile(files / "all.zip") as archive:
        assert sorted(archive.namelist()) == sorted(path.name for path in files.iterdir() if path.name != "all.zip")
    arena("export", run, "--format", "llm-game-benchmark", "-o", tmp_path / "again")

    assert (tmp_path / "again" / "all.zip").read_bytes() == (files / "all.zip").read_bytes()


@pytest.mark.slow
def test_leaderboard_knows_its_own_files(run, files, tmp_path):
    """Files read back give the leaderboard of the run, and beside the run they change nothing."""
    done = arena("import", "llm-game-benchmark", files / "all.zip", "-o", tmp_path / "back.csv")
    assert done.exit_code == 0, done.stderr

    shown = [
        arena("leaderboard", *sources, "--by", "form,agent", "--format", "csv")
        for sources in ((run,), (tmp_path / "back.csv",), (run, tmp_path / "back.csv"))
    ]

    ours, back, both = (
        [{k: v for k, v in row.items() if k != "Sources"} for row in csv.DictReader(io.StringIO(done.stdout))]
        for done in shown
    )
    assert ours == back == both
    assert "counted once" in shown[2].stderr


SUBMISSION = {
    "GameType": "tic-tac-toe",
    "PromptType": "list",
    "PromptVersion": "2024-06-12",
    "LLM1stPlayer": "one",
    "LLM2ndPlayer": "two",
    "WinRatio-1st": "0.5",
    "WinRatio-2nd": "0",
    "Wins-1st": "1",
    "Wins-2nd": "0",
    "Disqualifications-1st": "0",
    "Disqualifications-2nd": "1",
    "Draws": "0",
    "InvalidMovesRatio-1st": "0",
    "InvalidMovesRatio-2nd": "0.5714285714285714",
    "TotalMoves-1st": "7",
    "TotalMoves-2nd": "7",
    "ProviderEmail": "a@example.org",
    "DateTime": "240617-103653",
    "UUID": "session",
}
GAMES = (
    f"{','.join(GAME)}\n"
    '"session","240617-103605","tic-tac-toe","list","2024-06-12",1,"one","two","winner1st",10,5,3,2,3,0,0,0,0,0,0,0\n'
    '"session","240617-103617","tic-tac-toe","list","2024-06-12",2,"one","two","disqualified2nd",7,9,4,5,0,0,0,3,0,1,0,0\n'
)


def test_published_games_and_submissions_are_one(tmp_path):
    """Games as CSV count once beside the submission of their session; broken rows are left out and told of."""
    (tmp_path / "x_all.csv").write_text(GAMES)
    # as one published leaderboard has it, whose merging put the digits of counts beside each other
    twice = {**SUBMISSION, "UUID": "other", "Wins-1st": "11", "WinRatio-1st": 0.0000980392156862745}
    (tmp_path / "board.json").write_text(json.dumps([SUBMISSION, twice]))

    done = arena(
        "import", "llm-game-benchmark", tmp_path / "x_all.csv", tmp_path / "board.json", "-o", tmp_path / "all.csv"
    )

    assert done.exit_code == 0, done.stderr
    (row,) = rows(tmp_path / "all.csv")
    same = [column for column in ROW if not column.startswith(("Invalid", "DateTime", "Provider"))]
    assert {column: row[column] for column in same} == {column: SUBMISSION[column] for column in same}
    assert (row["Games"], row["InvalidMoves-2nd"]) == ("2", "4")
    assert "row 2" in " ".join(done.stderr.split())
    assert "do not fit" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [("a,b\n1,2\n", "neither games nor submissions"), (GAMES.replace("winner1st", "won"), "'won'"), ("[1]", "objects")],
)
def test_other_files_are_a_mistake(tmp_path, text, said):
    """What is no file of the original is refused with its name and the reason."""
    (tmp_path / "odd.csv").write_text(text)

    done = arena("import", "llm-game-benchmark", tmp_path / "odd.csv", "-o", tmp_path / "all.csv")

    assert done.exit_code == 2
    assert said in done.stderr
    assert "odd.csv" in done.stderr


def test_run_without_grid_games_has_no_files(tmp_path):
    """A run of other games cannot be written in this shape."""
    options = ("--game", "tic-tac-toe", "--agent", "random", "--agent", "first-legal", "-n", 1, "-q")
    arena("run", *options, "-o", tmp_path / "run")

    done = arena("export", tmp_path / "run", "--format", "llm-game-benchmark", "-o", tmp_path / "files")

    assert done.exit_code == 2
    assert "no match of a grid game" in done.stderr

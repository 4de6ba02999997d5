"""Games of chess as files in Portable Game Notation."""

import re

import arena
import pytest
from arena.errors import ConfigError
from arena_engine import Journal
from arena_game_openspiel.pgn import PgnExport

FEN = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 12"
SCHOLAR = ["e4", "Bc4", "Qh5", "Qxf7#"]
REPLIES = ["e5", "Nc6", "Nf6"]


def said(*moves):
    """A model that answers with these moves."""
    return {"use": "llm", "backend": {"use": "scripted", "answers": [f'{{"action": "{move}"}}' for move in moves]}}


def exported(folder, games, agents, **more):
    """The text of a file with the games of a small run."""
    plan = {"games": games, "agents": agents, "schedule": {"use": "round-robin", "rotate-seats": False}, "metrics": []}
    run = arena.run({**plan, **more}, output=folder / "run")
    with Journal.open(run.directory) as journal:
        PgnExport().write(journal, folder / "games.pgn")
    return (folder / "games.pgn").read_text("utf-8")


def test_a_finished_game(tmp_path):
    """A game has seven tags, its moves with numbers, and its result."""
    agents = {"anna": said(*SCHOLAR), "ben": said(*REPLIES)}

    text = exported(tmp_path, {"chess": "chess"}, agents)

    assert text == (
        '[Event "chess"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "1"]\n[White "anna"]\n[Black "ben"]\n[Result "1-0"]\n'
        '[Termination "normal"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n'
    )


def test_a_game_from_a_position(tmp_path):
    """A game that begins elsewhere says where, and Black's first move has its number."""
    agents = {"a": "random", "b": "random"}

    text = exported(tmp_path, {"ending": {"use": "chess", "fen": FEN}}, agents, limits={"max-steps": 3})

    assert f'[SetUp "1"]\n[FEN "{FEN}"]\n' in text
    assert re.search(r"\n\n12\.\.\. K\S+ 13\. \S+ \S+ (\*|1/2-1/2)\n", text)


def test_games_follow_one_another(tmp_path):
    """Each game of the run is there, other games are left out, and lines are short."""
    agents = {"a": "random", "b": "first-legal"}

    text = exported(tmp_path, {"chess": "chess", "other": "tic-tac-toe"}, agents, seed=3)

    assert text.count("[Event ") == text.count('[Event "chess"]') >= 1
    assert max(map(len, text.splitlines())) <= 79


def test_a_run_without_chess(tmp_path):
    """A run without chess is refused, with another format to take."""
    with pytest.raises(ConfigError, match="no game of chess"):
        exported(tmp_path, {"other": "tic-tac-toe"}, {"a": "random", "b": "first-legal"})

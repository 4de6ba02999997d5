"""What a person at a terminal sees of its own move before the others have moved, and the moves of a match in a line."""

import io
from pathlib import Path
from typing import Any

import pytest
from arena.record import MatchRecord, Player
from arena_cli.running.between_turns import OwnMoves, move_squares
from arena_engine import Journal, load_benchmark, run


def played(folder: Path, game: Any) -> tuple[Any, MatchRecord]:
    """A match of two agents that take the first of their moves: its game and its record."""
    plain = {"games": {"game": game}, "agents": {"one": "first-legal"}, "schedule": {"use": "self-play"}}
    run(plain, output=folder / "run", check=False)
    with Journal.open(folder / "run") as journal:
        return load_benchmark(plain).games["game"].game, next(iter(journal.records()))


def steps(watcher: OwnMoves, record: MatchRecord, screen: io.StringIO) -> list[str]:
    """What stands on the screen after each step of a match."""
    found: list[str] = []
    watcher.match_started(record.plan)
    for step in range(record.steps):
        screen.seek(0)
        screen.truncate()
        watcher.actions_applied([event for event in record.events if event.step == step])
        found.append(screen.getvalue())
    return found


def test_own_move_is_on_the_board_at_once(tmp_path: Path):
    """After a person's move the board is drawn with it; moves of the others, and the last one, draw nothing."""
    game, record = played(tmp_path, "tic-tac-toe")
    screen = io.StringIO()

    seen = steps(OwnMoves(game, Player(0), screen), record, screen)

    assert [bool(text) for text in seen] == [step % 2 == 0 for step in range(record.steps - 1)] + [False]
    assert "1 │ X │   │   │" in seen[0]
    assert "1 │ X │ O │ X │" in seen[2]
    assert "you played: row 1, column 1" in seen[0]
    assert "you are X" in seen[0]


def test_what_is_hidden_stays_hidden(tmp_path: Path):
    """The board after a person's move shows what that person sees."""
    game, record = played(tmp_path, "kuhn-poker")
    screen = io.StringIO()

    first, *_ = steps(OwnMoves(game, Player(0), screen), record, screen)

    assert "you played" in first
    assert "[?]" in first


@pytest.mark.parametrize(
    ("game", "squares"),
    [
        ("tic-tac-toe", "a1 b1 c1 a2 b2 c2 a3"),
        ({"use": "hex", "rows": 2, "columns": 2}, "a1 b1 a2"),
        ("kuhn-poker", ""),
    ],
)
def test_moves_are_told_by_squares(tmp_path: Path, game: Any, squares: str):
    """A match on a board is told by the squares that stand beside it; elsewhere there are none."""
    assert " ".join(move_squares(*played(tmp_path, game))) == squares

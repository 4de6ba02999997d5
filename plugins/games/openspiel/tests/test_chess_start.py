"""Chess that begins in a position of somebody's own."""

from pathlib import Path

import pytest
from arena.chance import Chance
from arena.testing import check_game
from arena_game_openspiel.board_games.chess import Chess

POSITIONS = (Path(__file__).parent / "field/chess_positions.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("fen", POSITIONS)
def test_a_match_begins_there(fen):
    """The first position is the one that was given, the rules name it, and the side to move is asked."""
    game = Chess(fen=fen)
    state, _ = game.start(Chance(0), 2)

    assert state.observe(None)["fen"].split()[0] == fen.split()[0]
    assert state.to_act() == (0,)
    assert fen in game.rules
    assert game.facts(2).random is None


def test_castling_and_en_passant_are_those_of_the_position():
    """Who may castle, and which pawn may be taken in passing, is as the position says."""
    castling, passing = (Chess(fen=fen, notation="san").start(Chance(0), 2)[0] for fen in POSITIONS[:2])

    assert {"O-O"} == {each.label for each in castling.decision(0).options if "O-O" in each.label}
    assert castling.decision(0).interpret("O-O-O").kind == "illegal"
    assert passing.decision(0).options.label(passing.decision(0).interpret("e5xd6 e.p.")) == "exd6"


def test_black_may_move_first():
    """Where the position says so, Black is asked first, and White stays the first player."""
    game = Chess(fen="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    state, _ = game.start(Chance(0), 2)

    assert state.to_act() == (1,)
    assert state.observe(1)["to_move"] == "Black"
    assert "Black moves first" in game.rules


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("nonsense", "six fields"),
        ("8/8/8/8/8/8/K6k w - - 0 1", "eight ranks"),
        ("8/8/8/8/8/8/4P3/K6k w  - 0 1", "six fields"),
        ("9/8/8/8/8/8/8/K6k w - - 0 1", "six fields"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "one king"),
        ("P7/8/8/8/8/8/8/K6k w - - 0 1", "last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castle"),
        ("8/8/8/3pP3/8/8/8/K6k w - e6 0 2", "just passed 'e6'"),
        ("8/8/8/3pP3/8/8/8/K6k b - d6 0 2", "just passed 'd6'"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "in check"),
        ("4k3/3P4/8/8/8/8/8/4K3 w - - 0 1", "in check"),
        ("8/8/8/8/8/8/8/K6k w - - 0 1", "the game is over"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is over"),
    ],
)
def test_positions_in_which_no_game_begins(fen, fault):
    """A position that no game can be in is refused with a reason, before OpenSpiel sees it."""
    with pytest.raises(ValueError, match=fault):
        Chess(fen=fen)


@pytest.mark.slow  # random matches of chess are long
@pytest.mark.parametrize("fen", POSITIONS[:2])
def test_the_contract_is_kept(fen):
    """A game that begins elsewhere keeps the contract of games."""
    check_game(Chess(fen=fen, notation="san"))


@pytest.mark.parametrize(
    ("fen", "move", "why"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "checkmate"),
        ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "f5f7", "stalemate"),
        ("7k/8/8/8/8/8/6p1/6K1 w - - 0 1", "g1g2", "too little material to give mate"),
        ("7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2b2", "50 moves without capture or pawn move"),
    ],
)
def test_why_a_match_ended_is_told(fen, move, why):
    """The game says from the last position why it ended."""
    game = Chess(fen=fen)
    state, _ = game.start(Chance(1), 2)
    (player,) = state.to_act()
    action = state.decision(player).options.named(move)[0].action

    state.apply({player: action})

    assert state.to_act() == ()
    assert game.describe_end(state.observe(None)) == why

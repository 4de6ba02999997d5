"""Perft: how many sequences of legal moves there are from the six standard positions of chess, to a depth.

The positions and numbers are facts, as programmers of chess have counted them since R. McKenzie and P. McKenzie; they
meet castling, capturing en passant, promotions, pins and checks of every kind.
"""

import pytest
from arena.chance import Chance
from arena.game import State
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.engine.game import SpielState

POSITIONS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "endgame": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "promotion": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "discovered": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "middle": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}

COUNTS = {
    "start": (20, 400, 8_902, 197_281),
    "kiwipete": (48, 2_039, 97_862),
    "endgame": (14, 191, 2_812, 43_238),
    "promotion": (6, 264, 9_467),
    "discovered": (44, 1_486, 62_379),
    "middle": (46, 2_079, 89_890),
}

DEEPER = {
    "start": 4_865_609,
    "kiwipete": 4_085_603,
    "endgame": 674_624,
    "promotion": 422_333,
    "discovered": 2_103_487,
    "middle": 3_894_594,
}
"""The number one move beyond ``COUNTS``."""


def at(fen: str) -> State:
    """The state of a match of chess that begins with a position."""
    game = Chess()
    state = SpielState(game, game.engine(2).new_initial_state(fen), Chance(0))
    state.open()
    return state


def perft(state: State, depth: int) -> int:
    """Count the sequences of ``depth`` legal moves; positions at the end are counted and not played."""
    acting = state.to_act()
    if not acting:
        return 0
    options = state.decision(acting[0]).options
    assert options is not None
    if depth == 1:
        return len(options)
    total = 0
    for action in options.actions:
        child = state.clone()
        child.apply({acting[0]: action})
        total += perft(child, depth - 1)
    return total


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name):
    """The number of sequences of legal moves is right at every depth."""
    assert tuple(perft(at(POSITIONS[name]), depth) for depth in range(1, len(COUNTS[name]) + 1)) == COUNTS[name]


@pytest.mark.campaign
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", POSITIONS)
def test_perft_one_move_deeper(name):
    """It is right where it takes up to a minute, too."""
    assert perft(at(POSITIONS[name]), len(COUNTS[name]) + 1) == DEEPER[name]


@pytest.mark.parametrize("notation", ["uci", "san"])
@pytest.mark.parametrize("name", POSITIONS)
def test_labels_are_different(name, notation):
    """In every position two moves ahead each move has a label of its own, in both notations."""
    game = Chess(notation=notation)
    state = SpielState(game, game.engine(2).new_initial_state(POSITIONS[name]), Chance(0))
    state.open()
    (player,) = state.to_act()
    for action in state.decision(player).options.actions:
        child = state.clone()
        child.apply({player: action})
        for other in child.to_act():
            options = child.decision(other).options
            assert len({option.label for option in options}) == len(options)

"""The gomoku engine, and the simple opponent it is held against."""

import pytest
from arena.errors import ConfigError
from arena.testing import RANDOM, check_agent, play
from arena_agent_grid.gomoku import FORCED, Search, SearchLimits
from arena_agent_grid.gomoku_agent import GomokuEngine
from arena_agent_grid.solvers import GomokuScorer
from arena_agent_grid.win_or_block import WinOrBlock
from arena_agent_grid.windows import LineCounts
from arena_engine import build_benchmark
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe

from .exhaustive import started

GAME = Gomoku()


def cells(*places: tuple[int, int]) -> int:
    """Cells by row and column, from 1, as bits."""
    return sum(1 << (r - 1) * 15 + c - 1 for r, c in places)


def moves(found: list[int]) -> set[tuple[int, int]]:
    """Cells by row and column, from 1."""
    return {(cell // 15 + 1, cell % 15 + 1) for cell in found}


def best(first: int, second: int, player: int = 0) -> tuple[int, set[tuple[int, int]]]:
    """What the engine wants to play."""
    score, found = Search(GAME.board, (first, second), player, SearchLimits()).best()
    return score, moves(found)


def test_five_are_completed():
    """Four in a line and a free end: the engine completes them, whatever the other threatens."""
    score, found = best(cells((8, 4), (8, 5), (8, 6), (8, 7)), cells((3, 4), (3, 5), (3, 6), (3, 7), (9, 9)))

    assert found == {(8, 3), (8, 8)}
    assert score > FORCED


def test_four_are_blocked():
    """Four of the other with one end free are stopped there."""
    _, found = best(cells((8, 3), (1, 1), (14, 2)), cells((8, 4), (8, 5), (8, 6), (8, 7)))

    assert found == {(8, 8)}


def test_open_three_is_not_left_alone():
    """Three of the other with open ends would become an open four: a move next to or at a gap of them is played."""
    _, found = best(cells((1, 1), (14, 2), (2, 13)), cells((8, 5), (8, 6), (8, 7)), player=0)

    assert found <= {(8, 3), (8, 4), (8, 8), (8, 9)}


def test_chain_of_fours_is_followed_to_its_end():
    """A three blocked on one side, crossed by another: a four first, then the five on the other line."""
    first = cells((8, 5), (8, 6), (8, 7), (5, 8), (6, 8), (7, 8))
    second = cells((8, 4), (4, 8), (1, 1), (1, 3), (15, 1))

    score, found = best(first, second)

    assert found == {(8, 8)}
    assert score >= FORCED


def test_counts_kept_move_by_move_are_those_of_the_position():
    """Putting and taking stones leaves what counting anew gives, also with lines of both players."""
    from random import Random

    order = Random(4).sample(range(225), 140)
    kept = LineCounts(GAME.board, (0, 0))
    for turn, cell in enumerate(order):
        kept.put(cell, turn % 2)
    for cell in reversed(order[100:]):
        kept.take(cell)

    anew = LineCounts(GAME.board, [sum(1 << cell for cell in order[player:100:2]) for player in (0, 1)])
    assert kept.value == anew.value
    assert kept.cell_values == anew.cell_values
    assert kept.one_short == anew.one_short
    assert kept.two_short == anew.two_short


@pytest.mark.campaign
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("matches", [10, 100])
def test_engine_beats_the_simple_opponent_from_either_seat(seat: int, matches: int, tmp_path):
    """At least 95 of 100 matches are won against win-else-block-else-random (of ten, all)."""
    agents = [WinOrBlock(), WinOrBlock()]
    agents[seat] = GomokuEngine()  # type: ignore[call-overload]

    won = sum(play(GAME, agents, tmp_path / str(n), seed=n).over.returns[seat] == 1 for n in range(matches))

    assert won >= {10: 10, 100: 95}[matches]


@pytest.mark.slow
def test_engine_plays_the_same_match_from_the_same_seed(tmp_path):
    """Nothing but the seed decides between equally good moves."""
    one, two = (play(GAME, [GomokuEngine(), WinOrBlock()], tmp_path / str(n), seed=5).over for n in range(2))

    assert one.events == two.events


@pytest.mark.slow
@pytest.mark.parametrize("game", [Gomoku(rows=9, columns=9), TicTacToe(), Mnk(rows=6, columns=6, align=4, wraps="all")])
def test_engine_keeps_the_contract_of_an_agent(game: Mnk):
    """Legal actions only on boards of any size, and the same again when replayed."""
    assert check_agent(GomokuEngine(depth=2), game, matches=1, is_legal=True).replies


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Mnk(misere=True)])
def test_simple_opponent_keeps_the_contract_of_an_agent(game: Mnk):
    """Legal actions only, with gravity and in misère games too."""
    assert check_agent(WinOrBlock(), game, matches=1, is_legal=True).replies


def test_simple_opponent_wins_before_it_blocks(tmp_path):
    """With both a win and a block to be had it wins; without a win it blocks."""
    record = play(TicTacToe(), [WinOrBlock(), RANDOM], tmp_path, seed=0).over
    for event in record.played():
        if event.player == 0:
            assert event.data["reasoning"].split(":")[0] in ("wins", "blocks", "any")  # type: ignore[index, call-overload]
    returns = [play(TicTacToe(), [WinOrBlock(), RANDOM], tmp_path / str(n), seed=n).over.returns for n in range(30)]
    assert sum(r[0] == 1 for r in returns) > 24


def test_estimates_are_never_called_exact():
    """The scorer says that it estimates, values stay inside a win and a loss, and every cell has one."""
    solver = GomokuScorer(depth=1)
    state = started(GAME, {"row": 8, "column": 8}, {"row": 8, "column": 9})

    assessment = solver.solve(GAME, 2).action_values(state, 0)

    assert not solver.is_exact
    assert "heuristic" in solver.solve(GAME, 2).method
    assert assessment is not None
    assert len(assessment.values) == 223
    assert all(-1 < worth.value < 1 for worth in assessment.values)


@pytest.mark.parametrize("game", ["grid-connect-four", {"use": "mnk", "misere": True}, "tic-tac-toe"])
def test_other_games_are_refused_before_they_begin(game):
    """What the engine does not know it refuses; tic-tac-toe of another distribution it takes."""
    plain = {"games": {"g": game}, "agents": {"engine": "gomoku-engine", "random": "random"}}

    if game == "tic-tac-toe":
        assert build_benchmark(plain)
    else:
        with pytest.raises(ConfigError, match="gomoku-engine cannot play this game"):
            build_benchmark(plain)

"""Small boards, solved exactly with every variant."""

from random import Random

import pytest
from arena.chance import Chance
from arena.errors import SolverError
from arena.game import Game
from arena.record import canonical_json
from arena_agent_grid.solvers import GridSolver
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe as SpielTicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker

from .exhaustive import every_position, started

GAMES = (
    TicTacToe(),
    Mnk(misere=True),
    Mnk(wraps="all"),
    Mnk(directions="diagonal"),
    Mnk(rows=2, columns=4, align=3),
    Mnk(rows=4, columns=3, align=3, gravity=True),
    Mnk(rows=3, columns=4, align=2, overline=False, gravity=True),
    Mnk(rows=3, columns=4, align=3, gravity=True, misere=True),
    Mnk(rows=1, columns=9, align=2, overline=False),
    Mnk(rows=3, columns=3, align=3, gravity=True, wraps="sideways"),
)


@pytest.mark.slow  # walks through whole trees
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.title} {game.misere} {game.wraps} {game.gravity}")
@pytest.mark.sample(slow=2)
def test_every_score_is_that_of_every_line_of_play(game: Mnk):
    """In every position of a small game, every action has the score that minimax without pruning gives it."""
    truth = every_position(game, game.rows * game.columns)
    solution = GridSolver().solve(game, 2)
    assert len(truth.positions) > 50

    for state in truth.positions.values():
        (player,) = state.to_act()
        assessment = solution.action_values(state, player)
        assert assessment is not None
        assert {canonical_json(w.action): w.score for w in assessment.values} == truth.scores(state)
        assert all(w.value == (w.score > 0) - (w.score < 0) for w in assessment.values)


def test_quickest_play_takes_the_nearest_win_and_any_win_is_optimal_otherwise():
    """With a win now and a slower one, both keep the value, and only ``quickest`` insists on the nearer one."""
    game = TicTacToe()
    state = started(game, *({"row": r, "column": c} for r, c in ((1, 1), (2, 1), (1, 2), (3, 1))))

    any_win = GridSolver().solve(game, 2).action_values(state, 0)
    quickest = GridSolver(quickest=True).solve(game, 2).action_values(state, 0)

    assert any_win is not None
    assert quickest is not None
    assert sum(w.probability > 0 for w in any_win.values) > 1
    assert [w.action for w in quickest.values if w.probability > 0] == [{"row": 1, "column": 3}]
    assert sum(w.probability for w in any_win.values) == pytest.approx(1)


def test_games_of_another_distribution_with_the_same_rules_are_solved_alike():
    """OpenSpiel's tic-tac-toe gets the same scores as the grid's, cell by cell along random matches."""
    ours, theirs = TicTacToe(), SpielTicTacToe()
    own, other = GridSolver().solve(ours, 2), GridSolver().solve(theirs, 2)
    for seed in range(10):
        rng = Random(seed)
        (left, _), (right, _) = ours.start(Chance(0), 2), theirs.start(Chance(0), 2)
        while left.to_act():
            (player,) = left.to_act()
            one, two = own.action_values(left, player), other.action_values(right, player)
            assert one is not None
            assert two is not None
            assert [w.score for w in one.values] == [w.score for w in two.values]
            cell = rng.randrange(len(one.values))
            left.apply({player: one.values[cell].action})
            right.apply({player: two.values[cell].action})
        assert tuple(left.returns() or ()) == tuple(right.returns() or ())


def test_boards_that_are_too_much_say_so():
    """A search beyond its bound is given up with what to do, and large boards are not begun."""
    game = Mnk(rows=5, columns=5, align=4)

    with pytest.raises(SolverError, match=r"grid looked at 1,000 positions .* smaller board, or raise 'nodes'"):
        GridSolver(nodes=1_000).solve(game, 2).action_values(started(game), 0)
    assert "up to 25 cells, and this one has 225" in str(GridSolver().unsupported_reason(Gomoku(), 2))


@pytest.mark.parametrize("game", [KuhnPoker(), ConnectFour()])
def test_other_games_are_refused(game: Game):
    """What it cannot solve it refuses before anything is played."""
    assert GridSolver().unsupported_reason(game, 2)

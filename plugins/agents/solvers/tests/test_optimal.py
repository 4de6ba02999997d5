"""The agent that takes whichever installed solver plays a game exactly."""

from collections.abc import Iterator

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Game
from arena.solver import Solver
from arena.testing import RANDOM, check_agent
from arena_agent_solvers import optimal
from arena_agent_solvers.optimal import ExactSolver, Optimal, exact_solvers, solver_for
from arena_agent_solvers.search import AlphaBeta
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon

from .nim import Nim

SMALL = ConnectFour(rows=4, columns=5, align=3)


class Stubborn(AlphaBeta):
    """Says that it plays every game, and gives up at the first position."""

    def unsupported_reason(self, game: Game, players: int) -> None:
        return None


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Has the agent know these solvers alone."""

    def only(**solvers: Solver) -> None:
        found = tuple(ExactSolver(name, "acme 1", solver) for name, solver in solvers.items())
        monkeypatch.setattr(optimal, "exact_solvers", lambda: found)
        optimal._found.cache_clear()

    yield only
    optimal._found.cache_clear()


def test_solvers_that_estimate_are_left_out():
    """Of what is installed, all is exact, and what was made for few games comes first."""
    found = exact_solvers()

    assert {"alpha-beta", "cfr"} <= {each.name for each in found}
    assert "stockfish" not in {each.name for each in found}
    assert all(each.solver.is_exact for each in found)
    assert [each.solver.is_specialist for each in found] == sorted(
        (e.solver.is_specialist for e in found), reverse=True
    )


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (TicTacToe(), {"grid", "alpha-beta"}),
        (SMALL, {"grid", "alpha-beta"}),
        (Nim(7), {"alpha-beta"}),
        (KuhnPoker(), {"cfr"}),
        (LeducPoker(), {"cfr"}),
    ],
)
def test_each_game_is_played_by_a_solver_that_knows_it(game: Game, names: set[str]):
    """Open games are searched, by a solver for just these where one is installed; hidden cards mean an equilibrium."""
    assert solver_for(game, 2).name in names


@pytest.mark.parametrize("game", [Chess(), Backgammon(), Hex()])
def test_game_that_nobody_solves_is_refused_with_every_reason(game: Game):
    """The refusal is the benchmark's mistake, told before anything is played, and says what each solver lacks."""
    with pytest.raises(ConfigError, match="no installed solver plays this game exactly") as refused:
        Optimal().needs(game, 2)

    assert all(f"{each.name}: " in str(refused.value) for each in exact_solvers())


@pytest.mark.campaign
def test_search_that_would_not_end_is_refused_beforehand(only):
    """A solver that does not know whether it can is asked about the first position, with its own bound on positions."""
    only(small=AlphaBeta(nodes=10_000))
    with pytest.raises(ConfigError, match="looked at 10,000 positions and was not done"):
        Optimal().needs(SMALL, 2)

    only(small=AlphaBeta(nodes=10_000), large=AlphaBeta())
    assert solver_for(SMALL, 2).name == "large"


def test_large_games_are_not_searched_at_all(only):
    """Where the lines of play cannot be looked through, a solver is not even tried, so the answer comes at once."""
    only(stubborn=Stubborn(nodes=1))

    with pytest.raises(ConfigError, match="this game has too many"):
        Optimal().needs(Chess(), 2)


@pytest.mark.campaign
def test_small_connect_four_is_won_by_the_first_player():
    """On 4 rows and 5 columns with three in a line, who begins in one of the three middle columns wins."""
    state, _ = SMALL.start(Chance(0), 2)

    found = AlphaBeta().solve(SMALL, 2).action_values(state, 0)

    assert [worth.value for worth in found.values] == [-1.0, 1.0, 1.0, 1.0, -1.0]
    assert SMALL.facts(2).optimal_returns == (1.0, -1.0)


@pytest.mark.parametrize("game", [TicTacToe(), KuhnPoker()])
def test_it_is_an_agent_like_any_other(game: Game):
    """It keeps the contract of agents in both seats."""
    report = check_agent(Optimal(), game, matches=1, is_legal=True)

    assert report.replies


@pytest.mark.parametrize("game", [TicTacToe(), SMALL, KuhnPoker()])
def test_every_action_says_by_which_solver_it_was_chosen(play, game: Game):
    """The record of a match names the solver, its distribution and its method."""
    record = play(game, [Optimal(), RANDOM], seed=5).over

    notes = [(event.data["note"], event.data["reasoning"]) for event in record.played() if event.player == 0]  # type: ignore[index, call-overload]
    name = solver_for(game, 2).name
    assert notes
    assert {note["solver"] for note, _ in notes} == {name}
    assert all(note["distribution"] and note["method"] for note, _ in notes)
    assert all(said.endswith(f", by {name}") for _, said in notes)

"""Exact search, through the contract of a state alone."""

from collections.abc import Iterator

import pytest
from arena.chance import Chance
from arena.errors import ConfigError, SolverError
from arena.game import Game
from arena.record import Ending, Player
from arena.testing import RANDOM, check_agent
from arena_agent_solvers.search import AlphaBeta
from arena_agent_solvers.solver import BySolver
from arena_engine import build_benchmark
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.library.generic import OpenSpiel
from arena_game_openspiel.strategic_games.matrix import MatchingPennies

from .nim import Nim

MINIMAX = BySolver(solver=AlphaBeta())


def lines(game: Game, perfect: Player) -> Iterator[tuple[float, ...]]:
    """The returns of every line in which ``perfect`` takes any action of its solution and the other any legal one."""
    solution = AlphaBeta().solve(game, 2)
    start, _ = game.start(Chance(0), 2)
    stack, seen = [start], set[str]()
    while stack:
        state = stack.pop()
        if (returns := state.returns()) is not None:
            yield tuple(returns)
            continue
        position = solution.information_state(state, Player(0))
        if position in seen:
            continue
        seen.add(position)
        (player,) = state.to_act()
        if player == perfect:
            worths = solution.action_values(state, player).values  # type: ignore[union-attr]
            actions = [worth.action for worth in worths if worth.probability > 0]
        else:
            options = state.decision(player).options
            assert options is not None
            actions = list(options.actions)
        for action in actions:
            child = state.clone()
            child.apply({player: action})
            stack.append(child)


@pytest.mark.slow  # every line of play
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("seat", [0, 1])
def test_minimax_never_loses_at_tic_tac_toe(seat: Player):
    """Against every line of every opponent, with every action it could draw, minimax never loses in either seat."""
    earned = [returns[seat] for returns in lines(TicTacToe(), seat)]

    assert min(earned) == 0
    assert max(earned) == 1
    assert len(earned) > 50


def test_value_of_tic_tac_toe_is_a_draw():
    """The empty board is worth nothing to the first player, whichever cell it takes."""
    state, _ = TicTacToe().start(Chance(0), 2)

    assessment = AlphaBeta().solve(TicTacToe(), 2).action_values(state, Player(0))

    assert assessment is not None
    assert [(w.action, w.value) for w in assessment.values] == [(cell, 0.0) for cell in range(9)]
    assert len(assessment.line) == 9


@pytest.mark.parametrize("coins", range(1, 13))
def test_games_of_others_are_searched_through_their_states(coins: int):
    """Nim is lost with a multiple of four coins and won else, by leaving one; no position has to be told apart."""
    state, _ = Nim(coins).start(Chance(0), 2)

    assessment = AlphaBeta().solve(Nim(coins), 2).action_values(state, Player(0))

    assert assessment is not None
    values = {worth.action: worth.value for worth in assessment.values}
    assert values == {n: 1.0 if (coins - n) % 4 == 0 else -1.0 for n in (1, 2, 3) if n <= coins}
    best = [worth.action for worth in assessment.values if worth.probability > 0]
    assert best == ([coins % 4] if coins % 4 else list(values))


def test_second_player_is_judged_from_its_own_side():
    """Values are what the player to move earns, whichever seat it has."""
    state, _ = Nim(4).start(Chance(0), 2)
    state.apply({Player(0): 1})

    assessment = AlphaBeta().solve(Nim(4), 2).action_values(state, Player(1))

    assert assessment is not None
    assert [(w.action, w.value) for w in assessment.values] == [(1, -1.0), (2, -1.0), (3, 1.0)]


def test_values_agree_with_another_search():
    """Connect four on four by four is worth what OpenSpiel's own search says, move by move along a game."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = ConnectFour(rows=4, columns=4)
    solution = AlphaBeta().solve(game, 2)
    engine = pyspiel.load_game("connect_four(rows=4,columns=4)")
    for moves in ([0, 1, 1, 2, 0, 3], [3, 3, 2, 0, 1, 1, 0]):
        state, _ = game.start(Chance(0), 2)
        other = engine.new_initial_state()
        for move in moves:
            (player,) = state.to_act()
            state.apply({player: move})
            other.apply_action(move)
        (player,) = state.to_act()
        assessment = solution.action_values(state, player)
        assert assessment is not None
        value, _ = alpha_beta_search(engine, other, maximizing_player_id=player)
        assert assessment.best == value


def test_search_that_is_too_large_says_so():
    """A search that looks at more positions than it may is given up with what to do."""
    state, _ = ConnectFour().start(Chance(0), 2)

    with pytest.raises(
        SolverError, match=r"looked at 500 positions .* smaller game, the agent 'mcts', or raise 'nodes'"
    ):
        AlphaBeta(nodes=500).solve(ConnectFour(), 2).action_values(state, Player(0))


def test_match_that_is_too_large_has_no_result(play):
    """The agent plays nothing in place of what it cannot find; the match fails and says why."""
    record = play(ConnectFour(), [BySolver(solver=AlphaBeta(nodes=500)), RANDOM]).over

    assert record.ending is Ending.FAILED
    assert record.failure is not None
    assert "looked at 500 positions" in record.failure.reason


@pytest.mark.parametrize(
    ("game", "players", "why"),
    [
        (KuhnPoker(), 2, "games without hidden information and chance"),
        (MatchingPennies(), 2, "games without simultaneous moves"),
        (KuhnPoker(), 3, "two players, not of 3"),
        (Nim(returns="general-sum"), 2, "zero-sum games, and this one is general-sum"),
    ],
)
def test_other_games_are_refused_with_the_reason(game: Game, players: int, why: str):
    """What alpha-beta cannot search it refuses before anything is played, and says why."""
    assert why in str(AlphaBeta().unsupported_reason(game, players))


def test_benchmark_with_a_game_that_cannot_be_searched_is_refused():
    """The mistake is told with the agent's name before anything is played."""
    with pytest.raises(ConfigError, match=r"agents.perfect: cannot play this game: .* hidden information and chance"):
        build_benchmark({"games": {"kuhn": "kuhn-poker"}, "agents": {"perfect": "minimax", "random": "random"}})


def test_benchmark_without_imagination_is_refused():
    """An engine has nothing to think on where the benchmark forbids to imagine positions."""
    plain = {"games": {"ttt": "tic-tac-toe"}, "agents": {"perfect": "minimax", "random": "random"}}

    with pytest.raises(
        ConfigError, match=r"agents.perfect: thinks on imagined positions; write 'resample-hidden: true'"
    ):
        build_benchmark({**plain, "resample-hidden": False})
    assert build_benchmark(plain).resample_hidden


def test_minimax_keeps_the_contract_of_an_agent(play):
    """It plays legal actions only, again the same when replayed, and says what it thought."""
    report = check_agent(MINIMAX, TicTacToe(), matches=1, is_legal=True)

    assert report.replies
    record = play(TicTacToe(), [MINIMAX, RANDOM], seed=3).over
    played = [event.data for event in record.played() if event.player == 0]
    assert all(len(data["note"]["worths"]) == 9 - 2 * data["turn"] for data in played)  # type: ignore[index, call-overload]
    assert all("minimax" in data["reasoning"] for data in played)  # type: ignore[index, call-overload]


def test_games_without_known_positions_are_played_too(play, tmp_path):
    """A game of OpenSpiel by name tells nothing of its positions and is searched all the same where it is small."""
    game = OpenSpiel(name="nim", parameters={"pile_sizes": "2;3", "is_misere": False})

    records = [play(game, [MINIMAX, RANDOM], seed=n, directory=tmp_path / str(n)).over for n in range(6)]

    assert [record.returns for record in records] == [(1.0, -1.0)] * 6

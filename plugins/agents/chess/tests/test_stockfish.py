"""Debian's Stockfish: graded strength, ranks that are the same in every run, and what its scores are worth."""

import pytest
from arena.chance import Chance
from arena.errors import SolverError
from arena.game import State
from arena.testing import RANDOM, check_agent, check_solver
from arena_agent_chess.search import MATE, SearchLimit, SearchLine, SearchResult, ranked
from arena_agent_chess.solver import StockfishSolver
from arena_agent_chess.stockfish import Stockfish
from arena_engine import Limits
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe

pytestmark = pytest.mark.usefixtures("stockfish")

FOOLS_MATE = ("f2f3", "e7e5", "g2g4")
"""After these moves Black mates with the queen on h4."""


def after(*moves: str) -> State:
    """The position of chess after some moves."""
    state, _ = Chess().start(Chance(0), 2)
    for move in moves:
        (player,) = state.to_act()
        options = state.decision(player).options
        assert options is not None
        state.apply({player: next(o.action for o in options if o.label == move)})
    return state


def scores(state: State, nodes: int = 20_000) -> dict[str, tuple[float, float, float]]:
    """Score, value and probability of each move, by its label."""
    (player,) = state.to_act()
    options = state.decision(player).options
    found = StockfishSolver(nodes=nodes).solve(Chess(), 2).action_values(state, player)
    assert options is not None
    assert found is not None
    return {options.label(each.action): (each.score, each.value, each.probability) for each in found.values}


@pytest.mark.campaign
def test_full_skill_beats_none(play, tmp_path):
    """At 5,000 nodes, skill 20 makes at least 9.5 of 10 against skill 0, from both sides."""
    strong, weak = Stockfish(nodes=5_000), Stockfish(nodes=5_000, skill=0)

    points = 0.0
    for number in range(10):
        agents = [weak, strong] if number % 2 else [strong, weak]
        returns = play(Chess(), agents, seed=number, directory=tmp_path / str(number)).over.returns
        points += (returns[number % 2] + 1) / 2

    assert points >= 9.5


@pytest.mark.campaign
def test_full_skill_plays_the_same_again(play, tmp_path):
    """At full skill and fixed nodes the same match is played twice, whatever else the engine has been asked."""
    limits = Limits(max_steps=12)

    first, other, again = (
        play(Chess(), [Stockfish(nodes=nodes)] * 2, limits=limits, directory=tmp_path / str(number)).actions()
        for number, nodes in enumerate((3_000, 200, 3_000))
    )

    assert first == again != other


def test_ranks_are_equal_in_two_runs():
    """Two solvers with the same nodes give each move of each position the same score."""
    first, second = (
        [scores(after(*moves)) for moves in order]
        for order in ([(), ("e2e4",), FOOLS_MATE], [FOOLS_MATE, ("e2e4",), ()])
    )

    assert first == second[::-1]
    assert len(first[0]) == 20


def test_mate_is_worth_a_win():
    """A mate in one move is the best and worth 1; all moves are scored, and only the best are played."""
    found = scores(after(*FOOLS_MATE))

    assert found["d8h4"] == (MATE - 1, 1.0, 1.0)
    assert len(found) == 30
    assert all(
        score < MATE - 1 and value < 1 and probability == 0
        for move, (score, value, probability) in found.items()
        if move != "d8h4"
    )


def test_being_mated_is_worth_a_loss():
    """Moves that are mated at once are worth -1, and the later mate ranks higher."""
    found = scores(after("f2f3", "e7e5"))

    assert found["g2g4"][:2] == (-MATE + 1, -1.0)
    assert max(found.values()) > (-100, -0.3, 0)


def test_too_few_nodes_are_told():
    """Where not every move gets a score the solver gives up with a sentence."""
    with pytest.raises(SolverError, match="did not give all 20 legal moves a score within 5 nodes; raise 'nodes'"):
        scores(after(), nodes=5)


def line(move: str, score: int, depth: int, nodes: int, *, is_bound: bool = False) -> SearchLine:
    return SearchLine(move=move, score=score, depth=depth, nodes=nodes, is_bound=is_bound)


def test_only_whole_searches_count():
    """Of the depths at which every move has an exact score, found before the limit, the deepest counts."""
    lines = (
        *(line("a", 1, 1, 10), line("b", 2, 1, 10), line("a", 3, 2, 50), line("b", 4, 2, 50)),
        *(line("a", 5, 3, 90), line("b", 6, 3, 95, is_bound=True)),
        *(line("a", 90, 3, 101), line("b", 6, 3, 101), line("c", 7, 3, 60)),
    )
    result = SearchResult(move="a", lines=lines)

    found = ranked("an engine", result, ["a", "b"], SearchLimit(nodes=100))

    assert {move: each.score for move, each in found.items()} == {"a": 3, "b": 4}


@pytest.mark.campaign
def test_contracts_hold():
    """Agent and solver keep their contracts, and the solver refuses other games."""
    assert check_agent(Stockfish(skill=4, nodes=200), Chess(), matches=1, is_legal=True).replies > 10
    assert "another game" in check_solver(StockfishSolver(), TicTacToe()).untested[0]


def test_record_says_who_thought_how_deep(play):
    """The note of a move has the engine with its version, depth and nodes."""
    played = play(Chess(), [Stockfish(nodes=500), RANDOM], limits=Limits(max_steps=1))

    (event,) = played.over.played()
    note = event.data["note"]
    assert note["engine"].startswith("Stockfish ")
    assert note["depth"] >= 1
    assert note["nodes"] >= 500
    assert note["skill"] == 20

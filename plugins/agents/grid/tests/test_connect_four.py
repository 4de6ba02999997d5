"""The exact solver for connect four against published values and plain search."""

import json
import subprocess
import sys
from random import Random

import pytest
from arena.chance import Chance
from arena.record import canonical_json
from arena.testing import RANDOM, play
from arena_agent_grid.column_search import IS_COMPILED
from arena_agent_grid.columns import BOARD, COLUMN, closing, landing, mirrored
from arena_agent_grid.connect_four import ConnectFour as Search
from arena_agent_grid.openings import DEEP, SHALLOW, deep, keys, layers, shallow
from arena_agent_grid.solvers import ConnectFourSolver
from arena_agent_solvers.solver import BySolver
from arena_game_grid.game import ConnectFour, Mnk
from arena_game_openspiel.board_games.connect_four import ConnectFour as SpielConnectFour

from .exhaustive import Exhaustive, started

EMPTY = {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}
PERFECT = BySolver(solver=ConnectFourSolver(quickest=True))


def drawn(discs: int, seed: int) -> tuple[int, int]:
    """A random position with so many discs in which nobody has won or can win at once."""
    rng = Random(seed)
    while True:
        own = taken = 0
        while taken.bit_count() < discs and not closing(own, taken) & landing(taken):
            move = rng.choice([m for m in (landing(taken) & column for column in COLUMN) if m])
            own, taken = own ^ taken, taken | move
        if taken.bit_count() == discs and taken != BOARD and not closing(own, taken) & landing(taken):
            return own, taken


def dropped(columns: str) -> tuple[int, int]:
    """The position after discs in these columns, counted from 1."""
    own = taken = 0
    for column in columns:
        own, taken = own ^ taken, taken | landing(taken) & COLUMN[int(column) - 1]
    return own, taken


def search() -> Search:
    """A search that knows nothing yet."""
    return Search(nodes=10**9)


@pytest.mark.slow
def test_empty_board_has_the_scores_that_everybody_finds():
    """The first columns are worth -2, -1, 0, 1, 0, -1, -2."""
    assert search().scores(0, 0) == EMPTY


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(
    ("columns", "score"),
    [
        ("444444", 1),
        ("121212", 18),  # three in a column and to move: won with the seventh disc on the board, 18 are left
        ("33445", -18),  # three in a row of the other with both ends open
        ("", 1),
    ],
)
def test_known_positions_have_known_scores(columns: str, score: int):
    """Positions that can be judged by looking, and the column of six discs in the middle."""
    assert max(search().scores(*dropped(columns)).values()) == score


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(12))
def test_late_positions_agree_with_every_line_of_play(seed: int):
    """With 30 discs on the board, every column has the score that minimax without pruning gives it."""
    game = ConnectFour()
    state, rng = started(game), Random(seed)
    while True:
        options = state.decision(state.to_act()[0]).options
        assert options is not None
        state.apply({state.to_act()[0]: rng.choice(options.actions)})
        if not state.to_act():
            state = started(game)
        elif 42 - sum(stones.bit_count() for stones in state.stones) == 12:
            break

    (player,) = state.to_act()
    assessment = ConnectFourSolver().solve(game, 2).action_values(state, player)

    assert assessment is not None
    assert {canonical_json(w.action): w.score for w in assessment.values} == Exhaustive(42).scores(state)


@pytest.mark.slow
@pytest.mark.sample(slow=3)
@pytest.mark.parametrize("seed", range(8))
def test_table_of_openings_agrees_with_the_search_behind_it(seed: int):
    """A position of the small table has the score that follows from the positions one disc on."""
    own, discs = drawn(SHALLOW, seed)

    assert max(search().scores(own, discs).values()) == shallow()[min(own + discs, mirrored(own) + mirrored(discs))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
@pytest.mark.sample(slow=2)
def test_database_of_openings_agrees_with_a_search_to_the_end(seed: int):
    """A position of the database has the score of the best column, searched to the end without any table."""
    own, discs = drawn(DEEP, seed)

    assert max(search().scores(own, discs).values()) == deep().score(own, discs)


def test_small_table_has_every_position_once():
    """As many positions as there are that are not over, mirror images taken once."""
    counts = [len(own) for own, _ in layers(SHALLOW)]

    assert counts == [1, 4, 25, 121, 568, 2144, 8231, 27109]
    assert len(shallow()) == sum(counts)
    own, discs = drawn(5, 1)
    first, second = [[value] for value in (own, discs)], [[mirrored(own)], [mirrored(discs)]]
    import numpy as np

    one, two = (keys(*(np.array(each, np.uint64) for each in pair)) for pair in (first, second))
    assert one == two


@pytest.mark.parametrize("discs", [5, 9, 21, 25])
@pytest.mark.sample(fast=1)
def test_mirror_images_have_mirrored_scores(discs: int):
    """What a column is worth, its mirror image is worth in the mirror."""
    own, taken = drawn(discs, 3)

    scores = search().scores(own, taken)

    assert search().scores(mirrored(own), mirrored(taken)) == {6 - c: score for c, score in scores.items()}


def test_same_game_of_another_distribution_is_solved_too():
    """OpenSpiel's connect four, whose actions are bare columns, gets the same scores."""
    game = SpielConnectFour()
    state = started(game, 3, 3, 2)

    assessment = ConnectFourSolver().solve(game, 2).action_values(state, 1)

    assert assessment is not None
    expected = ConnectFourSolver().solve(ConnectFour(), 2)
    other = expected.action_values(started(ConnectFour(), *({"column": c} for c in (4, 4, 3))), 1)
    assert other is not None
    assert [w.score for w in assessment.values] == [w.score for w in other.values]
    assert [w.action for w in assessment.values] == list(range(7))


def test_variants_are_refused():
    """Only the usual size and rules are taken."""
    solver = ConnectFourSolver()

    assert solver.unsupported_reason(ConnectFour(), 2) is None
    assert solver.unsupported_reason(Mnk(rows=6, columns=7, align=4, gravity=True), 2) is None
    for other in (
        ConnectFour(columns=8),
        ConnectFour(misere=True),
        ConnectFour(overline=False),
        SpielConnectFour(6, 6),
    ):
        assert "6 rows and 7 columns" in str(solver.unsupported_reason(other, 2))


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_perfect_agent_beats_random_play_from_either_seat(seat: int, tmp_path):
    """Three matches, all won, by the referee and with a journal."""
    agents = [RANDOM, RANDOM]
    agents[seat] = PERFECT

    returns = [play(ConnectFour(), agents, tmp_path / str(n), seed=n).over.returns for n in range(3)]

    assert [r[seat] for r in returns] == [1.0] * 3


def test_chance_has_no_part_in_it():
    """Two solutions give the same answer to the same question."""
    state, _ = ConnectFour().start(Chance(5), 2)
    one, two = (ConnectFourSolver().solve(ConnectFour(), 2).action_values(state, 0) for _ in range(2))

    assert one == two


PLAIN = """
import json, sys
sys.modules["numba"] = None
from arena_agent_grid.column_search import IS_COMPILED
from arena_agent_grid.connect_four import ConnectFour
assert not IS_COMPILED
search = ConnectFour(10**9)
print(json.dumps([list(search.scores(*position).items()) for position in json.loads(sys.argv[1])]))
"""


@pytest.mark.campaign
def test_compiled_search_and_plain_python_agree():
    """Thirty positions of 18 to 32 discs have the same scores with Numba and without."""
    positions = [drawn(discs, seed) for discs in (18, 20, 24, 28, 32) for seed in range(6)]

    plain = subprocess.run(
        [sys.executable, "-c", PLAIN, json.dumps(positions)], check=True, capture_output=True, text=True
    )

    assert IS_COMPILED
    assert [dict(scores) for scores in json.loads(plain.stdout)] == [search().scores(*p) for p in positions]


@pytest.mark.campaign
def test_perfect_play_of_both_takes_every_cell_but_one(tmp_path):
    """The empty board is won by the first player with its last disc, and neither side gives anything away."""
    record = play(ConnectFour(), [PERFECT, PERFECT], tmp_path).over

    assert record.returns == (1.0, -1.0)
    assert record.steps == 41

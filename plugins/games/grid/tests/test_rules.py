import pytest
from arena.chance import Chance
from arena.game import Illegal
from arena.record import Player
from arena.testing import check_game
from arena_game_grid.game import ConnectFour, Gomoku, Mnk, TicTacToe
from arena_game_grid.state import losing_actions, winning_actions
from arena_testing.strategies import action_sequences
from hypothesis import HealthCheck, given, settings, strategies as st

FAMILY = [
    Mnk(),
    TicTacToe(misere=True),
    ConnectFour(),
    ConnectFour(rows=4, columns=4, align=3, wraps="sideways", misere=True),
    Gomoku(),
    Gomoku(rows=6, columns=7, overline=False, wraps="all"),
    Mnk(rows=4, columns=5, align=3, directions="diagonal", wraps="sideways"),
    Mnk(rows=1, columns=7, align=2, directions="straight", symbols=("+", "°")),
]
SMALL = [game for game in FAMILY if game.rows < 10]


def play(game, cells):
    """A match after these actions; ``(row, column)`` or a column."""
    state, _ = game.start(Chance(0), 2)
    for cell in cells:
        action = {"column": cell} if isinstance(cell, int) else {"row": cell[0], "column": cell[1]}
        player = state.to_act()[0]
        assert state.check(player, action) is None
        state.apply({player: action})
    return state


def lines_by_looking(game, grid, symbol, cell):
    """Whether ``cell``, counted from 0, stands in a line that counts, found by walking over the board."""
    steps = {"all": [(0, 1), (1, 0), (1, 1), (1, -1)], "straight": [(0, 1), (1, 0)], "diagonal": [(1, 1), (1, -1)]}

    def run(dr, dc):
        seen, (r, c) = [], cell
        while True:
            r, c = r + dr, c + dc
            if game.wraps != "none":
                c %= game.columns
            if game.wraps == "all":
                r %= game.rows
            if not (0 <= r < game.rows and 0 <= c < game.columns) or grid[r][c] != symbol or (r, c) in (*seen, cell):
                return seen
            seen.append((r, c))

    for dr, dc in steps[game.directions]:
        line = {cell, *run(dr, dc), *run(-dr, -dc)}
        if len(line) == game.align or (len(line) > game.align and game.overline):
            return True
    return False


@pytest.mark.parametrize("playouts", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", [TicTacToe(), *FAMILY], ids=repr)
@pytest.mark.sample(fast=1, slow=0)
def test_games_keep_the_contract(game, playouts):
    """The presets and games with every variant pass the shipped checks."""
    assert check_game(game, playouts=playouts).steps


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize("game", [*SMALL, Gomoku(overline=False, rows=7, columns=7, align=3)], ids=repr)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_matches_end_at_the_first_line(game, data):
    """A match goes on exactly until the last move stands in a line that counts or the board is full.

    Until then ``winning_actions`` are the moves after which it would end by a line.
    """
    (state, _), walk = game.start(Chance(0), 2), data.draw(action_sequences(game, is_whole=True))
    for step in walk.steps:
        finishing = losing_actions if game.misere else winning_actions
        ((mover, action),) = step.items()
        for player in (0, 1):
            for each in state.decision(mover).options.actions:
                cell = landing(game, state, each)
                grid = state.observe(None)["board"]
                grid[cell[0]][cell[1]] = game.symbols[player]
                does_end = lines_by_looking(game, grid, game.symbols[player], cell)
                assert (each in finishing(state, Player(player))) == does_end
        cell = landing(game, state, action)
        state.apply(step)
        grid = state.observe(None)["board"]
        has_line = lines_by_looking(game, grid, game.symbols[mover], cell)
        assert (not state.to_act()) == (has_line or all(all(row) for row in grid))
        assert has_line == (state.winner is not None)
        if has_line:
            assert state.returns()[mover] == (-1 if game.misere else 1)
    assert sum(state.returns()) == 0


def landing(game, state, action):
    if not game.gravity:
        return action["row"] - 1, action["column"] - 1
    column = [row[action["column"] - 1] for row in state.observe(None)["board"]]
    return column.count("") - 1, action["column"] - 1


def test_overlines_count_only_where_they_may():
    """Six in a row win gomoku, and do not where only exact lines count; the match goes on."""
    six = [(1, 1), (3, 1), (1, 2), (3, 3), (1, 3), (3, 5), (1, 5), (3, 7), (1, 6), (3, 9), (1, 4)]

    assert play(Gomoku(), six).returns() == (1.0, -1.0)
    assert play(Gomoku(overline=False), six).returns() is None


def test_a_stone_beyond_can_take_an_exact_line_away():
    """A move that wins by an exact line wins no longer when a further stone would make it too long."""
    game = Gomoku(overline=False)
    four = [(1, 1), (3, 1), (1, 2), (3, 3), (1, 3), (3, 5), (1, 4), (3, 7)]

    assert winning_actions(play(game, four), Player(0)) == ({"row": 1, "column": 5},)
    assert winning_actions(play(game, [*four, (1, 6)]), Player(0)) == ()


def test_a_threat_in_the_air_cannot_be_played():
    """Where pieces fall, a cell that would complete a line counts only when a piece can land on it."""
    game = ConnectFour()
    bottom = [1, 1, 2, 2, 3, 3]

    assert winning_actions(play(game, bottom), Player(0)) == ({"column": 4},)
    assert winning_actions(play(game, bottom), Player(1)) == ()
    assert winning_actions(play(game, [*bottom, 7, 4]), Player(1)) == ({"column": 4},)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ({"row": 1, "column": 1}, "taken"),
        ({"row": 0, "column": 1}, "out-of-bounds"),
        ({"row": 4, "column": 1}, "out-of-bounds"),
        ({"row": 1, "column": 10**30}, "out-of-bounds"),
        ({"row": 2, "column": 2, "why": "centre"}, "format"),
        ({"row": 2}, "format"),
        ({"row": "2", "column": 2}, "format"),
        ({"row": 2.0, "column": 2}, "format"),
        ({"row": True, "column": 2}, "format"),
        ([2, 2], "format"),
        ("2,2", "format"),
        (None, "format"),
    ],
)
def test_refusals_have_three_kinds(action, kind):
    """What cannot be played is refused for its format, for being off the board, or because the cell is taken."""
    refused = play(TicTacToe(), [(1, 1)]).check(Player(1), action)

    assert isinstance(refused, Illegal)
    assert refused.kind == kind


def test_full_columns_are_taken():
    """A column takes as many pieces as there are rows; then it is refused as taken and is no option."""
    state = play(ConnectFour(), [3] * 6)

    assert state.check(Player(0), {"column": 3}).kind == "taken"
    assert {"column": 3} not in state.decision(Player(0)).options.actions
    assert state.check(Player(0), {"column": 8}).kind == "out-of-bounds"
    assert state.check(Player(0), {"row": 1, "column": 2}).kind == "format"


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ({"align": 4}, "no line of 4 fits on 3 rows and 3 columns"),
        ({"rows": 2, "columns": 9, "directions": "diagonal"}, "no line of 3 fits on 2 rows and 9 columns"),
        ({"rows": 15, "picture_size": 200}, "expected at least 272 pixels"),
        ({"symbols": ("X", "X")}, "expected two different characters"),
        ({"symbols": ("X", "e")}, "expected two different characters"),
    ],
)
def test_impossible_games_are_refused(parameters, fault):
    """A board without any line, or symbols that cannot be told apart, are refused with what is wrong."""
    with pytest.raises(ValueError, match=fault):
        Mnk(**parameters)


def test_forms_say_the_same():
    """The list and the illustration show each player's cells, by row and column from 1."""
    view = play(ConnectFour(), [4, 4, 1]).observe(Player(1))
    forms = ConnectFour().forms

    assert forms["list"](view) == "Cells of the first player: 6,1; 6,4\nCells of the second player: 5,4"
    assert forms["illustration"](view).splitlines()[4:] == ["eeeYeee", "ReeReee"]
    assert "Row    6: R . . R . . ." in forms["text"](view)
    assert forms["text"](view).endswith("You are Y. It is your turn.")

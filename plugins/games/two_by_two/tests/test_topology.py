import json
from itertools import permutations, product
from pathlib import Path

import pytest
from arena_game_two_by_two import export
from arena_game_two_by_two.matrix import REFLECTED, Matrix
from arena_game_two_by_two.topology import GAMES, at

# Robinson and Goforth's payoffs by index, as TMGBench lays them out: row A1, then row A2.
A_14 = ("13/24", "23/14", "32/14", "31/24", "21/34", "12/34")
A_23 = ("24/13", "14/23", "14/32", "24/31", "34/21", "34/12")
B_12 = ("43/21", "43/12", "42/13", "41/23", "41/32", "42/31")
B_34 = ("34/12", "34/21", "24/31", "14/32", "14/23", "24/13")


def test_payoffs_follow_the_published_table():
    """Each game's payoffs are those of its row (A) and its column (B) in its layer."""
    for name in GAMES:
        layer, r, c = (int(digit) for digit in name)
        a = (A_14 if layer in (1, 4) else A_23)[r - 1]
        b = (B_12 if layer in (1, 2) else B_34)[c - 1]

        expected = Matrix.of([int(d) for d in a if d != "/"], [int(d) for d in b if d != "/"])

        assert GAMES[name].matrix == expected


def test_every_game_is_there_once():
    """Renaming choices makes 144 different games of all pairs of rankings; each lies in one place."""
    orders = [Matrix.of(a, b) for a, b in product(permutations((1, 2, 3, 4)), repeat=2)]

    assert len({_class(matrix) for matrix in orders}) == 144
    assert {_class(game.matrix) for game in GAMES.values()} == {_class(matrix) for matrix in orders}
    assert {(game.row, game.column) for game in GAMES.values()} == set(product(range(1, 13), repeat=2))


@pytest.mark.parametrize(("place", "name"), [((3, 4), "444"), ((9, 10), "244"), ((6, 7), "111")])
def test_known_cells(place: tuple[int, int], name: str):
    """The cells that the paper names lie where it says."""
    assert at(*place).id == name


def test_symmetric_games_lie_on_the_counter_diagonal():
    """The twelve games that look the same to both players are their own sisters."""
    own = {game.id: game.name for game in GAMES.values() if game.sister == game}

    assert len(own) == 12
    assert all(game.is_symmetric == (game.id in own) for game in GAMES.values())
    assert {own["111"], own["122"], own["322"]} == {"Prisoner's Dilemma", "Chicken", "Stag Hunt"}


def test_the_sister_is_the_game_with_players_exchanged():
    """Reflecting a game gives its sister, and reflects its equilibria."""
    for name in GAMES:
        game = GAMES[name]

        assert game.sister.matrix == game.matrix.reflected()
        assert game.sister.matrix.equilibria == {REFLECTED[n] for n in game.matrix.equilibria}
        assert game.sister.sister == game


def test_no_equilibrium_or_two_need_that_nobody_dominates():
    """18 games have none, 18 have two, in the middle of their layers; one equilibrium means a dominant choice."""
    counts = {name: len(game.matrix.equilibria) for name, game in GAMES.items()}
    middle = {name for name in GAMES if {name[1], name[2]} <= set("234")}

    assert {name for name in counts if counts[name] == 0} == {name for name in middle if name[0] in "24"}
    assert {name for name in counts if counts[name] == 2} == {name for name in middle if name[0] in "13"}
    for game in GAMES.values():
        assert (game.matrix.dominant_a or game.matrix.dominant_b) is None or counts[game.id] == 1
        assert (counts[game.id] == 1) == bool(game.matrix.dominant_a or game.matrix.dominant_b)


def test_layers_say_where_the_best_payoffs_lie():
    """Diagonally opposite, in a row, in a cell, in a column: layers 1 to 4."""
    for name in GAMES:
        cells = list(GAMES[name].matrix)
        best_a = next(divmod(i, 2) for i, (a, _) in enumerate(cells) if a == 4)
        best_b = next(divmod(i, 2) for i, (_, b) in enumerate(cells) if b == 4)

        is_row, is_column = best_a[0] == best_b[0], best_a[1] == best_b[1]

        assert (
            GAMES[name].layer
            == {(False, False): 1, (True, False): 2, (True, True): 3, (False, True): 4}[is_row, is_column]
        )


def test_export_is_complete(tmp_path: Path):
    """The file has all games with everything somebody else needs to check them."""
    file = tmp_path / "games.json"

    assert export.main([str(file)]) == 0

    games = json.loads(file.read_text(encoding="utf-8"))["games"]
    dilemma = next(game for game in games if game["id"] == "111")
    assert len(games) == 144
    assert dilemma["payoffs"] == [[[1, 4], [3, 3]], [[2, 2], [4, 1]]]
    assert (dilemma["nash"], dilemma["dominant_row"], dilemma["dominant_col"]) == ([3], 2, 1)
    assert (dilemma["row"], dilemma["col"], dilemma["sister"]) == (6, 7, [6, 7])


def _class(matrix: Matrix) -> Matrix:
    renamed = (matrix, matrix.rows_exchanged(), matrix.columns_exchanged())
    return min((*renamed, renamed[1].columns_exchanged()), key=lambda m: (m.a, m.b))

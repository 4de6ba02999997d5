from itertools import product
from random import Random

import pytest
from arena_game_two_by_two.matrix import CELLS, Matrix
from arena_game_two_by_two.nested import Nested, Restriction, restrictions
from arena_game_two_by_two.topology import GAMES

SOLVABLE = [name for name, game in GAMES.items() if len(game.matrix.equilibria) == 1]


def stable_endings(pre: Matrix, core: Matrix, restriction: Restriction) -> set[int]:
    """Stable combinations of the pre-game by brute force over all strategies.

    A strategy is a choice in the pre-game and one in the core game for each of its four endings. A profile is subgame
    perfect if no choice at any place can be replaced by a better one, everything after it being kept.
    """

    def is_allowed(player: str, ending: int, choice: int) -> bool:
        return (player, ending, choice + 1) != (restriction.player, restriction.situation, restriction.choice)

    def plays(ending: int) -> list[tuple[int, int]]:
        rows = [a for a in (0, 1) if is_allowed("A", ending, a)]
        columns = [b for b in (0, 1) if is_allowed("B", ending, b)]
        return [
            (a, b)
            for a, b in product(rows, columns)
            if all(core.a[x][b] <= core.a[a][b] for x in rows) and all(core.b[a][y] <= core.b[a][b] for y in columns)
        ]

    found = set()
    for plan in product(*(plays(ending) for ending in range(1, 5))):

        def worth(a: int, b: int, plan: tuple[tuple[int, int], ...] = plan) -> tuple[tuple[int, int], tuple[int, int]]:
            x, y = plan[CELLS.index((a, b))]
            return (core.a[x][y], pre.a[a][b]), (core.b[x][y], pre.b[a][b])

        for number, (a, b) in enumerate(CELLS, start=1):
            if worth(1 - a, b)[0] <= worth(a, b)[0] and worth(a, 1 - b)[1] <= worth(a, b)[1]:
                found.add(number)
    return found


@pytest.mark.campaign
def test_answers_agree_with_brute_force():
    """Backward reasoning finds what a search over all strategies finds."""
    for pre in GAMES:
        rng = Random(pre)

        for core in rng.sample(SOLVABLE, 12):
            for restriction in restrictions():
                matrices = GAMES[pre].matrix, GAMES[core].matrix
                assert Nested(*matrices, restriction).answer == stable_endings(*matrices, restriction)


def test_a_restriction_can_move_the_equilibrium():
    """In a dilemma whose ending would cost A its best core game, A leaves the ending."""
    dilemma, core = GAMES["111"].matrix, GAMES["366"].matrix
    best = next(iter(core.equilibria))

    nested = Nested(dilemma, core, Restriction("A", 3, 1 if best in (1, 2) else 2))

    assert dilemma.equilibria == {3}
    assert nested.is_telling
    assert 3 not in nested.answer


def test_a_restriction_on_what_nobody_does_tells_nothing():
    """Where the forbidden action is not played anyway, the pre-game's equilibria stay."""
    dilemma, core = GAMES["111"].matrix, GAMES["111"].matrix

    nested = Nested(dilemma, core, Restriction("A", 1, 1))

    assert core.equilibria == {3}
    assert not nested.is_telling


def test_a_core_game_needs_one_value():
    """A core game with two equilibria, or none, has no one value and is refused."""
    with pytest.raises(ValueError, match="exactly one pure equilibrium"):
        Nested(GAMES["111"].matrix, GAMES["122"].matrix, Restriction("A", 1, 1))

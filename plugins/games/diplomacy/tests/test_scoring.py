"""Returns: shares of 1, by each scoring, with and without a winner."""

import pytest
from arena_game_diplomacy.match.scoring import Standing, returns

HANDS = (("FRANCE", "ITALY"), ("GERMANY",), ("TURKEY",))


def standing(france, italy, germany, turkey, **more):
    """A standing of three players, of whom the first holds two powers."""
    centres = {"FRANCE": france, "ITALY": italy, "GERMANY": germany, "TURKEY": turkey}
    surviving = frozenset(power for power, count in centres.items() if count)
    return Standing(**{"players": HANDS, "neutral": (), "centres": centres, "surviving": surviving} | more)


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ("squares", (16 / 20, 4 / 20, 0)),
        ("centres", (4 / 6, 2 / 6, 0)),
        ("draw-size", (1 / 2, 1 / 2, 0)),
        ("solo", (1 / 3, 1 / 3, 1 / 3)),
    ],
)
def test_shares_without_a_winner(scoring, expected):
    """Squares, centres, survivors or all; the powers of a hand count together."""
    assert returns(standing(3, 1, 2, 0), scoring, None) == pytest.approx(expected)


@pytest.mark.parametrize("scoring", ["squares", "draw-size", "solo"])
def test_winner_takes_all(scoring):
    """Who wins alone earns 1."""
    assert returns(standing(9, 9, 10, 6), scoring, HANDS[0]) == (1, 0, 0)


def test_centres_share_also_with_a_winner():
    """By centres a winner earns no more than its share."""
    assert returns(standing(9, 9, 10, 6), "centres", HANDS[0]) == pytest.approx((18 / 34, 10 / 34, 6 / 34))


def test_neutral_powers_have_their_share():
    """A neutral power's part is earned by nobody."""
    alone = standing(3, 0, 1, 0, players=(("FRANCE",),), neutral=("GERMANY", "TURKEY"))

    assert returns(alone, "squares", None) == pytest.approx((9 / 10,))
    assert returns(alone, "draw-size", None) == pytest.approx((1 / 2,))
    assert returns(alone, "solo", None) == pytest.approx((1 / 3,))
    assert returns(alone, "squares", ("GERMANY",)) == (0,)


def test_who_forfeits_earns_nothing():
    """The others share all; if everybody has forfeited, they share equally."""
    left = standing(3, 1, 2, 2, forfeited=frozenset({0}))

    assert returns(left, "squares", None) == pytest.approx((0, 1 / 2, 1 / 2))
    assert returns(standing(1, 1, 1, 1, forfeited=frozenset({0, 1, 2})), "squares", None) == pytest.approx([1 / 3] * 3)


def test_nobody_owns_anything():
    """Without any centres those who survive share equally."""
    empty = standing(0, 0, 0, 0, surviving=frozenset({"ITALY", "TURKEY"}))

    assert returns(empty, "squares", None) == pytest.approx((1 / 2, 0, 1 / 2))


def test_only_who_has_most_wins():
    """A win takes enough centres, and more than anybody else has."""
    assert standing(10, 8, 9, 7).solo(18) == HANDS[0]
    assert standing(9, 8, 9, 8).solo(18) is None
    assert standing(4, 4, 8, 0).solo(8) is None
    assert standing(0, 0, 9, 9, neutral=("RUSSIA",)).solo(9) is None

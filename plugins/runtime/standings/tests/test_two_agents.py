"""Two agents: what few matches can say, and what they cannot."""

import attrs
import pytest
from arena_standings import standings_of

from .played import DEALT, WITHOUT_CHANCE, met, won

LEAD = 547
"""What 8–0 comes to, in Elo points."""


@pytest.mark.parametrize(("wins", "losses"), [(6, 0), (8, 0), (9, 1), (15, 5)])
def test_enough_matches_separate(wins: int, losses: int):
    """Without chance 6–0, 8–0, 9–1 and 15–5 say who is better."""
    found = standings_of(won("a", "b", wins, losses), WITHOUT_CHANCE)

    assert found.sentences[0] == "a > b"
    assert found.parts[0].separated == {("a", "b")}


@pytest.mark.parametrize(("wins", "losses"), [(5, 0), (3, 0), (1, 0), (7, 1), (8, 2), (14, 6), (4, 4)])
def test_too_few_matches_do_not(wins: int, losses: int):
    """Without chance 5–0, 7–1, 8–2 and 14–6 do not say who is better."""
    found = standings_of(won("a", "b", wins, losses), WITHOUT_CHANCE)

    assert not found.parts[0].separated
    assert found.sentences[0].startswith("No clear winner yet")
    assert {row.ranks for row in found.rows} == {(1, 2)}


@pytest.mark.parametrize("matches", range(1, 6))
def test_five_clusters_never_separate(matches: int):
    """With five clusters or fewer nobody is ever told apart, and there is no interval."""
    (part,) = standings_of(won("a", "b", matches, 0), WITHOUT_CHANCE).parts

    assert part.critical == float("inf")
    assert part.pairs[0].interval == (None, None)


def test_eight_to_nothing_without_chance():
    """8–0 in a game without chance is a lead of +547 Elo, and of +77 at least."""
    (part,) = standings_of(won("a", "b", 8, 0), WITHOUT_CHANCE).parts
    low, high = part.pairs[0].interval

    assert part.pairs[0].lead == pytest.approx(LEAD, abs=0.5)
    assert low == pytest.approx(77, abs=0.5)
    assert high is None


def test_four_blocks_of_deals_say_nothing():
    """8–0 on four deals is four times the same luck: the lead is the same, and nobody is told apart."""
    (part,) = standings_of(won("a", "b", 8, 0), DEALT).parts

    assert part.pairs[0].lead == pytest.approx(LEAD, abs=0.5)
    assert not part.separated


def test_blocks_that_end_even_say_nothing():
    """Blocks that end 1–1 leave the statistic where it is: six won blocks are as good with ten even ones."""
    won_blocks, even = met("a", "b", [1.0] * 12), met("a", "b", [1.0, -1.0] * 10)
    moved = [attrs.evolve(each, block=f"even/{each.block}") for each in even]

    (alone,) = standings_of(won_blocks, DEALT).parts
    (both,) = standings_of([*won_blocks, *moved], DEALT).parts

    assert alone.separated == both.separated == {("a", "b")}
    assert both.pairs[0].lead < alone.pairs[0].lead


def test_a_draw_is_half_a_win():
    """Draws leave equal agents equal."""
    (part,) = standings_of(won("a", "b", 0, 0, 12), WITHOUT_CHANCE).parts

    assert part.pairs[0].lead == 0
    assert not part.separated


def test_the_one_at_random_is_rated_1500():
    """An agent that plays at random is the reference, and shows no interval."""
    (part,) = standings_of(won("a", "random", 8, 0), WITHOUT_CHANCE).parts
    best, reference = part.rows

    assert (reference.rating, reference.interval, reference.is_reference) == (1500, (None, None), True)
    assert best.rating == pytest.approx(1500 + LEAD, abs=0.5)
    assert best.interval[0] == pytest.approx(1577, abs=0.5)

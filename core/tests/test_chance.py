"""Chance: seeds, traces, forced draws."""

import pytest
from arena.chance import Chance
from arena.errors import RuleError


def test_same_seed_same_draws():
    """Two chances of one seed deal the same, another seed deals otherwise."""
    deals = [(c.shuffle("deck", range(52)), c.choice("die", range(6))) for c in map(Chance, (3, 3, 4))]

    assert deals[0] == deals[1] != deals[2]


def test_forced_draw_leaves_the_others_alone():
    """Exchanging one outcome changes no other draw of the match."""
    plain, forced = Chance(8), Chance(8, {1: 0})

    drawn = [[chance.index("die", 6) for _ in range(5)] for chance in (plain, forced)]

    assert forced.trace[1].outcome == 0
    assert [d for i, d in enumerate(drawn[0]) if i != 1] == [d for i, d in enumerate(drawn[1]) if i != 1]


@pytest.mark.parametrize(("forced", "draw"), [(6, "index"), ((0, 0), "shuffle"), (1, "weighted")])
def test_impossible_forced_outcome_is_refused(forced, draw):
    """An outcome that cannot come up, by number, order or weight, is an error and not a deal."""
    chance = Chance(1, {0: forced})
    draws = {
        "index": lambda: chance.index("die", 6),
        "shuffle": lambda: chance.shuffle("deck", "ab"),
        "weighted": lambda: chance.index("coin", 2, [1.0, 0.0]),
    }

    with pytest.raises(RuleError, match="cannot come up"):
        draws[draw]()


def test_weights_are_kept():
    """A weight of three in four comes up three times in four, and a weight of zero never."""
    counts = [0, 0, 0]
    for seed in range(8_000):
        counts[Chance(seed).index("urn", 3, [0.75, 0.0, 0.25])] += 1

    assert counts[1] == 0
    assert abs(counts[0] / 8_000 - 0.75) < 0.02


def test_shuffles_are_uniform():
    """All six orders of three cards are equally likely (chi-square under the 0.999 quantile)."""
    counts: dict[str, int] = {}
    for seed in range(6_000):
        order = "".join(Chance(seed).shuffle("deck", "abc"))
        counts[order] = counts.get(order, 0) + 1

    assert sum((n - 1_000) ** 2 / 1_000 for n in counts.values()) < 20.5
    assert len(counts) == 6


def test_clone_goes_on_alone():
    """A clone draws what the original would have drawn, and neither disturbs the other."""
    chance = Chance(5)
    chance.index("die", 6)
    other = chance.clone()

    assert [chance.index("die", 6) for _ in range(4)] == [other.index("die", 6) for _ in range(4)]
    assert len(chance.trace) == len(other.trace) == 5

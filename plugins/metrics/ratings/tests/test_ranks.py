"""Ranks of tournaments in which some win or lose everything."""

import itertools
from random import Random

import pytest
from arena_metric_ratings.bradley_terry import Fit, Model, PairCounts
from arena_metric_ratings.contests import Contest, groups
from arena_metric_ratings.intervals import standing
from arena_metric_ratings.scale import Anchor
from hypothesis import HealthCheck, given, settings, strategies as st

PLACES = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}


def contests(*results: tuple[str, str, float, int]) -> list[Contest]:
    """Matches of two, each result so many times over, in both seats in turn."""
    played = [
        ((first, second), PLACES[score]) if turn % 2 == 0 else ((second, first), PLACES[1 - score])
        for first, second, score, times in results
        for turn in range(times)
    ]
    return [Contest(f"m{i}", f"b{i}", agents, places) for i, (agents, places) in enumerate(played)]


def ranked(played, **model):
    agents = groups(played)[0]
    pairs = PairCounts.of([c for c in played if c.agents[0] in agents], agents, Model(**model))
    return standing(played, pairs, Anchor(), resamples=60, level=0.95, seed=1)


@pytest.mark.campaign
def test_ladder_has_a_rank_for_each_step():
    """Four agents of whom each beats the next one always are ranked 1, 2, 3 and 4, each surely."""
    played = contests(("a0", "a1", 1.0, 20), ("a1", "a2", 1.0, 20), ("a2", "a3", 1.0, 20))

    found = [(each.agent, each.rank, each.best, each.worst) for each in ranked(played).rated]

    assert found == [("a0", 1, 1, 1), ("a1", 2, 2, 2), ("a2", 3, 3, 3), ("a3", 4, 4, 4)]


def test_unbounded_agents_of_one_class_are_ranked_by_likelihood():
    """Two who lost everything to others, and met each other, are ranked by what they did among themselves."""
    played = contests(("top", "a", 1.0, 9), ("top", "b", 1.0, 9), ("a", "b", 1.0, 3), ("b", "a", 1.0, 1))

    found = {each.agent: each.rank for each in ranked(played, has_seats=False).rated}

    assert (found["a"], found["b"]) == (2, 3)


def test_longer_series_of_wins_ranks_higher():
    """Of two who beat the same third always, and never met, the one with more wins is the more likely to be ahead."""
    played = contests(("many", "c", 1.0, 40), ("few", "c", 1.0, 5))

    places = dict(zip(groups(played)[0], places_of(played), strict=True))

    assert places["many"] > places["few"] > places["c"]


def test_equal_results_share_a_rank():
    """Two who lost as often to the same agent, and never met, have the same place."""
    played = contests(("top", "a", 1.0, 7), ("top", "b", 1.0, 7))

    places = dict(zip(groups(played)[0], places_of(played), strict=True))

    assert places["a"] == places["b"] < places["top"]


def places_of(played):
    return Fit.of(PairCounts.of(played, groups(played)[0], Model(has_seats=False))).places()


@st.composite
def tournaments(draw) -> list[Contest]:
    """Random results with chains, cycles, groups that beat each other always, ties and matches in blocks."""
    size = draw(st.integers(2, 6))
    agents = [f"a{i}" for i in range(size)]
    luck = Random(draw(st.integers(0, 2**16)))
    shape = draw(st.sampled_from(("chain", "cycle", "groups", "any")))
    pairs = {
        "chain": [(i, i + 1) for i in range(size - 1)],
        "cycle": [(i, (i + 1) % size) for i in range(size)],
        "groups": list(itertools.combinations(range(size), 2)),
        "any": [(luck.randrange(size), luck.randrange(size)) for _ in range(size + 2)],
    }[shape]
    scores = draw(st.sampled_from(((1.0,), (1.0, 1.0, 0.5), (1.0, 0.5, 0.0))))
    times, in_block = draw(st.sampled_from((1, 4, 12))), draw(st.integers(1, 3))
    played: list[Contest] = []
    for first, second in pairs:
        is_sure = shape == "groups" and (first < size // 2) != (second < size // 2)
        for turn in range(times):
            score, number = 1.0 if is_sure else luck.choice(scores), len(played)
            seats = (first, second) if turn % 2 == 0 else (second, first)
            own = PLACES[score if turn % 2 == 0 else 1 - score]
            played.append(Contest(f"m{number}", f"b{number // in_block}", tuple(agents[i] for i in seats), own))
    return played


@pytest.mark.campaign
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(tournaments(), st.sampled_from((True, False)), st.sampled_from(("half-wins", "davidson")))
def test_rank_lies_within_its_interval(played, has_seats, ties):
    """Whatever was played, each rank lies within its interval, and who leads without bound has the better place."""
    found = ranked(played, has_seats=has_seats, ties=ties)

    count = len(found.rated)
    for each in found.rated:
        place = found.comparisons.of(found.comparisons.fit.pairs.agents.index(each.agent))
        assert 1 <= each.best <= place <= each.worst <= count
        assert each.rank in (place, None)
    fit, places = found.comparisons.fit, found.comparisons.places
    for i, j in itertools.permutations(range(count), 2):
        contrast = fit.strength(i, [j])
        if not fit.recession.is_finite(contrast) and fit.recession.reach(contrast) == (False, True):
            assert places[i] > places[j]

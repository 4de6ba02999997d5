"""What the verdict claims is as rarely wrong as it says: simulated benchmarks, and numbers computed in another way."""

import re
from functools import cache
from math import ceil, log10, sqrt
from random import Random

import numpy as np
import pytest
from arena_metric_statistics.planning import for_mean_difference
from arena_report import Contest, verdict_of
from arena_report.verdict.blocks import BlockMean, blocks_needed, student_quantile
from arena_report.verdict.pairs import LEAST_BLOCKS, Meeting, judged, matches_needed
from scipy import optimize, stats

BENCHMARKS = 20_000
WRONG = 0.06
"""The greatest share of benchmarks of equal agents in which one may be called better."""

SHAPES = [(matches, size) for matches in (10, 30, 100) for size in (1, 2)]
DRAWS = (0.0, 0.3, 0.7)


def scores(rng: np.random.Generator, matches: int, size: int, won: float, drawn: float, count: int = BENCHMARKS):
    """How many blocks had which score in each of so many benchmarks, and these scores."""
    found = rng.choice([0.0, 0.5, 1.0], p=[1 - won - drawn, drawn, won], size=(count, matches // size, size))
    halves = np.rint(2 * found.sum(axis=2)).astype(int)
    return np.stack([(halves == k).sum(axis=1) for k in range(2 * size + 1)], axis=1)


def contests(counts: tuple[int, ...], size: int, a: str = "A", b: str = "B") -> list[Contest]:
    """Matches with so many blocks of each score."""
    made: list[Contest] = []
    for halves, count in enumerate(counts):
        gaps = [min(max(halves - 2 * place, 0), 2) - 1.0 for place in range(size)]
        for _ in range(count):
            block = f"{a}{b}{len(made)}"
            made += [
                Contest(game="hex", block=block, match=f"{block}/{i}", returns={a: gap, b: 0.0 - gap})
                for i, gap in enumerate(gaps)
            ]
    return made


@cache
def is_settled(counts: tuple[int, ...], size: int, level: float) -> bool:
    """Whether the comparison of two agents says that one is better."""
    values = [halves / (2 * size) for halves, count in enumerate(counts) for _ in range(count)]
    meeting = Meeting(
        is_score=True, unit="", values={str(i): [v] for i, v in enumerate(values)}, matches=size * len(values)
    )
    found = judged("A", "B", [meeting], level)
    return found is not None and found.settled


def settled(counts: np.ndarray, size: int, level: float) -> np.ndarray:
    """The same for many benchmarks; equal ones are looked at once."""
    kinds, places = np.unique(counts, axis=0, return_inverse=True)
    return np.array([is_settled(tuple(map(int, kind)), size, level) for kind in kinds])[places.reshape(-1)]


@pytest.mark.parametrize("drawn", DRAWS)
@pytest.mark.parametrize(("matches", "size"), SHAPES)
@pytest.mark.sample(fast=1, slow=3)
def test_equal_agents_are_seldom_told_apart(matches, size, drawn):
    """Of two equal agents one is called better in at most 6 % of benchmarks, and the sentence says so just then."""
    found = scores(np.random.default_rng(matches + size), matches, size, (1 - drawn) / 2, drawn)
    claims = settled(found, size, 0.95)

    assert claims.mean() <= WRONG
    for counts, is_claimed in zip(found[:40], claims[:40], strict=True):
        sentence = verdict_of(contests(tuple(map(int, counts)), size), {}, ratings={}).sentences[0]
        assert (" beats " in sentence) == is_claimed


@pytest.mark.parametrize("drawn", DRAWS)
@pytest.mark.parametrize(("matches", "size"), SHAPES)
@pytest.mark.sample(fast=1, slow=3)
def test_three_equal_agents_are_seldom_put_in_order(matches, size, drawn):
    """Of three equal agents anything false is claimed in at most 6 % of benchmarks, since levels are corrected."""
    rng = np.random.default_rng(3 * matches + size)
    found = [scores(rng, matches, size, (1 - drawn) / 2, drawn) for _ in range(3)]
    claims = np.stack([settled(counts, size, 1 - 0.05 / 3) for counts in found])

    assert claims.any(axis=0).mean() <= WRONG
    for i in range(40):
        pairs = (("A", "B"), ("A", "C"), ("B", "C"))
        played = [contests(tuple(map(int, own[i])), size, *pair) for own, pair in zip(found, pairs, strict=True)]
        verdict = verdict_of([contest for own in played for contest in own], {}, ratings={})
        by_names = {frozenset((pair.a, pair.b)): pair.settled for pair in verdict.pairs}
        assert [by_names[frozenset(pair)] for pair in pairs] == list(claims[:, i])
        assert ("is first" in verdict.sentences[0] or "except" in verdict.sentences[0]) <= claims[:, i].any()


@pytest.mark.sample(fast=2, slow=4)
@pytest.mark.parametrize("part", [0.25, 0.5, 0.8])
@pytest.mark.parametrize(("won", "drawn", "size"), [(0.6, 0.0, 1), (0.6, 0.0, 2), (0.5, 0.2, 2), (0.35, 0.4, 1)])
def test_what_is_needed_is_estimated_without_bias(won, drawn, size, part):
    """With a quarter to four fifths of the matches played, the median of the whole number needed is right."""
    lead = won + drawn / 2 - 0.5
    deviation = sqrt((won * (1 - won) + drawn / 4 - won * drawn - drawn**2 / 4) / size)
    needed = size * for_mean_difference(deviation, lead)
    matches = size * ceil(part * needed / size)
    found: list[float] = []
    for counts in scores(np.random.default_rng(7), matches, size, won, drawn, 1_500):
        values = [halves / (2 * size) for halves, count in enumerate(counts) for _ in range(count)]
        mean = BlockMean.of([[[value] for value in values]])
        estimate = matches_needed(mean, mean.value - 0.5, matches, 0.95)
        found.append(float("inf") if estimate is None else estimate)

    assert 1 / 1.25 <= np.median(found) / needed <= 1.25


@pytest.mark.slow
def test_more_matches_are_what_is_missing():
    """The number of further matches is what is needed less what was played; too few blocks say nothing of it."""
    rng = np.random.default_rng(5)
    seen = 0
    for counts in scores(rng, 40, 2, 0.55, 0.1, 200):
        pair = verdict_of(contests(tuple(map(int, counts)), 2), {}, ratings={}).pairs[0]
        values = np.repeat(np.arange(5) / 4, counts)
        if pair.settled or values.mean() == 0.5 or values.std() == 0:
            assert pair.more_matches is None
        else:
            needed = 2 * for_mean_difference(float(values.std(ddof=1)), abs(float(values.mean()) - 0.5))
            assert pair.more_matches == pytest.approx(max(needed - 40, 1), rel=0.05, abs=4)
            seen += 1
    assert seen > 100
    few = verdict_of(contests((3, 0, LEAST_BLOCKS - 4), 1), {}, ratings={}).pairs[0]
    assert not few.settled
    assert few.more_matches is None


SENTENCE = re.compile(
    r"(?P<first>\w+) (?P<verb>beats|and) (?P<second>\w+)(?P<open> cannot be told apart)?: "
    r"(?P<won>\d+)–(?P<lost>\d+)–(?P<drawn>\d+) \(won–lost–drawn\) in (?P<matches>\d+) matches"
    r"(?: \((?P<blocks>\d+) blocks\))?, (?P<lead>[+−][\d.]+) Elo \(95 %: (?P<low>[+−][\d.,]+) … (?P<high>[+−][\d.,]+)\)"
)


def elo(score: float) -> float:
    return 400 * log10(score / (1 - score))


def ends(values: np.ndarray) -> tuple[float, float]:
    """The interval of a mean score: what a t test of it does not reject, as Student or as Wilson would test."""
    count, mean, error = len(values), float(values.mean()), float(stats.sem(values))
    reach = float(stats.t.ppf(0.975, count - 1))
    if count >= 20 and round(count * min(mean, 1 - mean), 9) >= 5:
        return mean - reach * error, mean + reach * error
    trials = mean * (1 - mean) / error**2 * count / (count - 1)

    def rejected(share: float) -> float:
        return abs(mean - share) - reach * sqrt(share * (1 - share) / trials)

    return optimize.brentq(rejected, 1e-12, mean), optimize.brentq(rejected, mean, 1 - 1e-12)


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


@pytest.mark.campaign
def test_numbers_in_sentences_are_those_computed_otherwise():
    """Record, lead, interval and claim of each sentence are those that other code computes from the same matches."""
    rng = Random(11)
    checked = claimed = 0
    for _ in range(400):
        size, blocks = rng.choice([1, 2]), rng.randrange(3, 60)
        won, drawn = rng.choice([0.3, 0.5, 0.7, 0.9]), rng.choice([0.0, 0.1])
        rows = [rng.choices([1.0, 0.5, 0.0], [won, drawn, 1 - won - drawn], k=size) for _ in range(blocks)]
        played = [
            Contest(game="go", block=str(b), match=f"{b}/{i}", returns={"A": 2 * score - 1, "B": 1 - 2 * score})
            for b, row in enumerate(rows)
            for i, score in enumerate(row)
        ]
        sentence = verdict_of(played, {}, ratings={}).sentences[0]
        means = np.array([sum(row) / size for row in rows])
        found = SENTENCE.match(sentence)
        if found is None:
            assert means.mean() in (0, 1) or np.ptp(means) == 0 or "at most" in sentence or "at least" in sentence
            continue
        first = 1 if found["first"] == "A" else -1
        flat = np.array([score for row in rows for score in row])
        own = means if first > 0 else 1 - means
        low, high = ends(own)
        assert (int(found["won"]), int(found["lost"]), int(found["drawn"])) == (
            *((flat == 1).sum(), (flat == 0).sum())[::first],
            (flat == 0.5).sum(),
        )
        assert int(found["matches"]) == len(flat)
        assert int(found["blocks"] or len(flat)) == blocks
        assert number(found["lead"]) == pytest.approx(elo(float(own.mean())), abs=0.51)
        assert number(found["low"]) == pytest.approx(elo(low), abs=0.51)
        assert number(found["high"]) == pytest.approx(elo(high), abs=0.51)
        assert (found["verb"] == "beats") == (low > 0.5)
        checked += 1
        claimed += found["verb"] == "beats"
    assert checked > 300
    assert claimed > 100


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.9999])
@pytest.mark.parametrize("freedom", [1, 1.7, 2, 4, 9.5, 30, 400, 1e5])
def test_quantiles_are_students(level, freedom):
    """The quantile computed here is that of another program, to nine digits."""
    assert student_quantile(level, freedom) == pytest.approx(float(stats.t.ppf((1 + level) / 2, freedom)), rel=1e-9)


@pytest.mark.parametrize("effect", [0.05, 0.1, 0.3, 0.5, 0.9])
def test_needed_blocks_are_those_of_the_exact_test(effect):
    """The approximation of how many blocks are needed is within one of the exact number."""
    assert blocks_needed(effect, 0.95, 0.8) == pytest.approx(for_mean_difference(1.0, effect), abs=1.01)


def test_mean_over_blocks_of_one_size_is_students():
    """With blocks of equal weight the error is the usual one of their means."""
    values = [0.25, 1.0, 0.5, 0.0, 0.75]
    mean = BlockMean.of([[[value, value] for value in values]])

    assert mean.value == pytest.approx(np.mean(values))
    assert mean.error == pytest.approx(stats.sem(values))
    assert mean.interval(0.95) == pytest.approx(stats.t.interval(0.95, 4, np.mean(values), stats.sem(values)))


def test_games_weigh_the_same():
    """A game with many matches counts no more than one with few, and its blocks do not add degrees of freedom."""
    many, few = [[1.0]] * 60 + [[0.0]] * 40, [[0.0], [0.5], [0.0]]
    mean = BlockMean.of([many, few])

    assert mean.value == pytest.approx((0.6 + 1 / 6) / 2)
    assert mean.blocks == 103
    assert mean.freedom < 5

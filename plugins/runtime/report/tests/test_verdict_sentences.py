"""Every kind of sentence, in many simulated benchmarks, against numbers that other code computes from its matches."""

import re
from math import log10, sqrt
from random import Random

import attrs
import numpy as np
import pytest
from arena.metric import Baseline
from arena_metric_statistics.planning import for_mean_difference
from arena_report import Contest, verdict_of
from scipy import stats

CHIPS = Baseline(
    random=(0.125, -0.125),
    random_errors=(0.1, 0.1),
    random_n=400,
    returns="zero-sum",
    min_return=-2.0,
    max_return=2.0,
    return_unit="chips a hand",
)
TEAM = Baseline(random=(1.5, 1.5), random_errors=(0.1, 0.1), random_n=400, returns="cooperative", optimal=(24.0, 24.0))
SIZE = {10: 1, 20: 2, 60: 2}
"""How many matches make a block, by how many matches are played."""


def number(text: str) -> float:
    """A number as sentences write it."""
    return float(text.replace("−", "-").replace(",", ""))


def found_in(pattern: str, sentence: str) -> dict[str, str]:
    """The named parts of a sentence, which must have that form as a whole."""
    found = re.fullmatch(pattern, sentence)
    assert found is not None, sentence
    return found.groupdict()


def student(values, level: float = 0.95) -> tuple[float, float]:
    """The interval of a mean, by another program."""
    return stats.t.interval(level, len(values) - 1, np.mean(values), stats.sem(values))


def is_written(text: str, value: float, digits: int = 2) -> bool:
    """Whether a sentence has this number: to two decimals, of small ones to two digits."""
    step = 10.0**-digits if abs(value) >= 0.095 else 10.0 ** (int(np.floor(log10(abs(value) or 1e-6))) - 1)
    return abs(number(text) - value) <= 0.5001 * step


@pytest.mark.parametrize("seed", range(60))
def test_payoffs(seed):
    """What one earns more than the other, with Student's interval over blocks, and how many more matches would tell."""
    rng = Random(seed)
    matches = rng.choice(list(SIZE))
    size = SIZE[matches]
    gains = [[rng.choice([-2.0, -1.0, 1.0, 2.0]) + rng.choice([0.0, 0.5]) for _ in range(size)] for _ in range(matches)]
    gains = gains[: matches // size]
    contests = [
        Contest(game="kuhn", block=str(b), match=f"{b}/{i}", returns={"A": gain, "B": 0.0 - gain})
        for b, own in enumerate(gains)
        for i, gain in enumerate(own)
    ]
    (sentence,) = verdict_of(contests, {"kuhn": CHIPS}, ratings={}).sentences

    if sum(map(sum, gains)) == 0:
        assert "cannot be told apart: they earn the same (95 %: " in sentence
        return
    values = np.array([np.mean([2 * gain for gain in own]) for own in gains])
    first, other = ("A", "B") if values.mean() >= 0 else ("B", "A")
    values = values if first == "A" else -values
    low, high = student(values)
    told = r"(?P<n>\d+) matches(?: \((?P<blocks>\d+) blocks\))?"
    numbers = r"(?P<gap>[\d.]+) chips a hand more{}\(95 %: (?P<low>\S+) … (?P<high>\S+)\) in " + told
    if low > 0:
        found = found_in(f"{first} earns {numbers.format(f' than {other} ')}\\.", sentence)
    else:
        more = r"(?:; about (?P<more>[\d,]+) more match(?:es)? would tell, if the difference is .* \(power 80 %\))?"
        found = found_in(
            f"{first} and {other} cannot be told apart: {first} earns {numbers.format(' ')}{more}\\.", sentence
        )
        needed = size * for_mean_difference(float(values.std(ddof=1)), float(values.mean()))
        assert number(found["more"]) == pytest.approx(max(needed - matches, 1), rel=0.06, abs=4)
    assert is_written(found["gap"], values.mean())
    assert is_written(found["low"], low)
    assert is_written(found["high"], high)
    assert int(found["n"]) == matches
    assert int(found["blocks"] or found["n"]) == len(gains)


@pytest.mark.parametrize("blocks", range(1, 41))
def test_all_won(blocks):
    """Who wins every block is said to be at least so much better as the exact bound of a share says."""
    contests = [
        Contest(game="hex", block=str(b), match=f"{b}/{i}", returns={"A": 1.0, "B": -1.0})
        for b in range(blocks)
        for i in range(2)
    ]
    (sentence,) = verdict_of(contests, {}, ratings={}).sentences

    bound = stats.binomtest(blocks, blocks).proportion_ci(0.95, method="exact").low
    points = 400 * log10(bound / (1 - bound))
    assert number(re.search(r"at least ([+−]\S+) Elo", sentence)[1]) == pytest.approx(points, abs=0.51)
    assert sentence.startswith("A beats B: ") == (bound > 0.5)
    assert f"{2 * blocks}–0–0 (won–lost–drawn) in {2 * blocks} matches ({blocks} block" in sentence


def tournament(seed: int) -> tuple[list[Contest], dict[tuple[str, str], np.ndarray]]:
    """The matches of three agents of any strength, two a block, and the mean scores of the blocks of each pair."""
    rng = Random(seed)
    strength = {"A": rng.choice([0.0, 1.0, 2.0]), "B": rng.choice([0.0, 0.5]), "C": 0.0}
    contests: list[Contest] = []
    means: dict[tuple[str, str], np.ndarray] = {}
    for first, second in (("A", "B"), ("A", "C"), ("B", "C")):
        share = 1 / (1 + 10 ** (strength[second] - strength[first]))
        scores = np.array([[float(rng.random() < share) for _ in range(2)] for _ in range(40)])
        means[first, second] = scores.mean(axis=1)
        means[second, first] = 1 - means[first, second]
        contests += [
            Contest(
                game="go",
                block=f"{first}{second}{b}",
                match=f"{first}{second}{b}{i}",
                returns={first: float(2 * score - 1), second: float(1 - 2 * score)},
            )
            for b, own in enumerate(scores)
            for i, score in enumerate(own)
        ]
    return contests, means


def is_better(scores: np.ndarray) -> bool:
    """Whether 40 blocks tell that an agent is better than another, where three pairs are compared."""
    mean, error = scores.mean(), stats.sem(scores)
    if mean in (0, 1):
        return mean == 1  # of 40 blocks
    reach = stats.t.ppf(1 - 0.05 / 6, len(scores) - 1)
    trials = mean * (1 - mean) / error**2 * 40 / 39
    # The level is above the usual one, so each interval is what a test of a share does not reject.
    return mean > 0.5 and (mean - 0.5) / sqrt(0.25 / trials) > reach


def ranked(better: set[tuple[str, str]]) -> list[str]:
    """The agents whose places are sure, best first, by the pairs of which one is better."""
    left, sure = set("ABC"), list[str]()
    while best := [name for name in left if all((name, other) in better for other in left - {name})]:
        sure += best
        left -= set(best)
        if len(left) < 2:
            return [*sure, *left]
    return sure


@pytest.mark.parametrize("seed", range(40))
def test_several_agents(seed):
    """Who is first and who cannot be told apart is what pair by pair the corrected intervals say."""
    contests, means = tournament(seed)

    sentence = verdict_of(contests, {}, ratings={}).sentences[0]

    better = {pair for pair, scores in means.items() if is_better(scores)}
    sure = ranked(better)
    places = [f"{name} is first" if i == 0 else f"{name} {('second', 'third')[i - 1]}" for i, name in enumerate(sure)]
    head, _, tail = sentence.partition(";")
    if sure:
        assert all(place in head for place in places)
        assert (tail == "") == (len(sure) == 3)
        assert all(name in tail for name in "ABC" if name not in sure)
    else:
        assert "is first" not in sentence
        assert "cannot be told apart" in sentence
    excepted = set(re.findall(r"(\w) from (\w)", sentence))
    assert excepted == {pair for pair in better if not {*pair} & {*sure}}


@pytest.mark.parametrize("seed", range(20))
def test_teams(seed):
    """Teams are compared on the deals that both had, each seat once, beside what random and optimal play earn."""
    rng = Random(seed)
    earned = {who: [rng.randrange(0, 20) + bonus for _ in range(12)] for who, bonus in (("A", 6), ("B", 0))}
    contests = [
        Contest(game="hanabi", block=str(i), match=f"{who}{i}", returns={who: 2.0 * value}, seats={who: (0, 1)})
        for who, own in earned.items()
        for i, value in enumerate(own)
    ]
    found = verdict_of(contests, {"hanabi": TEAM}, ratings={})

    gaps = np.array(earned["A"]) - np.array(earned["B"])
    low, high = student(gaps if gaps.mean() >= 0 else -gaps)
    said = re.search(r"earns (\S+) points more", found.sentences[0])
    ends = re.search(r"\(95 %: (\S+) … (\S+)\)", found.sentences[0])
    assert is_written(said[1], abs(gaps.mean()))
    assert is_written(ends[1], low)
    assert is_written(ends[2], high, 2 if high < 9.995 else 1)
    assert ("cannot be told apart" in found.sentences[0]) == (low <= 0)
    assert found.sentences[0].endswith("; random play earns 1.50, optimal play 24.0.")


def test_one_team_of_two():
    """Agents that only played in one team are not compared: what the team earned is said, for each seat once."""
    values = [3.0, 7.0, 4.0, 9.0]
    contests = [
        Contest(game="hanabi", block=str(i), match=str(i), returns={"A": value, "B": value})
        for i, value in enumerate(values)
    ]
    found = verdict_of(contests, {"hanabi": TEAM}, ratings={})

    low, high = student(values)
    assert found.pairs == ()
    assert found.sentences == (
        f"A and B played as one team: {np.mean(values):.2f} points in 4 matches (95 %: {low:.2f} … {high:.1f}); "
        "random play earns 1.50, optimal play 24.0.",
    )
    third = [Contest(game="hanabi", block="x", match="x", returns={"A": 2.0, "C": 2.0})]
    (sentence,) = verdict_of(contests + third, {"hanabi": TEAM}, ratings={}).sentences
    assert sentence == "B, A and C played in teams together, which says nothing of one against another."


def test_one_agent_alone():
    """One agent without rivals has its mean return with Student's interval, beside random and optimal play."""
    values = [3.0, 7.0, 4.0, 9.0, 5.0, 6.5]
    solo = Baseline(random=(2.0,), random_errors=(0.1,), random_n=400, optimal=(12.0,), returns="general-sum")
    contests = [Contest(game="maze", block=str(i), match=str(i), returns={"A": v}) for i, v in enumerate(values)]
    (sentence,) = verdict_of(contests, {"maze": solo}, ratings={}).sentences

    low, high = student(values)
    assert sentence == (
        f"A earns {np.mean(values):.2f} points in 6 matches (95 %: {low:.2f} … {high:.2f}); "
        "random play earns 2.00, optimal play 12.0."
    )


def test_self_play_names_no_winner():
    """An agent that plays itself is not its own winner; each seat's mean is what stands beside random play."""
    contests = [
        Contest(game="war", block=str(i), match=str(i), returns={"A": 1.0}, seats={"A": (0, 1, 2, 3)}) for i in range(4)
    ]
    war = Baseline(random=(0.25,) * 4, random_errors=(0.1,) * 4, random_n=400, returns="zero-sum", max_return=2.0)
    found = verdict_of(contests, {"war": war}, ratings={})

    assert found.sentences == ("A played nobody but itself: 4 matches, no winner to name.",)
    assert found.ranking[0].mean_return == 0.25


def test_games_of_which_the_same_holds_have_one_line():
    """Where the same sentence is true of several games it is said once, with their names."""
    contests = [
        Contest(game=game, block=f"{game}{i}", match=f"{game}{i}", returns={"A": 1.0, "B": -1.0})
        for game, count in (("go", 3), ("hex", 3), ("chess", 8))
        for i in range(count)
    ]
    go, chess = verdict_of(contests, {}, ratings={}).game_sentences

    assert go.startswith("go and hex: A and B cannot be told apart: 3–0–0")
    assert chess.startswith("chess: A beats B: 8–0–0")


@pytest.mark.sample(fast=1, slow=0)
@pytest.mark.parametrize(("won", "lost"), [(1002, 1000), (10_021, 10_000)])
def test_small_leads_do_not_read_as_none(won, lost):
    """A lead or an end of less than half a point has one digit, and a share near one half a decimal."""
    contests = [
        Contest(game="go", block=str(i), match=str(i), returns={"A": 1.0 if i < won else -1.0, "B": 0.0})
        for i in range(won + lost)
    ]
    lead = 400 * log10(won / lost)

    assert f"+{lead:.1g} Elo" in verdict_of(contests, {}, ratings={}).sentences[0]
    share = 100 * won / (won + lost)
    assert f"{share:.{1 if share > 50.05 else 0}f} % (95 %" in verdict_of(contests, {}).sentences[0]


ASKED = Baseline(
    random=(0.1,), random_errors=(0.01,), random_n=400, returns="general-sum", min_return=0.0, max_return=1.0
)


@pytest.mark.parametrize(("blocks", "is_told"), [(2, False), (20, True)])
@pytest.mark.parametrize("is_shared", [True, False])
def test_who_is_always_right_is_better_than_who_never_is(blocks, is_told, is_shared):
    """Where nothing varies there is no spread to go by; the bound for returns between 0 and 1 tells 20 from 0 of 20."""
    contests = [
        Contest(game="quiz", block=f"{b}" if is_shared else f"{who}{b}", match=f"{who}/{b}", returns={who: value})
        for b in range(blocks)
        for who, value in (("A", 1.0), ("B", 0.0))
    ]

    verdict = verdict_of(contests, {"quiz": ASKED})
    (pair,) = verdict.pairs

    trials = (0.025 if is_shared else 0.0125) ** (1 / blocks)
    lowest = 1 - 2 * (1 - trials)
    assert pair.settled == is_told
    assert pair.interval == pytest.approx((lowest, 1.0))
    assert any("exact bound" in each for each in verdict.footnotes)


def test_a_difference_without_bounds_has_no_interval():
    """Nothing is known of returns whose bounds the game does not state."""
    contests = [
        Contest(game="quiz", block=f"{b}", match=f"{who}/{b}", returns={who: value})
        for b in range(20)
        for who, value in (("A", 1.0), ("B", 0.0))
    ]

    (pair,) = verdict_of(contests, {"quiz": attrs.evolve(ASKED, max_return=None)}).pairs

    assert (pair.settled, pair.interval) == (False, (None, None))

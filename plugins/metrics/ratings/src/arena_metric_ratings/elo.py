"""Elo: ratings updated after every result, and the batch procedure of SPIN-Bench."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from arena.tables import Estimate
from arena_metric_statistics.numerics import np

from arena_metric_ratings.contests import Contest
from arena_metric_ratings.scale import Anchor, expected

START: Final = 1000.0


def sequential(played: Iterable[Contest], k: float = 32.0) -> dict[str, float]:
    """Ratings after one update per match, by all of its pairs at once.

    With more than two players each pair counts less. A. E. Elo, The Rating of Chessplayers (1978). The result depends
    on the order of the matches.
    """
    ratings: dict[str, float] = {}
    for contest in played:
        gains: dict[str, float] = {}
        for first, second, score in contest.pairs():
            gap = ratings.get(first, START) - ratings.get(second, START)
            gain = k / (len(contest.agents) - 1) * (score - expected(gap))
            gains[first] = gains.get(first, 0.0) + gain
            gains[second] = gains.get(second, 0.0) - gain
        for agent, gain in gains.items():
            ratings[agent] = ratings.get(agent, START) + gain
    return ratings


def over_orders(
    played: Sequence[Contest], anchor: Anchor, *, k: float, draws: int, seed: int, level: float
) -> dict[str, Estimate]:
    """The mean of ``sequential`` over random orders, since agents do not change from match to match.

    The interval resamples whole blocks of matches, each resample in another order.
    """
    rng = np.random.default_rng(seed)
    agents = sorted({agent for contest in played for agent in contest.agents})
    blocks: dict[str, list[Contest]] = {}
    for contest in played:
        blocks.setdefault(contest.block, []).append(contest)
    own = list(blocks.values())
    as_they_were = [_anchored([played[i] for i in rng.permutation(len(played))], agents, anchor, k) for _ in range(50)]
    drawn: list[Mapping[str, float]] = []
    for _ in range(draws if len(own) > 1 else 0):
        picked = [contest for i in rng.integers(len(own), size=len(own)) for contest in own[i]]
        drawn.append(_anchored([picked[i] for i in rng.permutation(len(picked))], agents, anchor, k))
    tails = (1 - level) / 2, (1 + level) / 2
    method = f"bootstrap of blocks, each in another order ({draws} resamples)"
    found: dict[str, Estimate] = {}
    for agent in agents:
        value = float(np.mean([ratings[agent] for ratings in as_they_were]))
        n = sum(agent in contest.agents for contest in played)
        is_fixed = anchor.among(agents) == (agent,)
        low, high = map(float, np.quantile([ratings[agent] for ratings in drawn], tails)) if drawn else (value, value)
        if is_fixed or low == high:
            why = "no interval: one block alone" if not drawn else "no interval: blocks that are all alike"
            why = "the anchor, by definition" if is_fixed else why
            found[agent] = Estimate(value=value, n=n, level=level, method=why)
            continue
        found[agent] = Estimate(value=value, n=n, low=low, high=high, level=level, method=method)
    return found


def batch(played: Iterable[Contest], *, sweeps: int = 1000, k: float = 32.0) -> dict[str, float]:
    """The procedure of SPIN-Bench's code: all results of a pair at once, pair after pair, ``sweeps`` times.

    Both agents of a pair move by k times their score minus the expected score over all their matches. The result
    depends on the order of the pairs (here by name), never converges for an agent that won everything, and has no
    interval; it is here for comparison.
    """
    scores: dict[tuple[str, str], list[float]] = {}
    for contest in played:
        for first, second, score in contest.pairs():
            if first != second:
                ordered = (first, second) if first < second else (second, first)
                scores.setdefault(ordered, []).append(score if ordered[0] == first else 1 - score)
    rows = [(pair, sum(own), len(own)) for pair, own in sorted(scores.items())]
    ratings = {agent: START for pair, _, _ in rows for agent in pair}
    for _ in range(sweeps):
        for (first, second), score, n in rows:
            gain = k * (score - n * expected(ratings[first] - ratings[second]))
            ratings[first] += gain
            ratings[second] -= gain
    return ratings


def _anchored(played: Sequence[Contest], agents: Sequence[str], anchor: Anchor, k: float) -> dict[str, float]:
    ratings = dict.fromkeys(agents, START) | sequential(played, k)
    shift = anchor.shift(ratings, anchor.among(agents))
    return {agent: rating + shift for agent, rating in ratings.items()}

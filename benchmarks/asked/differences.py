"""Rates with their intervals, and paired differences between two prompts."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import NormalDist

import attrs
from arena_metric_statistics.proportions import wilson

from asked.positions import Answered

MOST_WORSE = 0.03
"""By how much a prompt's rate of wrong answers may be above another's."""
MOST_WORSE_SURELY = 0.08
"""How high the upper end of the paired interval of that difference may be."""


@attrs.frozen
class Difference:
    """A paired difference of rates, later less earlier, with its 95 % interval over matches."""

    value: float
    low: float
    high: float
    turns: int
    matches: int

    def __str__(self) -> str:
        return (
            f"{100 * self.value:+.1f} points [{100 * self.low:+.1f}, {100 * self.high:+.1f}], "
            f"{self.turns} turns of {self.matches} matches"
        )


def rate(answers: Sequence[Answered], wrong: Callable[[Answered], bool]) -> str:
    """A rate with its Wilson interval."""
    n, k = len(answers), sum(map(wrong, answers))
    low, high = wilson(k, n)
    return f"{100 * k / n:.1f} % [{100 * low:.1f}, {100 * high:.1f}] ({k} of {n})"


def paired(before: Iterable[Answered], after: Iterable[Answered], wrong: Callable[[Answered], bool]) -> Difference:
    """The difference in the turns that both have; the turns of a match are one cluster of its standard error."""
    earlier = {each.place: wrong(each) for each in before}
    clusters: dict[str, list[int]] = defaultdict(list)
    for each in after:
        if each.place in earlier:
            clusters[each.match].append(wrong(each) - earlier[each.place])
    n, m = sum(map(len, clusters.values())), len(clusters)
    mean = sum(map(sum, clusters.values())) / n
    spread = sum((sum(each) - mean * len(each)) ** 2 for each in clusters.values())
    error = sqrt(spread * m / (m - 1)) / n if m > 1 else 0.0
    reach = NormalDist().inv_cdf(0.975) * error
    return Difference(mean, mean - reach, mean + reach, n, m)

"""Says before anything is played how many matches tell two agents apart, and what those that are planned can tell."""

from collections.abc import Iterator, Mapping
from typing import Final

from arena_cli.output import count, share

from arena_metric_outcomes import sample_size
from arena_metric_outcomes.sample_size import PowerRequest

SCORES: Final = (0.55, 0.6, 0.75)
"""The scores of one of the two for which the number of matches is told."""

LISTED: Final = 12
"""The most pairs that are told; those with the fewest matches come first."""

DEFAULT: Final = PowerRequest(level=0.95, power=0.8)
"""The test that ``arena power`` asks for unless it is told otherwise."""


def planned_lines(matches: Mapping[tuple[str, str], int], test: PowerRequest = DEFAULT) -> Iterator[str]:
    """A line on how many matches are needed, and one for each pair of agents on those that are planned for it.

    The numbers are those of ``arena power --score``: a match won counts 1, one lost 0, draws are left out, and matches
    are independent of each other.
    """
    if not matches:
        yield "no two agents meet in it; `arena power` says how many matches tell apart what they earn"
        return
    needed = ", ".join(f"{count(_needed(score, test))} if one scores {share(score, 0)}" for score in SCORES)
    yield f"matches to tell two agents apart that play each other ({test.short}, without draws): {needed}"
    pairs = sorted(matches.items(), key=lambda pair: (pair[1], pair[0]))
    for (first, second), planned in pairs[:LISTED]:
        are = "1 match is" if planned == 1 else f"{count(planned)} matches are"
        yield f"{first} \N{EN DASH} {second}: {are} planned, {_told(planned, test)}"
    if (left := len(pairs) - LISTED) > 0:
        yield f"{count(left)} more pairs have as many matches or more"


def _told(planned: int, test: PowerRequest) -> str:
    found = next((percent for percent in range(51, 100) if _needed(percent / 100, test) <= planned), None)
    if found is None:
        return "too few to tell them apart, whatever they score"
    return f"which tell them apart if one scores {found} % or more"


def _needed(score: float, test: PowerRequest) -> int:
    """How many matches find that one of two agents has this score against the other."""
    sizes = [(int(str(row[1])), float(str(row[-1]))) for row in sample_size.of_scores((score,), 0.0, 1, test).rows]
    return next((matches for matches, power in sizes if power >= test.power), sizes[-1][0])

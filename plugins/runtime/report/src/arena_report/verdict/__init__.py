"""Who is better, as far as the matches tell: one value that every format shows.

``verdict_of`` makes it from matches, by agents. It needs nothing but what matches returned: with the ratings that a
metric published leads are in points, without them they are shares.
"""

from arena_report.verdict.making import verdict_of, without_repeats
from arena_report.verdict.values import AgentRating, Contest, RankedAgent, RunHeadline, Verdict, VerdictPair

__all__ = [
    "AgentRating",
    "Contest",
    "RankedAgent",
    "RunHeadline",
    "Verdict",
    "VerdictPair",
    "verdict_of",
    "without_repeats",
]

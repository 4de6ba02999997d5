"""A rating of the TrueSkill family for any number of players: openskill's Plackett-Luce model, from match to match.

R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12 (2011) 267-300. Its scale is set
so that a lead of 400 points between two well-known agents is odds of ten to one, as on the scale of all the others.
"""

from collections.abc import Sequence
from math import sqrt

from arena_metric_ratings.contests import Contest
from arena_metric_ratings.orders import Level
from arena_metric_ratings.scale import POINTS


def rated(played: Sequence[Contest]) -> dict[str, Level]:
    """Each agent's rating after all matches, one after the other in this order.

    Agents do not change, so nothing is added to the deviations from match to match (tau is 0).
    """
    from openskill.models import PlackettLuce

    beta = POINTS / sqrt(2)
    model = PlackettLuce(mu=1500.0, sigma=2 * beta, beta=beta, tau=0.0)
    strengths = {agent: model.rating(name=agent) for contest in played for agent in contest.agents}
    for contest in played:
        if len(set(contest.agents)) < len(contest.agents):
            continue  # the model has no place for an agent that meets itself
        after = model.rate([[strengths[agent]] for agent in contest.agents], ranks=list(map(float, contest.places)))
        strengths |= {agent: own for agent, (own,) in zip(contest.agents, after, strict=True)}
    return {agent: Level(own.mu, own.sigma) for agent, own in strengths.items()}

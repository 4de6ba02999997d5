"""Bradley-Terry strengths against independent implementations, and where there are none."""

import itertools
from math import exp, log
from random import Random

import choix
import numpy as np
import pytest
from arena_metric_ratings.bradley_terry import Fit, Model, PairCounts
from arena_metric_ratings.choices import Choices, Recession, _are_opposed, _surer
from arena_metric_ratings.contests import Contest, groups
from arena_metric_ratings.intervals import standing
from arena_metric_ratings.scale import POINTS, Anchor
from scipy import optimize

AGENTS = ("ann", "bob", "cid", "dot", "eve")
SKILL = dict(zip(AGENTS, (1.2, 0.5, 0.0, -0.4, -1.3), strict=True))


def contest(first: str, second: str, score: float, number: int = 0) -> Contest:
    places = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}[score]
    return Contest(f"{first},{second}/{number}", f"b{number}", (first, second), places)


def tournament(ties: float = 0.0, seat: float = 0.0, rounds: int = 12, seed: int = 3) -> list[Contest]:
    """Everybody against everybody in both seats, by luck and skill."""
    luck, numbers = Random(seed), itertools.count()
    played = []
    for _ in range(rounds):
        for first, second in itertools.permutations(AGENTS, 2):
            lead = SKILL[first] - SKILL[second] + seat
            score = 0.5 if luck.random() < ties else float(luck.random() < 1 / (1 + exp(-lead)))
            played.append(contest(first, second, score, next(numbers)))
    return played


def fitted(played, agents=AGENTS, **model) -> Fit:
    return Fit.of(PairCounts.of(played, agents, Model(**model)))


def centred(values) -> list[float]:
    found = np.asarray(values, dtype=float)
    return list(found - found.mean())


def test_strengths_are_those_of_choix():
    """Without ties and seats: choix's estimate by Luce spectral ranking, to 1e-6."""
    played = tournament()
    won = [pair for c in played for pair in [(c.places.index(0), c.places.index(1))]]
    data = [(AGENTS.index(c.agents[i]), AGENTS.index(c.agents[j])) for c, (i, j) in zip(played, won, strict=True)]

    found = fitted(played, has_seats=False).values

    assert centred(found) == pytest.approx(centred(choix.ilsr_pairwise(5, data, max_iter=10_000, tol=1e-12)), abs=1e-6)


@pytest.mark.slow  # evalica brings pandas
def test_half_wins_are_those_of_evalica():
    """With ties as half a win for each: evalica's estimate, to 1e-6."""
    import evalica

    played = tournament(ties=0.3)
    word = {(0, 1): evalica.Winner.X, (1, 0): evalica.Winner.Y, (0, 0): evalica.Winner.Draw}
    peer = evalica.bradley_terry(
        [c.agents[0] for c in played],
        [c.agents[1] for c in played],
        [word[c.places] for c in played],
        tolerance=1e-15,
        limit=100_000,
    )

    found = fitted(played, has_seats=False).values

    assert centred(found) == pytest.approx(centred([log(peer.scores[agent]) for agent in AGENTS]), abs=1e-6)


def chances(worths: np.ndarray, nu: float, seat: float, i: int, j: int) -> tuple[float, float, float]:
    """Davidson and Beaver's model as it is written in their paper, in products."""
    first, second = worths[i] * seat, worths[j]
    tie = nu * (first * second) ** 0.5
    return tuple(part / (first + second + tie) for part in (first, second, tie))


def surplus(values: np.ndarray, played: list[Contest]) -> np.ndarray:
    """What was observed less what is expected: points of each agent, of the first seat, and ties; 0 at the maximum."""
    worths, nu, seat = np.exp(np.r_[0.0, values[:4]]), exp(values[4]), exp(values[5])
    found = np.zeros(7)
    for c in played:
        i, j = (AGENTS.index(agent) for agent in c.agents)
        first, _, tie = chances(worths, nu, seat, i, j)
        score = 0.5 if c.places == (0, 0) else float(c.places == (0, 1))
        gain = score - first - tie / 2
        found[[i, j, 5, 6]] += gain, -gain, gain, (score == 0.5) - tie
    return found[[1, 2, 3, 4, 6, 5]]


def test_davidson_with_seats_solves_its_equations():
    """With a parameter for ties and one for the first seat: a root of the model's equations in products, to 1e-6."""
    played = tournament(ties=0.25, seat=0.6)
    peer = optimize.root(surplus, np.zeros(6), args=(played,), tol=1e-13)
    assert peer.success

    fit = fitted(played, ties="davidson")

    lead = fit.values[1:5] - fit.values[0]
    assert list(lead) == pytest.approx(list(peer.x[:4]), abs=1e-6)
    assert fit.values[5] == pytest.approx(peer.x[5], abs=1e-6)
    assert fit.values[6] == pytest.approx(peer.x[4], abs=1e-6)


def test_hessian_is_that_of_differences():
    """The standard error of a lead is that of a Hessian by finite differences of the likelihood."""
    played = tournament(ties=0.25, seat=0.6)
    fit = fitted(played, ties="davidson")

    def loss(values):
        full = np.r_[0.0, values[:4], values[5], values[4]]
        return -fit.choices.log_likelihood(full)

    at = np.r_[fit.values[1:5] - fit.values[0], fit.values[6], fit.values[5]]
    step = 1e-4
    steps = np.eye(6) * step
    hessian = [
        [(loss(at + a + b) - loss(at + a - b) - loss(at - a + b) + loss(at - a - b)) / (4 * step**2) for b in steps]
        for a in steps
    ]
    error = np.sqrt(np.linalg.inv(np.array(hessian))[0, 0])

    assert fit.error(fit.strength(1, [0])) == pytest.approx(error, rel=1e-4)


def shown(played, agents=AGENTS, anchor=None, level=0.95, **model):
    pairs = PairCounts.of(played, agents, Model(**model))
    return standing(played, pairs, anchor or Anchor(), resamples=200, level=level, seed=1)


def test_anchor_is_where_it_was_put():
    """The chosen agent has the chosen rating, without an interval; leads do not depend on the anchor."""
    played = tournament()

    by_mean = {each.agent: each.bootstrap for each in shown(played).rated}
    by_cid = {each.agent: each for each in shown(played, anchor=Anchor("cid", 1000.0)).rated}

    assert sum(each.value for each in by_mean.values()) == pytest.approx(5 * 1500)
    assert (by_cid["cid"].bootstrap.value, by_cid["cid"].bootstrap.low) == (1000.0, None)
    assert by_cid["cid"].hessian.method == "the anchor, by definition"
    for agent, own in by_mean.items():
        assert by_cid[agent].bootstrap.value - 1000 == pytest.approx(own.value - by_mean["cid"].value)


def test_bootstrap_agrees_with_the_hessian():
    """Where matches are independent both intervals are of about the same width, and a doubled match counts once."""
    played = tournament(rounds=30)
    twice = [Contest(f"{c.match}/{i}", c.block, c.agents, c.places) for c in played for i in range(2)]

    once, doubled = shown(played), shown(twice)

    for own, other in zip(once.rated, doubled.rated, strict=True):
        width = own.bootstrap.high - own.bootstrap.low
        assert width == pytest.approx(own.hessian.high - own.hessian.low, rel=0.25)
        assert other.bootstrap.high - other.bootstrap.low == pytest.approx(width, rel=0.25)
        assert other.hessian.high - other.hessian.low == pytest.approx(width / 2**0.5, rel=0.25)
        assert (own.bootstrap.unit, other.bootstrap.unit) == ("matches", "blocks")


def test_undefeated_agent_is_unbounded():
    """Who won everything has no finite strength; what bounds it from below is Clopper's and Pearson's limit."""
    agents = ("ann", "bob")
    played = [contest("ann", "bob", 1.0, i) for i in range(3)]

    best, other = shown(played, agents, Anchor("bob"), has_seats=False).rated

    assert (best.agent, best.bound, best.rank) == ("ann", "above", 1)
    assert best.bootstrap.value is None
    share = 0.05 ** (1 / 3)
    assert best.limit == pytest.approx(1500 + POINTS * log(share / (1 - share)), abs=0.01)
    assert (other.bound, other.bootstrap.value) == ("finite", 1500.0)


def test_three_wins_do_not_settle_a_rank():
    """Equal resamples prove nothing: five wins leave ranks open, as 1/32 is more than 2.5%, and six settle them."""
    agents = ("ann", "bob")

    def ends(wins: int, matches_in_block: int = 1) -> list[tuple[int, int]]:
        played = [contest("ann", "bob", 1.0, i // matches_in_block) for i in range(wins)]
        return [(each.best, each.worst) for each in shown(played, agents, has_seats=False).rated]

    assert ends(5) == [(1, 2), (1, 2)]
    assert ends(6) == [(1, 1), (2, 2)]
    assert ends(10, matches_in_block=2) == [(1, 2), (1, 2)]


def test_unbeaten_groups_are_compared_within():
    """Two who beat all others, and each other once each, have a finite difference; those below are out of reach."""
    played = [contest(a, b, 1.0, i) for i, (a, b) in enumerate(itertools.product(("ann", "bob"), ("cid", "dot")))]
    played += [contest("ann", "bob", 1.0, 10), contest("bob", "ann", 1.0, 11), contest("bob", "ann", 1.0, 12)]
    played += [contest("cid", "dot", 1.0, 13), contest("dot", "cid", 1.0, 14)]

    found = {each.agent: each for each in shown(played, AGENTS[:4], Anchor("ann"), has_seats=False).rated}

    assert found["bob"].bootstrap.value == pytest.approx(1500 + POINTS * log(2))
    assert {found["cid"].bound, found["dot"].bound} == {"below"}


def test_agents_that_one_beats_are_not_comparable():
    """Two that only lost, to the same agent, say nothing of each other."""
    played = [contest("ann", other, 1.0, i) for i, other in enumerate(("bob", "cid"))]

    found = {each.agent: each for each in shown(played, AGENTS[:3], Anchor("bob"), has_seats=False).rated}

    assert (found["ann"].bound, found["cid"].bound) == ("above", "apart")
    assert found["cid"].rank is None


def test_prior_makes_all_finite():
    """With a prior the undefeated have the strength that solves the equation of the posterior's mode."""
    played = [contest("ann", "bob", 1.0, i) for i in range(3)]

    best = shown(played, AGENTS[:2], Anchor("bob"), has_seats=False, prior=400.0).rated[0]

    spread = 400 / POINTS
    half = optimize.brentq(lambda x: 3 / (1 + exp(2 * x)) - x / spread**2, 0, 20)
    assert best.bound == "finite"
    assert best.bootstrap.value == pytest.approx(1500 + POINTS * 2 * half)


def test_seat_that_always_wins_is_unbounded():
    """If only the first seat ever wins, its advantage has no bound, and nothing tells the agents apart."""
    played = [contest(a, b, 1.0, i) for i, (a, b) in enumerate([("ann", "bob"), ("bob", "ann")] * 4)]

    found = shown(played, AGENTS[:2])

    assert found.seat == "unbounded above"
    assert {each.bound for each in found.rated} == {"finite", "apart"}


def test_groups_that_never_met_are_found():
    """Agents connected by matches, directly or through others, are one group."""
    played = [contest("ann", "bob", 1.0), contest("bob", "cid", 1.0, 1), contest("dot", "eve", 0.5, 2)]

    assert groups(played) == (("ann", "bob", "cid"), ("dot", "eve"))


def test_weighted_match_counts_as_several():
    """A match of weight two counts as two matches, in the estimate and in each resample."""
    played = tournament(rounds=4)
    weighted = [Contest(c.match, c.block, c.agents, c.places, 1.0 + i % 2) for i, c in enumerate(played)]
    several = [
        Contest(f"{c.match}/{k}", c.block, c.agents, c.places) for i, c in enumerate(played) for k in range(1 + i % 2)
    ]

    assert list(fitted(weighted).values) == pytest.approx(list(fitted(several).values))
    for own, other in zip(shown(weighted).rated, shown(several).rated, strict=True):
        assert own.bootstrap.value == pytest.approx(other.bootstrap.value)
        assert (own.best, own.worst) == (other.best, other.worst)
        assert own.bootstrap.low == pytest.approx(other.bootstrap.low, abs=1)


def test_lead_has_an_interval_that_agrees_with_the_ranks():
    """The lead is the difference of two strengths; where it surely is above 0, and only there, one is ahead."""
    found = shown(tournament(rounds=6))
    rated = {each.agent: each.bootstrap.value for each in found.rated}

    for first, second in itertools.combinations((each.agent for each in found.rated), 2):
        lead, low, high = found.comparisons.lead(first, second)
        assert lead == pytest.approx(rated[first] - rated[second])
        assert low < lead < high
        assert found.comparisons.is_ahead(first, second) == (low > 0)


def test_lead_without_bound_is_none():
    """Nothing bounds how far ahead an undefeated agent is."""
    played = [contest("ann", "bob", 1.0, i) for i in range(6)]

    assert shown(played, ("ann", "bob"), has_seats=False).comparisons.lead("ann", "bob") is None


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("ties", ["half", "davidson"])
@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_nothing_is_solved_where_everything_happened_both_ways(monkeypatch, ties, rounds):
    """What is found without the linear program, and that it need not be solved, is what the program says."""
    found: set[bool] = set()
    for seed in range(12):
        played = tournament(ties=0.3, rounds=rounds, seed=seed)
        choices = fitted(played, ties=ties, has_seats=False).choices
        quick = Recession.of(choices)
        with monkeypatch.context() as patched:
            patched.setattr("arena_metric_ratings.choices._are_opposed", lambda rows: False)
            solved = Recession.of(choices)
        found.add(_are_opposed(quick.rows))

        assert np.array_equal(quick.limit.allowed, solved.limit.allowed)
        assert np.array_equal(quick.free, solved.free)
        assert np.array_equal(quick.away, solved.away)
    assert rounds < 6 or True in found


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("has_seats", [False, True])
@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_few_results_need_no_linear_program(monkeypatch, ties, has_seats):
    """Where little happened, what is found without the linear program is what the program says."""
    found: set[bool] = set()
    names = ("ann", "bob", "cyd")
    pairs = (("ann", "bob"), ("bob", "cyd"), ("ann", "bob"))
    lost, drawn, won = 0.0, 0.5, 1.0
    for scores in itertools.product((lost, drawn, won), repeat=3):
        played = [contest(a, b, s, i) for i, ((a, b), s) in enumerate(zip(pairs, scores, strict=True))]
        fit = fitted(played, names, ties=ties, has_seats=has_seats)
        quick = fit.recession
        contrasts = [fit.strength(i, [j]) for i, j in itertools.permutations(range(len(names)), 2)]
        bounds = [quick.reach(contrast) for contrast in contrasts]
        found.add(_surer(quick.rows) is not None)
        with monkeypatch.context() as patched:
            patched.setattr("arena_metric_ratings.choices._independent", lambda rows: None)
            solved = Recession.of(fit.choices)

            assert np.array_equal(quick.limit.allowed, solved.limit.allowed)
            assert np.allclose(quick.away, solved.away)
            assert quick.free.shape == solved.free.shape
            assert np.allclose(quick.free @ quick.free.T, solved.free @ solved.free.T)
            assert bounds == [solved.reach(contrast) for contrast in contrasts]
    assert found == {False, ties == "half"}


def test_a_step_that_leads_very_far_is_weighed_without_overflow():
    """Where one agent wins everything, a step of Newton's method may be too long to be squared."""
    won = Choices(
        design=np.array([[[1.0], [0.0]]]),
        counts=np.array([[1.0, 0.0]]),
        allowed=np.ones((1, 2), dtype=bool),
        precision=np.zeros(1),
    )

    with np.errstate(over="raise", invalid="raise"):
        assert won.log_likelihood(np.array([1e200])) == 0.0

"""How often the standings err, and how often they find what is there: simulated benchmarks of known truth.

    python benchmarks/standings.py [--runs 200] [--quick] [--write]

Agents meet in pairs, so many blocks each, two matches a block with seats changed. What is said of them is what a report
says: strengths, statistics, one critical value for all pairs, intervals. Seeds are fixed. A share of runs has a Monte
Carlo error of the root of p (1 − p) / runs: 1.5 points for 5 % of 200 runs, 0.5 of 2,000.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from math import exp, log
from typing import Any, Literal

import attrs
import numpy as np
from arena_standings import Contest, GameKind
from arena_standings.rows import rows_of
from arena_standings.separation import Separation, critical_value
from ratios.rows import Row, limited
from ratios.script import run

SEED = 20_261_129
STRONG = log(3)
"""The lead of an agent that wins 75 of 100 matches against each other one."""

SIGNS = 4_999
"""Changes of signs for each critical value: a quarter of those of a report, so that more can be simulated."""

Returns = Literal["wins", "draws", "payoffs"]


@attrs.frozen
class Design:
    """Strengths of agents in log-odds by game, blocks a pair, what a match returns, and whether blocks are alike.

    Without ``chance`` each match is a result of its own. With ``alike`` both matches of a block end the same way.
    """

    strengths: tuple[tuple[float, ...], ...]
    blocks: int
    returns: Returns = "wins"
    alike: bool = False
    chance: bool = True

    @property
    def games(self) -> dict[str, GameKind]:
        """What must be known of its games."""
        kind: Any = "pays" if self.returns == "payoffs" else "wins"
        return {f"g{g}": GameKind(kind=kind, chance=self.chance) for g in range(len(self.strengths))}

    def played(self, random: np.random.Generator, first: int = 0) -> list[Contest]:
        """The matches of one benchmark; blocks are numbered from ``first``."""
        found: list[Contest] = []
        for g, strengths in enumerate(self.strengths):
            for i, j in combinations(range(len(strengths)), 2):
                for block in range(first, first + self.blocks):
                    drawn = [self._value(strengths[i] - strengths[j], random) for _ in range(2)]
                    for turn, value in enumerate([drawn[0]] * 2 if self.alike else drawn):
                        seats, gains = ((i, j), (value, -value)) if turn else ((j, i), (-value, value))
                        name, agents = f"{g}/{i}-{j}/{block}", tuple(f"a{k:02}" for k in seats)
                        made = Contest(game=f"g{g}", block=name, match=f"{name}/{turn}", agents=agents, returns=gains)
                        found.append(made)
        return found

    def _value(self, lead: float, random: np.random.Generator) -> float:
        """The return of the first agent."""
        if self.returns == "payoffs":
            return float(random.normal(lead / 2, 1.0))
        if self.returns == "draws" and random.random() < 0.5:
            return 0.0
        return 1.0 if random.random() < 1 / (1 + exp(-lead)) else -1.0


@attrs.frozen
class Told:
    """What is said of one benchmark: the pairs that are told apart, the better one first, and leads with ends."""

    apart: frozenset[tuple[int, int]]
    ends: tuple[tuple[float | None, float | None], ...] = ()


def told(contests: Sequence[Contest], games: dict[str, GameKind], *, with_ends: bool = False) -> Told:
    """Judge all pairs of a benchmark as a report does."""
    agents = sorted({agent for each in contests for agent in each.agents})
    separation = Separation(rows_of(contests, agents, games))
    family = separation.of_pairs()
    critical = critical_value([family.scores], draws=SIGNS)
    apart = {
        (a, b) if t > 0 else (b, a) for (a, b), t in zip(separation.pairs, family.t, strict=True) if abs(t) > critical
    }
    ends = tuple(family.intervals(critical, range(len(separation.pairs)))) if with_ends else ()
    return Told(frozenset(apart), ends)


def runs_of(design: Design, runs: int, seed: int) -> list[Told]:
    """What is said of so many benchmarks of one design."""
    random = np.random.default_rng([SEED, seed])
    return [told(design.played(random), design.games) for _ in range(runs)]


def errors(design: Design, runs: int, seed: int) -> float:
    """In what share of benchmarks of equal agents anybody is told apart."""
    return sum(bool(each.apart) for each in runs_of(design, runs, seed)) / runs


def power(design: Design, runs: int, seed: int) -> tuple[float, float, float]:
    """How often the first agent is told apart from another one, from all, and how often equal ones are told apart."""
    others = len(design.strengths[0]) - 1
    found = runs_of(design, runs, seed)
    each = sum(a == 0 for one in found for a, _ in one.apart) / runs / others
    whole = sum(sum(a == 0 for a, _ in one.apart) == others for one in found) / runs
    return each, whole, sum(any(a and b for a, b in one.apart) for one in found) / runs


def covered(design: Design, runs: int, seed: int) -> float:
    """In what share of benchmarks all intervals of leads hold the truth together."""
    random = np.random.default_rng([SEED, seed])
    (strengths,) = design.strengths
    hits = 0
    for _ in range(runs):
        found = told(design.played(random), design.games, with_ends=True)
        truths = [strengths[i] - strengths[j] for i, j in combinations(range(len(strengths)), 2)]
        hits += all(
            (low is None or low <= truth) and (high is None or truth <= high)
            for truth, (low, high) in zip(truths, found.ends, strict=True)
        )
    return hits / runs


def grown(design: Design, more: Design, runs: int, seed: int) -> tuple[float, int]:
    """The share of pairs told apart that are open with ``more`` beside, and how many are turned round."""
    random = np.random.default_rng([SEED, seed])
    apart = opened = turned = 0
    for _ in range(runs):
        played = design.played(random)
        before = told(played, design.games).apart
        new = more.played(random, design.blocks if more.games.keys() == design.games.keys() else 0)
        if more.games.keys() == design.games.keys():
            after = told([*played, *new], design.games).apart
        else:
            games = {**design.games, "other": more.games["g0"]}
            beside = [attrs.evolve(each, game="other", block=f"other/{each.block}") for each in new]
            after = told([*played, *beside], games).apart
        apart += len(before)
        opened += sum(pair not in after for pair in before)
        turned += sum((b, a) in after for a, b in before)
    return opened / max(apart, 1), turned


def cells(quick: bool) -> list[Design]:
    """Designs of equal agents, from ten blocks on."""
    sizes = [(2, 10), (4, 10)] if quick else [(2, 10), (2, 30), (2, 100), (4, 10), (4, 30), (7, 10), (12, 10)]
    kinds: tuple[Returns, ...] = ("wins", "payoffs") if quick else ("wins", "draws", "payoffs")
    return [
        Design(((0.0,) * agents,), blocks, returns, alike)
        for agents, blocks in sizes
        for returns in kinds
        for alike in (False, True)
    ]


def _slope(agents: int) -> tuple[float, ...]:
    return tuple(1.5 - 3.0 * i / (agents - 1) for i in range(agents))


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """All simulations, two at a time."""
    runs, fewer = options.runs, max(options.runs // 2, 1)
    strong = ((STRONG, *(0.0,) * 6),)
    three = ((1.2, 0.4, 0.0),)
    with ProcessPoolExecutor(2) as pool:
        equal = [pool.submit(errors, design, runs, i) for i, design in enumerate(cells(options.quick))]
        powers = {
            f"seven agents, {blocks} repeats, {what}": pool.submit(
                power, Design(strong, blocks, chance=chance), fewer, 1_000 + i
            )
            for i, (blocks, what, chance) in enumerate(
                ((10, "deals", True), (12, "deals", True), (10, "no chance", False))
            )
        }
        coverage = {
            f"{agents} agents, {blocks} blocks": pool.submit(
                covered, Design((_slope(agents),), blocks), fewer, 2_000 + i
            )
            for i, (agents, blocks) in enumerate(((2, 10), (4, 5), (4, 10), (4, 30), (7, 10)))
        }
        again = pool.submit(grown, Design(three, 10), Design(three, 10), fewer, 3_000)
        game = pool.submit(grown, Design(three, 10), Design(three, 10, chance=False), fewer, 3_001)
        shares = [each.result() for each in equal]
        note = f"{len(shares)} designs of {runs} runs"
        yield limited(
            "any false statement, equal agents, all designs together", 100 * float(np.mean(shares)), 5.3, "%", note
        )
        yield limited("any false statement, equal agents, the worst design", 100 * max(shares), 6.5, "%", note)
        for name, future in powers.items():
            each, whole, false = future.result()
            told_of = f"all six in {100 * whole:.1f} %, equal ones in {100 * false:.1f} % of {fewer} runs"
            yield Row(
                name=f"a 75:25 agent told apart from each other one: {name}",
                ratios=(each,),
                goal=0.88,
                is_more_better=True,
                against="limit",
                note=told_of,
            )
        for name, future in coverage.items():
            yield Row(
                name=f"all intervals hold together: {name}",
                ratios=(future.result(),),
                goal=0.93,
                is_more_better=True,
                against="limit",
                note=f"{fewer} runs",
            )
        for name, future in (("as many repeats again", again), ("a second game of the same truth", game)):
            opened, turned = future.result()
            yield limited(
                f"pairs told apart that {name} opens", 100 * opened, 3, "%", f"{turned} turned round, {fewer} runs"
            )


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument(
        "--runs",
        type=int,
        default=200,
        help="simulated benchmarks of each design of equal agents; half as many of the others",
    )


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))

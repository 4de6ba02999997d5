"""Compares two agents in the matches they played against each other, and tests whether chance explains it."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.comparisons import Comparison, holm, sign_flip
from arena_metric_statistics.effects import of_pairs
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import Booleans, Floats, Integers, np
from arena_metric_statistics.proportions import share

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.failures import RETURN, in_pairs, without_returns
from arena_metric_outcomes.results import difference_bounds


@attrs.frozen(eq=False)
class HeadToHead:
    """All matches of one game in which both agents met, as one difference of returns per match.

    ``disqualified`` counts those that have no returns, since somebody failed: it lost them, and the others won.
    """

    game: str
    first: str
    second: str
    differences: Sequence[float]
    blocks: Sequence[Hashable]
    matches: Sequence[str]
    test: Comparison | None
    disqualified: int = 0

    def count(self, sign: int) -> int:
        """How many matches the first agent won (1), drew (0) or lost (-1), by ``sign``."""
        return sum((difference > 0) - (difference < 0) == sign for difference in self.differences)

    def ahead(self, level: float) -> Estimate:
        """The share of matches in which the first agent earned more."""
        return share([difference > 0 for difference in self.differences], clusters=self.blocks, level=level)

    def difference(self, table: Measurements) -> Estimate:
        """The mean of what the first agent earned more than the second."""
        bounds = difference_bounds(table.baselines.get(self.game), self.differences)
        return mean(self.differences, clusters=self.blocks, level=table.level, bounds=bounds)


def head_to_head(table: Measurements, found: Sequence[HeadToHead]) -> Table:
    """Each pair of agents in each game, with a paired test if both had the same seats with the same deals."""
    tested = [duel for duel in found if duel.test]
    corrected = dict(zip(map(id, tested), holm([duel.test.p for duel in tested if duel.test]), strict=True))
    has_out = any(duel.disqualified for duel in found)
    columns = (
        *text("game", "agent", "against"),
        *counts("matches", "ahead", "level", "behind", *(("by disqualification",) if has_out else ())),
        *shares("ahead in"),
        *numbers("mean difference", "effect (d)"),
        *numbers("p", "p (Holm)", unit="probability"),
    )
    lines: list[tuple[Cell, ...]] = []
    for duel in found:
        reference = table.baselines.get(duel.game)
        is_contest = reference is None or reference.has_winners
        lines.append(
            (
                *(duel.game, duel.first, duel.second, len(duel.differences)),
                *(duel.count(1), duel.count(0), duel.count(-1)),
                *((duel.disqualified,) if has_out else ()),
                duel.ahead(table.level) if is_contest else None,
                duel.difference(table),
                of_pairs(duel.differences, clusters=duel.blocks, level=table.level),
                duel.test.p if duel.test else None,
                corrected.get(id(duel)),
            )
        )
    note = (
        "Differences are returns of the agent less those of the other; between equals, such as two random players, 0 "
        "is expected. The effect is Cohen's d, over blocks. p is of a two-sided test by sign flips, over rotation "
        "blocks in which both sat in the same seats; p (Holm) allows for all rows."
    )
    if has_out:
        note = (
            f"{note} By disqualification: of these matches, those lost by whoever failed and won by the others, with "
            "the least and the greatest return of the game."
        )
    return Table(title="Head to head", columns=columns, rows=tuple(lines), note=note)


def duels(table: Measurements, rows: Sequence[MeasurementRow] | Columns) -> Iterator[HeadToHead]:
    """Every pair of agents that met, by game."""
    given = Columns.of(rows)
    returns, lost = in_pairs(given, table.baselines).named(RETURN), without_returns(given)
    met: dict[tuple[str, str, str], set[int]] = defaultdict(set)
    for place in np.flatnonzero(np.bincount(returns.kinds)).tolist():
        kind = returns.shared.kinds[place]
        for first, second in combinations(sorted(set(kind.agents)), 2):
            met[kind.game, first, second].add(place)
    for (game, first, second), kinds in sorted(met.items(), key=lambda item: item[0]):
        reference = table.baselines.get(game)
        if reference and reference.returns == "cooperative":
            continue
        own = returns.where(np.isin(returns.kinds, [*kinds]))
        one, two = (_Seated.of(own, agent) for agent in (first, second))
        matches = own.by_match()
        gaps = one.means(matches.labels) - two.means(matches.labels)
        firsts = own.where(matches.firsts)
        test = _test(one, two, gaps, firsts, table.seed)
        out = int(np.isin(firsts.matches, lost.matches).sum())
        yield HeadToHead(game, first, second, gaps.tolist(), firsts.clusters, firsts.match_ids(), test, out)


@attrs.frozen(eq=False)
class _Seated:
    """The returns of one agent, and 0 in the rows of others."""

    rows: Columns
    is_own: Booleans

    @classmethod
    def of(cls, rows: Columns, agent: str) -> "_Seated":
        return cls(rows, rows.by_player(lambda kind, player: kind.agents[player] == agent))

    def means(self, labels: Integers) -> Floats:
        """The mean over the agent's seats, by label."""
        own = labels[self.is_own]
        return np.bincount(own, self.rows.values()[self.is_own]) / np.bincount(own)

    def seats(self, ranks: Integers, shape: tuple[int, int]) -> Integers:
        """How often the agent had each seat, by block."""
        places = ranks * shape[1] + self.rows.players
        return np.bincount(places[self.is_own], minlength=shape[0] * shape[1]).reshape(shape)


def _test(one: _Seated, two: _Seated, gaps: Floats, firsts: Columns, seed: int) -> Comparison | None:
    rows = one.rows
    ranks, places = np.unique(rows.block_ranks, return_inverse=True)
    shape = len(ranks), rows.shared.width
    is_fair = (one.seats(places, shape) == two.seats(places, shape)).all(axis=1)
    blocks = np.searchsorted(ranks, firsts.block_ranks)
    fair = (np.bincount(blocks, gaps) / np.bincount(blocks))[is_fair]
    return sign_flip(fair, seed=seed) if len(fair) else None

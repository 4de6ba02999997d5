"""Compares two agents that got the same deals in the same seats against the same opponents, in separate matches."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.columns import Columns, Kind
from arena_metric_statistics.comparisons import Comparison, holm, sign_flip
from arena_metric_statistics.effects import of_pairs
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import Floats, Integers, np

from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_outcomes.results import difference_bounds

_NOTE = (
    "Differences of returns, the agent's less the other's, between two matches with the same deals, in the same seat "
    "and with the same others at the table; 0 is expected between equals. The effect is Cohen's d, over blocks. p is "
    "of a two-sided test by sign flips of whole blocks; p (Holm) allows for all rows."
)


_Place = tuple[str, int, tuple[str, ...]]
"""A game, a player's number, and the agents of all players, with an empty one in its own place."""


@attrs.frozen(eq=False)
class DealPairs:
    """The differences of returns of two agents that replaced each other, with the block of each."""

    game: str
    first: str
    second: str
    differences: Sequence[float]
    blocks: Sequence[str]

    def difference(self, table: Measurements) -> Estimate:
        """The mean of what the first agent earned more than the second in its place."""
        bounds = difference_bounds(table.baselines.get(self.game), self.differences)
        return mean(self.differences, clusters=self.blocks, level=table.level, bounds=bounds)

    def test(self, seed: int) -> Comparison:
        """A sign-flip test in which the differences of a block flip together."""
        found: dict[str, list[float]] = defaultdict(list)
        for difference, block in zip(self.differences, self.blocks, strict=True):
            found[block].append(difference)
        return sign_flip([sum(own) / len(own) for _, own in sorted(found.items())], seed=seed)


def same_deals(table: Measurements, rows: Columns) -> Table:
    """Each pair of agents in each game in which both got the same deals."""
    found = list(pairs(rows))
    tests = [each.test(table.seed) for each in found]
    columns = (
        *text("game", "agent", "in the place of"),
        *counts("pairs"),
        *numbers("mean difference", "effect (d)"),
        *numbers("p", "p (Holm)", unit="probability"),
    )
    lines: list[tuple[Cell, ...]] = [
        (
            *(each.game, each.first, each.second, len(each.differences)),
            each.difference(table),
            of_pairs(each.differences, clusters=each.blocks, level=table.level),
            test.p,
            corrected,
        )
        for each, test, corrected in zip(found, tests, holm([test.p for test in tests]), strict=True)
    ]
    return Table(title="Same deals", columns=columns, rows=tuple(lines), note=_NOTE)


def pairs(rows: Sequence[MeasurementRow] | Columns) -> Iterator[DealPairs]:
    """All pairs of agents that replaced each other, by game."""
    returns = _replaced(Columns.of(rows).named("return"))
    names, ranks = returns.shared.blocks, returns.shared.block_ranks
    found: dict[tuple[str, str, str], list[tuple[Floats, Integers]]] = defaultdict(list)
    for (game, _, others), earned in _earned(returns).items():
        # Matches in which the two also met, or one played itself, do not have the same opponents for both.
        for first, second in combinations(sorted(earned.keys() - set(others)), 2):
            (own, mine), (other, its) = earned[first], earned[second]
            both, at, its_at = np.intersect1d(own, other, assume_unique=True, return_indices=True)
            found[game, first, second].append((mine[at] - its[its_at], both))
    for (game, first, second), parts in sorted(found.items(), key=lambda item: item[0]):
        differences, blocks = (np.concatenate(each) for each in zip(*parts, strict=True))
        if len(blocks):
            order = np.lexsort((ranks[blocks], differences))
            ordered: list[int] = blocks[order].tolist()
            yield DealPairs(game, first, second, differences[order].tolist(), [names[block] for block in ordered])


def _earned(returns: Columns) -> dict[_Place, dict[str, tuple[Integers, Floats]]]:
    """The blocks in which each agent was in a place, and what it earned in them."""
    numbers: dict[tuple[_Place, str], int] = {}

    def number(kind: Kind, player: int) -> int:
        place = kind.game, player, _others(kind, player)
        return numbers.setdefault((place, kind.agents[player] if player >= 0 else ""), len(numbers))

    own, blocks, values = returns.by_player(number), returns.blocks, returns.values()
    order = np.lexsort((blocks, own))
    own, blocks, values = own[order], blocks[order], values[order]
    is_last = np.append((own[1:] != own[:-1]) | (blocks[1:] != blocks[:-1]), np.ones(min(len(own), 1), dtype=bool))
    own, blocks, values = own[is_last], blocks[is_last], values[is_last]
    ends = np.searchsorted(own, np.arange(len(numbers)), side="right").tolist()
    found: dict[_Place, dict[str, tuple[Integers, Floats]]] = defaultdict(dict)
    for (place, agent), start, end in zip(numbers, [0, *ends], ends, strict=False):
        if start < end:
            found[place][agent] = blocks[start:end], values[start:end]
    return found


def _replaced(returns: Columns) -> Columns:
    """The rows with places that several agents had, in any block."""
    had: dict[tuple[str, int, tuple[str, ...]], set[str]] = defaultdict(set)
    for place in np.flatnonzero(np.bincount(returns.kinds)).tolist():
        kind = returns.shared.kinds[place]
        for player, agent in enumerate(kind.agents):
            had[kind.game, player, _others(kind, player)].add(agent)

    def is_replaced(kind: Kind, player: int) -> bool:
        return len(had[kind.game, player, _others(kind, player)]) > 1

    return returns.where(returns.by_player(is_replaced)) if len(returns) else returns


def _others(kind: Kind, player: int) -> tuple[str, ...]:
    return (*kind.agents[:player], "", *kind.agents[player + 1 :])

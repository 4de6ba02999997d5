"""Compares two agents in the matches they played against each other, and tests whether chance explains it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Cell, Estimate, Table
from arena_metric_statistics.comparisons import Comparison, holm, sign_flip
from arena_metric_statistics.effects import of_pairs
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.results import grouped


@attrs.frozen(eq=False)
class HeadToHead:
    """All matches of one game in which both agents have a return, as one difference of returns per match."""

    game: str
    first: str
    second: str
    differences: Sequence[float]
    blocks: Sequence[str]
    matches: Sequence[str]
    test: Comparison | None

    def count(self, sign: int) -> int:
        """How many matches the first agent won (1), drew (0) or lost (-1), by ``sign``."""
        return sum((difference > 0) - (difference < 0) == sign for difference in self.differences)

    def ahead(self, level: float) -> Estimate:
        """The share of matches in which the first agent earned more."""
        return share([difference > 0 for difference in self.differences], clusters=self.blocks, level=level)

    def difference(self, table: Measurements) -> Estimate:
        """The mean of what the first agent earned more than the second."""
        return mean(self.differences, clusters=self.blocks, level=table.level, bounds=_bounds(table, self))


def head_to_head(table: Measurements, found: Sequence[HeadToHead]) -> Table:
    """Each pair of agents in each game, with a paired test if both had the same seats with the same deals."""
    tested = [duel for duel in found if duel.test]
    corrected = dict(zip(map(id, tested), holm([duel.test.p for duel in tested if duel.test]), strict=True))
    columns = (
        *text("game", "agent", "against"),
        *counts("matches", "ahead", "level", "behind"),
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
    return Table(title="Head to head", columns=columns, rows=tuple(lines), note=note)


def duels(table: Measurements, rows: Sequence[MeasurementRow]) -> Iterator[HeadToHead]:
    """Every pair of agents that met, by game."""
    matches = grouped((row for row in rows if row.name == "return"), "match")
    differences: dict[tuple[str, str, str], list[tuple[float, list[MeasurementRow]]]] = defaultdict(list)
    for own in matches.values():
        earned: dict[str, list[float]] = defaultdict(list)
        for row in own:
            earned[str(row.agent)].append(float(row.value or 0))
        for first, second in combinations(sorted(earned), 2):
            gap = sum(earned[first]) / len(earned[first]) - sum(earned[second]) / len(earned[second])
            differences[own[0].game, first, second].append((gap, own))
    for (game, first, second), found in sorted(differences.items(), key=lambda item: item[0]):
        reference = table.baselines.get(game)
        if reference and reference.returns == "cooperative":
            continue
        gaps, blocks = [gap for gap, _ in found], [own[0].block for _, own in found]
        matches = [own[0].match for _, own in found]
        yield HeadToHead(game, first, second, gaps, blocks, matches, _test(first, second, found, table.seed))


def _test(first: str, second: str, found: Sequence[tuple[float, list[MeasurementRow]]], seed: int) -> Comparison | None:
    gaps: dict[str, list[float]] = defaultdict(list)
    seats: dict[str, dict[str, Counter[int]]] = defaultdict(lambda: {first: Counter(), second: Counter()})
    for gap, own in found:
        block = own[0].block
        gaps[block].append(gap)
        for row in own:
            if row.agent in (first, second) and row.player is not None:
                seats[block][row.agent][row.player] += 1
    fair = [sum(gaps[block]) / len(gaps[block]) for block, by in sorted(seats.items()) if by[first] == by[second]]
    return sign_flip(fair, seed=seed) if fair else None


def _bounds(table: Measurements, duel: HeadToHead) -> tuple[float, float] | None:
    reference = table.baselines.get(duel.game)
    if reference is None or reference.min_return is None or reference.max_return is None:
        return None
    width = max(reference.max_return - reference.min_return, *map(abs, duel.differences))
    return -width, width

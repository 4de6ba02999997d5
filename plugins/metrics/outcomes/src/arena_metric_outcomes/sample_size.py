"""Tables of how many matches it takes to tell two agents apart: from a run, an effect, or expected scores."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil, inf, sqrt
from pathlib import Path
from typing import Final

import attrs
from arena.metric import Baseline, FinishedMatch, Measurements
from arena.tables import Table
from arena_engine import Journal, configurations_of, recorded_games
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.planning import (
    deviation_of_score,
    for_group_difference,
    for_mean_difference,
    power_of,
    power_of_groups,
)
from arena_report import ContestReader, families_of, game_kind, measure_all
from arena_standings import Pair, standings_of

from arena_metric_outcomes.columns import counts, numbers, shares
from arena_metric_outcomes.failures import RETURN, with_failures
from arena_metric_outcomes.head_to_head import duels
from arena_metric_outcomes.outcomes import Outcomes
from arena_metric_outcomes.same_deals import pairs

APART = "apart"
"""How two agents are compared that share neither matches nor deals."""

RANDOM = "random"
"""The plugin of agents that play at random."""

ALL_GAMES = "all games"
"""Stands for the game where two agents are compared over all of them."""

_NOBODY: Final = "{}: no two of these agents have results in one of these games"

_HALVES = (0.5, 1.0, 2.0)
"""The multiples of the needed matches for which the power is shown."""


@attrs.frozen(kw_only=True)
class PowerRequest:
    """The required test: ``level`` is 1 - the chance of a false alarm, ``power`` the chance of finding the effect."""

    level: float
    power: float

    @property
    def note(self) -> str:
        """The required level and power in words."""
        return f"For a power of {self.power:.0%} with a two-sided test at {self.level:.0%}."

    @property
    def short(self) -> str:
        """The same in as few words as possible."""
        return f"power {100 * self.power:g} %, level {100 * self.level:g} %"


def of_effect(difference: float, deviation: float, block: int, test: PowerRequest, *, are_paired: bool) -> Table:
    """From a difference and its standard deviation between blocks, or between one agent's observations."""
    if are_paired:
        needed = for_mean_difference(deviation, difference, level=test.level, power=test.power)
    else:
        needed = for_group_difference(deviation, difference, level=test.level, power=test.power)
    effect = abs(difference) / deviation
    find = power_of if are_paired else power_of_groups
    columns = (*counts("blocks", "matches"), *numbers("difference", "effect (d)"), *shares("power"))
    sizes = dict.fromkeys(max(ceil(needed * share), 2) for share in _HALVES)
    rows = tuple((n, n * block, difference, effect, find(n, effect, level=test.level)) for n in sizes)
    who = "Both agents play in each match or block." if are_paired else "Counts are of each agent's own."
    return Table(title="Student's test", columns=columns, rows=rows, note=f"{needed:,} are needed. {test.note} {who}")


def of_scores(scores: Sequence[float], draws: float, block: int, test: PowerRequest) -> Table:
    """From one score of two agents against each other, or two scores against others; matches are independent."""
    if len(scores) > 2:
        raise ValueError(f"--score: expected one or two, got {len(scores)}")
    spreads = [deviation_of_score(score, draws) for score in scores]
    if len(scores) == 1:
        return of_effect(2 * scores[0] - 1, 2 * spreads[0], block, test, are_paired=True)
    spread = sqrt(sum(each**2 for each in spreads) / 2)
    return of_effect(scores[0] - scores[1], spread, block, test, are_paired=False)


@attrs.frozen(kw_only=True)
class NeededMatches:
    """Two agents of a run, and how many matches find a given difference; of each agent where they are apart.

    ``compared`` says how: ``"head to head"``, ``"same deals"`` or ``APART``. ``needed`` is ``None`` where no variance
    was seen.
    """

    game: str
    a: str
    b: str
    compared: str
    matches: int
    blocks: int
    needed: int | None

    @property
    def more(self) -> int | None:
        """How many more matches are needed, of each agent where they are apart; ``None`` if it cannot be said."""
        played = self.matches / (2 if self.compared == APART else 1)
        return None if self.needed is None else max(0, ceil(self.needed - played))


@attrs.frozen(kw_only=True)
class ComparedPair:
    """Two agents as the standings compare them, in one game or over all; ``can_tell`` says whether matches could."""

    game: str
    pair: Pair
    unit: str
    can_tell: bool


def of_standings(
    run: Path, level: float, *, games: Collection[str] = (), agents: Collection[str] = ()
) -> tuple[ComparedPair, ...]:
    """The pairs of a run's standings, first those over all games; each says how many more matches would settle it."""
    with Journal.open(run) as journal:
        baselines = {name: game.baseline for name, game in recorded_games(journal).items()}
        reader = ContestReader()
        played = [reader.contest(each, each.plan.block) for each in journal.records() if each.ending.is_result]
        used = configurations_of(journal, "agent")
        random = {name for name, agent in used.items() if agent.use.rpartition(":")[2] == RANDOM}
    there = sorted({contest.game for contest in played})
    kinds = {game: game_kind(baselines.get(game)) for game in there}
    found = standings_of(played, kinds, random=random, level=level, families=families_of(there))
    tables = [(game, part) for game, parts in found.by_game.items() for part in parts]
    whole = ALL_GAMES if found.by_game else "".join(there[:1])
    if not (games and found.by_game):
        tables = [*((whole, part) for part in found.parts), *tables]
    pairs = tuple(
        ComparedPair(game=game, pair=pair, unit=part.unit, can_tell=part.critical < inf)
        for game, part in tables
        if not games or {game, *part.games} & set(games)
        for pair in part.pairs
        if not agents or {pair.a, pair.b} & set(agents)
    )
    if not pairs:
        raise ValueError(_NOBODY.format(run))
    return pairs


def of_difference(
    run: Path,
    difference: float,
    test: PowerRequest,
    *,
    games: Collection[str] = (),
    agents: Collection[str] = (),
) -> tuple[NeededMatches, ...]:
    """By the variance seen in a run: for agents that met, that got the same deals, or neither."""
    with Journal.open(run) as journal:
        baselines = {name: game.baseline for name, game in recorded_games(journal).items()}
        rows = measure_all(Outcomes(), (FinishedMatch(record, None) for record in journal.records()))
    found = tuple(
        each
        for each in _needed(Columns.of(rows), baselines, test, difference)
        if not games or each.game in games
        if not agents or {each.a, each.b} & set(agents)
    )
    if not found:
        raise ValueError(_NOBODY.format(run))
    return found


def _needed(
    rows: Columns, baselines: Mapping[str, Baseline], test: PowerRequest, difference: float
) -> Iterator[NeededMatches]:
    filled = with_failures(rows, baselines)
    found: dict[tuple[str, str, str], tuple[str, Sequence[float], Sequence[Hashable]]] = {}
    for same in pairs(filled):
        found[same.game, same.first, same.second] = ("same deals", same.differences, same.blocks)
    contests = {game: each for game, each in baselines.items() if each.returns != "cooperative"}
    for duel in duels(Measurements(rows=(), baselines=contests), rows):
        found[duel.game, duel.first, duel.second] = ("head to head", duel.differences, duel.blocks)
    apart = _apart(filled)
    for key in sorted({*found, *apart}):
        game, a, b = key
        if key in found:
            how, gaps, blocks = found[key]
            matches, counted, needed = len(gaps), len(set(blocks)), _paired(gaps, blocks, test, difference)
        else:
            how, (first, second) = APART, apart[key]
            matches = counted = len(first) + len(second)
            needed = _unpaired(first, second, test, difference)
        yield NeededMatches(game=game, a=a, b=b, compared=how, matches=matches, blocks=counted, needed=needed)


def _paired(gaps: Sequence[float], blocks: Sequence[Hashable], test: PowerRequest, difference: float) -> int | None:
    by_block: dict[Hashable, list[float]] = defaultdict(list)
    for gap, block in zip(gaps, blocks, strict=True):
        by_block[block].append(gap)
    means = [sum(own) / len(own) for own in by_block.values()]
    if (deviation := _deviation(means)) == 0:
        return None
    needed = for_mean_difference(deviation, difference, level=test.level, power=test.power)
    return ceil(needed * len(gaps) / len(means))


def _unpaired(first: Sequence[float], second: Sequence[float], test: PowerRequest, difference: float) -> int | None:
    pooled = sqrt((_deviation(first) ** 2 + _deviation(second) ** 2) / 2)
    return for_group_difference(pooled, difference, level=test.level, power=test.power) if pooled else None


def _apart(rows: Columns) -> Mapping[tuple[str, str, str], tuple[Sequence[float], Sequence[float]]]:
    """The mean return per block of every two agents of a game, one sequence for each."""
    earned: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for (game, agent), own in rows.named(RETURN).grouped("game", "agent").items():
        by_block: dict[Hashable, list[float]] = defaultdict(list)
        for block, value in zip(own.clusters, own.values().tolist(), strict=True):
            by_block[block].append(value)
        earned[game][agent] = [sum(values) / len(values) for values in by_block.values()]
    return {
        (game, first, second): (by_agent[first], by_agent[second])
        for game, by_agent in earned.items()
        for first, second in combinations(sorted(by_agent), 2)
    }


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    centre = sum(values) / len(values)
    return sqrt(sum((value - centre) ** 2 for value in values) / (len(values) - 1))

"""Tables of how many matches it takes to tell two agents apart: from a run, an effect, or expected scores."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil, sqrt
from pathlib import Path

import attrs
from arena.metric import Baseline, FinishedMatch, Measurements
from arena.tables import Cell, Estimate, Table
from arena_engine import Journal, recorded_games
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.effects import of_groups, of_pairs
from arena_metric_statistics.planning import (
    deviation_of_score,
    for_group_difference,
    for_mean_difference,
    power_of,
    power_of_groups,
    to_separate,
)
from arena_report import Contest, VerdictPair, measure_all, verdict_of

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.failures import RETURN, with_failures
from arena_metric_outcomes.head_to_head import duels
from arena_metric_outcomes.outcomes import Outcomes
from arena_metric_outcomes.same_deals import pairs

APART = "apart"
"""How two agents are compared that share neither matches nor deals."""

ALL_GAMES = "all games"
"""Stands for the game where two agents are compared over all of them."""

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


def of_run(
    run: Path,
    test: PowerRequest,
    *,
    games: Collection[str] = (),
    agents: Collection[str] = (),
    difference: float | None = None,
) -> Table:
    """From the differences seen in a run: of agents that met, that got the same deals, or neither."""
    with Journal.open(run) as journal:
        records = [*journal.records()]
        baselines = {name: game.baseline for name, game in recorded_games(journal).items()}
    rows = measure_all(Outcomes(), (FinishedMatch(record, None) for record in records))
    over_all: tuple[tuple[Cell, ...], ...] = ()
    judged: dict[tuple[str, ...], VerdictPair] = {}
    if difference is None:
        played = [Contest.of(each) for each in records if each.ending.is_result and each.returns is not None]
        verdict = verdict_of(played, baselines, level=test.level, power=test.power)
        alone = {played[0].game: verdict} if played else {}
        judged = {(game, *sorted((p.a, p.b))): p for game, v in (verdict.by_game or alone).items() for p in v.pairs}
        if verdict.by_game and not games:
            over_all = tuple(_over_all(p) for p in verdict.pairs if not agents or {p.a, p.b} & set(agents))
    lines = tuple(
        _as_judged(line, judged.get(key))
        for line in _lines(Columns.of(rows), baselines, test, difference)
        if (key := (str(line[0]), *sorted((str(line[1]), str(line[2])))))
        if not games or key[0] in games
        if not agents or {*key[1:]} & set(agents)
    )
    if not lines:
        raise ValueError(f"{run}: no two of these agents have results in one of these games")
    columns = (
        *text("game", "agent", "and", "compared"),
        *counts("matches"),
        *numbers("effect (d)"),
        *counts("matches needed"),
    )
    how = "the differences seen" if difference is None else f"a difference of {difference:g} and the variance seen"
    note = (
        f"{test.note} By {how}. Where agents share neither matches nor deals, matches are needed of each. An interval "
        "is what the effect seen is compatible with; without an upper end, so are equal agents."
    )
    return Table(title="Matches needed", columns=columns, rows=(*over_all, *lines), note=note)


def _over_all(pair: VerdictPair) -> tuple[Cell, ...]:
    """The line of two agents over all games, each of which weighs the same."""
    nothing = Estimate(value=None, n=pair.blocks, unit="blocks", method="over all games")
    return _as_judged((ALL_GAMES, pair.a, pair.b, "over all", pair.matches, nothing, nothing), pair)


def _as_judged(line: tuple[Cell, ...], pair: VerdictPair | None) -> tuple[Cell, ...]:
    """The line with as many matches as the verdict on the run says, which holds for all its pairs together."""
    *others, needed = line
    if pair is None or not isinstance(needed, Estimate):
        return line
    if pair.settled:
        is_less = needed.value is not None and needed.value <= pair.matches
        return (*others, needed if is_less else attrs.evolve(needed, value=pair.matches, low=None, high=None))
    if pair.more_matches is None:
        return (*others, attrs.evolve(needed, value=None, low=None, high=None))
    return (*others, attrs.evolve(needed, value=pair.matches + pair.more_matches))


def _lines(
    rows: Columns, baselines: Mapping[str, Baseline], test: PowerRequest, difference: float | None
) -> Iterator[tuple[Cell, ...]]:
    filled = with_failures(rows, baselines)
    found: dict[tuple[str, str, str], tuple[str, Sequence[float], Sequence[Hashable]]] = {}
    for same in pairs(filled):
        found[same.game, same.first, same.second] = ("same deals", same.differences, same.blocks)
    contests = {game: each for game, each in baselines.items() if each.returns != "cooperative"}
    for duel in duels(Measurements(rows=(), baselines=contests), rows):
        found[duel.game, duel.first, duel.second] = ("head to head", duel.differences, duel.blocks)
    apart = _apart(filled)
    for key in sorted({*found, *apart}):
        if key in found:
            how, gaps, blocks = found[key]
            yield (*key, how, len(gaps), *_paired(gaps, blocks, test, difference))
        else:
            first, second = apart[key]
            yield (*key, APART, len(first) + len(second), *_unpaired(first, second, test, difference))


def _paired(
    gaps: Sequence[float], blocks: Sequence[Hashable], test: PowerRequest, difference: float | None
) -> tuple[Estimate, Estimate]:
    effect = of_pairs(gaps, clusters=blocks, level=test.level)
    if difference is None:
        return effect, to_separate(gaps, clusters=blocks, level=test.level, power=test.power)
    by_block: dict[Hashable, list[float]] = defaultdict(list)
    for gap, block in zip(gaps, blocks, strict=True):
        by_block[block].append(gap)
    means = [sum(own) / len(own) for own in by_block.values()]
    size = len(gaps) / len(means)
    if (deviation := _deviation(means)) == 0:
        return effect, _none(effect, "not separable: no variance was seen")
    needed = for_mean_difference(deviation, difference, level=test.level, power=test.power)
    return effect, attrs.evolve(_none(effect, "paired Student"), value=ceil(needed * size))


def _unpaired(
    first: Sequence[float], second: Sequence[float], test: PowerRequest, difference: float | None
) -> tuple[Estimate, Estimate]:
    effect = of_groups(first, second, level=test.level)
    pooled = sqrt((_deviation(first) ** 2 + _deviation(second) ** 2) / 2)
    gap = sum(first) / len(first) - sum(second) / len(second) if difference is None else difference
    if pooled == 0 or gap == 0:
        return effect, _none(effect, "not separable: no variance, or no difference, was seen")
    least, most = effect.low, effect.high

    def of(size: float) -> int:
        return for_group_difference(1.0, size, level=test.level, power=test.power)

    value = for_group_difference(pooled, gap, level=test.level, power=test.power)
    needed = attrs.evolve(_none(effect, "Student, two samples"), value=value)
    if difference is None and least is not None and most is not None:
        far, near = max(abs(least), abs(most)), min(abs(least), abs(most))
        needed = attrs.evolve(needed, low=of(far), high=of(near) if least * most > 0 else None)
    return effect, needed


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


def _none(effect: Estimate, method: str) -> Estimate:
    return Estimate(value=None, n=effect.n, level=effect.level, unit=effect.unit, method=method)

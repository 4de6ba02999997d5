"""The metric ``costs``, which adds up tokens and money."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import ClassVar

import attrs
from arena.metric import CallUsage, FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Column, Estimate, Section, Table
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.means import mean, ratio
from arena_metric_statistics.planning import to_separate
from arena_metric_statistics.proportions import share

from arena_metric_outcomes.columns import counts, money, numbers, shares, text
from arena_metric_outcomes.head_to_head import HeadToHead, duels
from arena_metric_outcomes.results import MOST_VARIANTS, folded, grouped

UNKNOWN = "unknown"

_MEANING = (
    "Of matches with a result in which a model was asked; the others' use is in the run's totals. A decision is one "
    "turn of one agent, however often it was asked in it. Matches of one rotation block count as one observation."
)
_FOLDED = f" Over {MOST_VARIANTS} games that a sweep made of one are taken together."


@attrs.frozen
class Costs(Metric):
    """Money and tokens per match, agent and decision; what was reused; and what it costs to tell two agents apart."""

    power: float = attrs.field(
        default=0.8,
        validator=attrs.validators.and_(attrs.validators.gt(0), attrs.validators.lt(1)),
        metadata={"help": "probability with which two agents are to be told apart"},
    )

    needs_calls: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """Returns, for comparing agents; then what each player used in the match, and the sum of all.

        A sum with an unknown part is unknown.
        """
        for p, value in enumerate(match.record.returns or ()):
            yield Measurement(name="return", value=value, player=Player(p))
        by_player: dict[Player, list[CallUsage]] = defaultdict(list)
        for call in match.calls:
            if call.player is not None:
                by_player[call.player].append(call)
        if by_player:
            yield from _used(by_player)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Usage by agent and by game, and the cost of telling agents apart; nothing if no model was called."""
        if not len(Columns.of(measurements.rows).named("decisions")):
            return
        rows = folded(measurements.rows)
        meaning = _MEANING if rows == [*measurements.rows] else _MEANING + _FOLDED
        measurements = attrs.evolve(measurements, rows=rows)
        agents = sorted(
            grouped((row for row in measurements.rows if row.agent and row.name != "return"), "game", "agent").items()
        )
        spent = {key: _Spent(rows, measurements.level) for key, rows in agents}
        views = (
            _money(spent),
            _matches(measurements, spent),
            _separation(measurements, self.power, spent),
            _tokens(spent),
            _totals(spent),
        )
        yield Section(title="Costs", text=meaning, tables=tuple(view for view in views if view.rows))


def _used(by_player: Mapping[Player, Sequence[CallUsage]]) -> Iterator[Measurement]:
    for player, own in sorted(by_player.items()):
        decisions = len({use.turn for use in own if use.turn is not None})
        yield Measurement(name="decisions", value=decisions, player=player)
        yield Measurement(name="calls", value=len(own), player=player)
        yield Measurement(name="estimated calls", value=sum(use.is_estimated for use in own), player=player)
        yield Measurement(name="shared calls", value=sum(use.is_shared for use in own), player=player)
        for name, field in _SUMS.items():
            yield Measurement(name=name, value=_sum(own, field), player=player)
    everybody = [use for own in by_player.values() for use in own]
    yield Measurement(name="match cost", value=_sum(everybody, _SUMS["cost"]))


def _read_anew(use: CallUsage) -> int | None:
    if use.is_shared:
        return 0  # no model read anything in this run
    if use.prompt_tokens is None or use.cached_tokens is None:
        return None
    return use.prompt_tokens - use.cached_tokens


def _reused(use: CallUsage) -> int | None:
    return 0 if use.is_shared else use.cached_tokens


_SUMS: dict[str, Callable[[CallUsage], float | None]] = {
    "cost": lambda use: use.cost_usd,
    "prompt tokens": lambda use: use.prompt_tokens,
    "completion tokens": lambda use: use.completion_tokens,
    "cached tokens": lambda use: use.cached_tokens,
    "reasoning tokens": lambda use: use.reasoning_tokens,
    "tokens read anew": _read_anew,
    "tokens reused": _reused,
}

_SHOWN = {"cached tokens": "reused tokens"}
"""Measurements that are called otherwise in reports; who reads measurements knows them by their names."""


def _sum(uses: Iterable[CallUsage], field: Callable[[CallUsage], float | None]) -> float | None:
    found = [field(use) for use in uses]
    known = [value for value in found if value is not None]
    return fsum(known) if len(known) == len(found) else None


@attrs.frozen(eq=False)
class _Spent:
    """What one agent used in one game, one value per match, summed over the seats it had in it."""

    rows: Sequence[MeasurementRow]
    level: float

    def by_match(self, name: str) -> dict[str, tuple[float | None, str]]:
        """A quantity and the rotation block, by match; ``None`` for an unknown quantity."""
        found: dict[str, tuple[float | None, str]] = {}
        for row in self.rows:
            if row.name == name:
                before = found.get(row.match, (0.0, row.block))[0]
                value = None if before is None or row.value is None else before + float(row.value)
                found[row.match] = value, row.block
        return found

    def total(self, name: str) -> int:
        """The sum of a quantity over all matches."""
        return round(fsum(value or 0.0 for value, _ in self.by_match(name).values()))

    def unknown(self, name: str) -> int:
        """The number of matches in which a quantity is unknown."""
        return sum(value is None for value, _ in self.by_match(name).values())

    def in_all(self, name: str) -> Cell:
        """The sum of a quantity over all matches; unknown if it is unknown in one of them."""
        return UNKNOWN if self.unknown(name) else self.total(name)

    def per_match(self, name: str) -> Cell:
        """The mean over the matches in which the quantity is known."""
        known = [(value, block) for value, block in self.by_match(name).values() if value is not None]
        if not known:
            return UNKNOWN
        return mean([v for v, _ in known], clusters=[b for _, b in known], level=self.level, bounds=(0.0, None))

    def per(self, name: str, base: str) -> Cell:
        """The ratio of two quantities, over the matches in which both are known."""
        pairs = list(self._pairs(name, base))
        if not pairs:
            return UNKNOWN
        values, bases, blocks = zip(*pairs, strict=True)
        return ratio(values, bases, clusters=blocks, level=self.level, bounds=(0.0, None), unit="matches")

    def part(self, name: str, base: str) -> Cell:
        """The share of one quantity in another."""
        pairs = list(self._pairs(name, base))
        if not pairs:
            return UNKNOWN
        values, bases, blocks = zip(*pairs, strict=True)
        return share(values, bases, clusters=blocks, level=self.level)

    def _pairs(self, name: str, base: str) -> Iterator[tuple[float, float, str]]:
        bases = self.by_match(base)
        for match, (value, block) in self.by_match(name).items():
            under = bases[match][0]
            if value is not None and under:
                yield value, under, block


def _money(spent: dict[tuple[str, ...], _Spent]) -> Table:
    columns = (
        *text("game", "agent"),
        *counts("matches", "tokens read anew", "reused"),  # first, so that a narrow terminal shows them side by side
        *money("cost per match"),
        *counts("decisions", "calls"),
        *money("cost per decision"),
        *numbers("calls per decision"),
    )
    rows = [
        (
            *(*key, len(own.by_match("calls")), own.in_all("tokens read anew"), own.in_all("tokens reused")),
            *(own.per_match("cost"), own.total("decisions"), own.total("calls")),
            *(own.per("cost", "decisions"), own.per("calls", "decisions")),
        )
        for key, own in spent.items()
    ]
    note = (
        "Tokens of prompts are read anew, or reused from the cache of the provider or server; their sums are unknown "
        "if it does not tell in one of the matches."
    )
    if shared := sum(own.total("shared calls") for own in spent.values()):
        note += f" {shared:,} calls were answered by the cache that runs share: they read and cost nothing here."
    return Table(title="By agent", columns=columns, rows=tuple(rows), note=_noted(note, spent, "cost"))


def _tokens(spent: dict[tuple[str, ...], _Spent]) -> Table:
    columns = (
        *text("game", "agent"),
        *numbers("prompt tokens", "completion tokens"),
        *shares("prompt reused", "completion reasoning"),
    )
    rows = [
        (
            *(*key, own.per("prompt tokens", "decisions"), own.per("completion tokens", "decisions")),
            *(own.part("cached tokens", "prompt tokens"), own.part("reasoning tokens", "completion tokens")),
        )
        for key, own in spent.items()
    ]
    note = "Reused: read from the cache of the provider or server. What a provider does not tell is unknown."
    note = _noted(note, spent, "prompt tokens", "cached tokens", "reasoning tokens")
    return Table(title="Tokens per decision", columns=columns, rows=tuple(rows), note=note)


def _totals(spent: dict[tuple[str, ...], _Spent]) -> Table:
    names = ("prompt tokens", "completion tokens", "reasoning tokens")
    columns = (*text("game", "agent"), *counts(*names))
    rows = [(*key, *map(own.in_all, names)) for key, own in spent.items()]
    note = "Reasoning tokens are part of the completion's."
    return Table(title="Tokens in all", columns=columns, rows=tuple(rows), note=_noted(note, spent))


def _noted(note: str, spent: dict[tuple[str, ...], _Spent], *names: str) -> str:
    """``note``, whose calls are estimates, and which numbers leave out matches in which they are partly unknown."""
    estimated = [
        f"{agent} in {game}: tokens and cost of {some:,} of {own.total('calls'):,} calls are estimates from above"
        for (game, agent), own in spent.items()
        if (some := own.total("estimated calls"))
    ]
    partly = [
        f"{agent} in {game}: {_SHOWN.get(name, name)} unknown in {some:,} of {count:,} matches, left out"
        for (game, agent), own in spent.items()
        for name in names
        if 0 < (some := own.unknown(name)) < (count := len(own.by_match(name)))
    ]
    return " ".join((*filter(None, (note,)), *(f"{'; '.join(some)}." for some in (estimated, partly) if some)))


def _matches(table: Measurements, spent: dict[tuple[str, ...], _Spent]) -> Table:
    columns = (*text("game"), *counts("matches"), *money("cost per match", "cost of all"))
    lines: list[tuple[Cell, ...]] = []
    for (game,), rows in sorted(grouped(table.rows_named("match cost"), "game").items()):
        cost = _match_cost(rows, table.level)
        known = [float(row.value) for row in rows if row.value is not None]
        lines.append((game, len(rows), cost, fsum(known) if len(known) == len(rows) else UNKNOWN))
    return Table(title="By game, all agents together", columns=columns, rows=tuple(lines), note=_noted("", spent))


def _match_cost(rows: Sequence[MeasurementRow], level: float) -> Cell:
    known = [row for row in rows if row.value is not None]
    if not known:
        return UNKNOWN
    values, blocks = [float(row.value or 0) for row in known], [row.block for row in known]
    return mean(values, clusters=blocks, level=level, bounds=(0.0, None))


def _separation(table: Measurements, power: float, spent: dict[tuple[str, ...], _Spent]) -> Table:
    columns: tuple[Column, ...] = (
        *text("game", "agent", "against"),
        *counts("matches seen"),
        *numbers("mean difference"),
        *numbers("matches to tell apart"),
        *money("cost per match", "cost to tell apart"),
        *text("because"),
    )
    costs = {row.match: row for row in table.rows_named("match cost")}
    lines: list[tuple[Cell, ...]] = []
    for duel in duels(table, table.rows):
        own = [costs[match] for match in duel.matches if match in costs]
        if own:
            lines.append(_separated(duel, own, table, power))
    note = (
        f"So many matches find the difference that was seen with probability {power:g} in a paired test at "
        f"{100 * (1 - table.level):.3g}%, played in blocks as here. The interval is that of the difference in standard "
        "deviations; without an upper end it includes agents that are equally strong. The cost takes the mean cost per "
        "match of this pair as it is. Agents of equal strength, such as two random players, cannot be told apart."
    )
    title = "To tell two agents apart"
    return Table(title=title, columns=columns, rows=tuple(lines), note=_noted(note, spent))


def _separated(
    duel: HeadToHead, costs: Sequence[MeasurementRow], table: Measurements, power: float
) -> tuple[Cell, ...]:
    needed = to_separate(duel.differences, clusters=duel.blocks, level=table.level, power=power)
    each = _match_cost(costs, table.level)
    difference = duel.difference(table)
    reason = ""
    if needed.value is None:
        needed, reason = attrs.evolve(needed, method=""), needed.method
    return (
        *(duel.game, duel.first, duel.second, len(duel.differences), difference),
        *(needed, each, _times(needed, each), reason),
    )


def _times(needed: Estimate, each: Cell) -> Cell:
    if not isinstance(each, Estimate) or each.value is None:
        return UNKNOWN

    def cost(matches: float | None) -> float | None:
        return None if matches is None else matches * (each.value or 0.0)

    return attrs.evolve(needed, value=cost(needed.value), low=cost(needed.low), high=cost(needed.high))

"""The result of one match for each player as measurements, and groups of such rows with their statistics."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from operator import attrgetter
from typing import Any, Literal, get_args

import attrs
from arena.agent import LAST_OF_SEVERAL
from arena.metric import Baseline, Measurement, MeasurementRow, Measurements
from arena.record import MatchRecord, Player
from arena.tables import Estimate
from arena_metric_statistics.columns import Columns, total
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import Floats, np
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_mean, random_share

from arena_metric_outcomes.failures import is_disqualified
from arena_metric_outcomes.several_answers import is_last_of_several

Outcome = Literal["win", "draw", "loss", "undecided"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def outcome(match: MatchRecord, player: Player) -> Outcome:
    """Win: the highest return, alone. Draw: the highest return, shared. Loss: less, or the player failed.

    Undecided: nobody was given a return, and the player is not at fault.
    """
    if player in match.at_fault and (match.returns is None or match.ending.is_forfeit):
        return "loss"
    if match.returns is None:
        return "undecided"
    own, best = match.returns[player], max(match.returns)
    if own < best:
        return "loss"
    return "win" if match.returns.count(best) == 1 else "draw"


def measured(match: MatchRecord) -> Iterator[Measurement]:
    """Three rows per player, and one with the match's length in actions.

    The detail of a return is the largest single reward; the detail of an action count is how many of the actions an
    illegal-action policy chose. A player has one more row if it played the last of several answers, with how often.
    """
    players, returns = len(match.agents), match.returns
    turns, substitutes, of_several, paid = [0] * players, [0] * players, [0] * players, []
    for event in match.events:
        _, source, kind, player, data, _ = event
        if source != "referee":
            continue
        if kind == "played" and player is not None:
            noted: Any = data
            turns[player] += 1
            substitutes[player] += noted["by"] != "agent"
            if "note" in noted:
                of_several[player] += is_last_of_several(event)
        elif kind == "rewarded":
            paid.append(data)
    greatest = [max(rewards) for rewards in zip(*paid, strict=True)]  # empty if everything is paid at the end
    for p in map(Player, range(players)):
        yield Measurement(name="outcome", value=outcome(match, p), player=p)
        if returns is not None:
            yield Measurement(name="return", value=returns[p], player=p, detail=(greatest or returns)[p])
    for p, (count, put_in) in enumerate(zip(turns, substitutes, strict=True)):
        yield Measurement(name="actions", value=count, player=Player(p), detail=put_in)
    for p, count in enumerate(of_several):
        if count:
            yield Measurement(name=LAST_OF_SEVERAL, value=count, player=Player(p))
    yield Measurement(name="length", value=sum(turns))


@attrs.frozen(eq=False)
class ResultGroup:
    """The rows of some players in some matches, such as an agent in a game or in one seat of it."""

    rows: Columns
    table: Measurements
    reference: Baseline | None
    _by_name: dict[str, Columns] = attrs.field(factory=dict[str, Columns], init=False)

    def named(self, name: str) -> Columns:
        """The rows of one measurement."""
        if name not in self._by_name:
            self._by_name[name] = self.rows.named(name)
        return self._by_name[name]

    @property
    def matches(self) -> int:
        """The number of matches that the rows come from."""
        return self.rows.match_count

    def count(self, outcome: Outcome) -> int:
        """The number of matches with this outcome."""
        return int(self.named("outcome").numbers(lambda found: found.value == outcome).sum())

    @property
    def disqualified(self) -> int:
        """The number of matches from which these players were disqualified."""
        return self.rows.where(self.rows.by_player(is_disqualified)).match_count

    def share(self, *outcomes: Outcome) -> Estimate:
        """The share of any of these outcomes among the matches with a result."""
        rows = self.named("outcome")
        hits = rows.numbers(lambda found: found.value in outcomes)
        return share(hits, clusters=rows.clusters, level=self.table.level)

    def returns(self) -> Estimate:
        """The mean return over the matches in which these players got one, or failed."""
        rows = self.named("return")
        values = rows.values()
        ends = bounds(self.reference, values)
        return mean(values, clusters=rows.clusters, level=self.table.level, bounds=ends)

    def substituted(self) -> Estimate:
        """The share of actions that an illegal-action policy chose instead of the agent."""
        rows = self.named("actions")
        put_in = rows.numbers(lambda found: float(str(found.detail)))
        return share(put_in, rows.values(), clusters=rows.clusters, level=self.table.level)

    def last_of_several(self) -> tuple[int, Estimate]:
        """How many actions were the last of several answers, and their share of the group's actions."""
        several, rows = self.named(LAST_OF_SEVERAL), self.named("actions")
        found = dict(zip(several.matches_and_players.tolist(), several.values().tolist(), strict=True))
        taken = [found.get(key, 0.0) for key in rows.matches_and_players.tolist()]
        return int(sum(taken)), share(taken, rows.values(), clusters=rows.clusters, level=self.table.level)

    def against(self, by_player: Sequence[float] | None) -> float | None:
        """A baseline by player, weighted by how often the group had each seat; ``None`` if there is no baseline."""
        players = self.named("outcome").players
        if not by_player or not len(players):
            return None
        return total(np.array(by_player, dtype=float)[players]) / len(players)

    def random_return(self) -> Estimate | float | None:
        """What random play earns in as many matches in the group's seats, a plain number if nothing says how it varies.

        Players of one playout depend on each other, so their errors are added, not combined as independent ones.
        """
        ref = self.reference
        if ref is None or (value := self.against(ref.random)) is None:
            return None
        each = [deviation(ref, player) for player in range(ref.players)]
        known = [deviation for deviation in each if deviation is not None]
        if len(known) < len(each):
            return value
        return random_mean(
            value,
            np.array(known)[self.named("outcome").players],
            error=self.against(ref.random_errors) or 0.0,
            playouts=ref.random_n,
            level=self.table.level,
            bounds=(ref.min_return, ref.max_return),
        )

    def random_wins(self) -> Estimate | None:
        """The share that random play wins of as many matches in the group's seats."""
        if self.reference is None or (wins := self.against(self.reference.random_wins)) is None:
            return None
        n = len(self.named("outcome"))
        return random_share(wins, n, self.reference.random_n, level=self.table.level)


def deviation(reference: Baseline, player: int) -> float | None:
    """The standard deviation of a player's return in one random match; ``None`` if nothing says it.

    Where exact values stand without it, it is the most that the bounds of a return leave possible.
    """
    if reference.random_n:
        return reference.random_errors[player] * sqrt(reference.random_n)
    if reference.random_deviations:
        return reference.random_deviations[player]
    least, greatest, mean = reference.min_return, reference.max_return, reference.random[player]
    return None if least is None or greatest is None else sqrt(max((greatest - mean) * (mean - least), 0.0))


def bounds(reference: Baseline | None, values: Floats) -> tuple[float | None, float | None]:
    """The smallest and the largest return, if the game declares them; a forfeit may cost more than the game does."""
    least, greatest = (reference.min_return, reference.max_return) if reference else (None, None)
    seen = [] if not len(values) else [float(values.min()), float(values.max())]
    return None if least is None else min([least, *seen]), None if greatest is None else max([greatest, *seen])


def difference_bounds(reference: Baseline | None, values: Sequence[float] | Floats) -> tuple[float, float] | None:
    """The least and the greatest difference of two returns, if the game bounds returns."""
    if reference is None or reference.min_return is None or reference.max_return is None:
        return None
    width = max([reference.max_return - reference.min_return, *map(abs, map(float, values))])
    return -width, width


def grouped(rows: Iterable[MeasurementRow], *keys: str) -> dict[tuple[str, ...], list[MeasurementRow]]:
    """Rows by the values of the fields named in ``keys``, in the order of first occurrence."""
    values = attrgetter(*keys)
    raw: dict[Any, list[MeasurementRow]] = {}
    for row in rows:
        key = values(row)
        if key in raw:
            raw[key].append(row)
        else:
            raw[key] = [row]
    if len(keys) == 1:
        raw = {(key,): own for key, own in raw.items()}
    if all(type(value) is str for key in raw for value in key):
        return raw
    found: dict[tuple[str, ...], list[MeasurementRow]] = {}
    for key, own in raw.items():
        found.setdefault(tuple(map(str, key)), []).extend(own)
    return found


MOST_VARIANTS = 40
"""The most games that a sweep made of one which stand apart in tables where they could be one."""


def folded(rows: Iterable[MeasurementRow]) -> list[MeasurementRow]:
    """Rows in which the variants of a game count as one game wherever they are too many to be read one by one."""
    given = list(rows)
    variants: dict[str, set[str]] = {}
    for row in given:
        variants.setdefault(_unswept(row.game), set()).add(row.game)
    return [
        attrs.evolve(row, game=_unswept(row.game)) if len(variants[_unswept(row.game)]) > MOST_VARIANTS else row
        for row in given
    ]


def _unswept(game: str) -> str:
    return game.partition("[")[0] if game.endswith("]") else game

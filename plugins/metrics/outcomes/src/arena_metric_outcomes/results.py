"""The result of one match for each player as measurements, and groups of such rows with their statistics."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Literal, get_args

import attrs
from arena.agent import LAST_OF_SEVERAL
from arena.metric import Baseline, Measurement, MeasurementRow, Measurements
from arena.record import MatchRecord, Player
from arena.tables import Estimate
from arena_metric_statistics.means import mean, of_playouts
from arena_metric_statistics.proportions import share, share_of_playouts

from arena_metric_outcomes.several import is_last_of_several

Outcome = Literal["win", "draw", "loss", "undecided"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def outcome(match: MatchRecord, player: Player) -> Outcome:
    """Win: the highest return, alone. Draw: the highest return, shared. Undecided: there are no returns."""
    if match.returns is None:
        return "loss" if player in match.forfeited else "undecided"
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
        if event.source != "referee":
            continue
        if event.kind == "played" and event.player is not None:
            turns[event.player] += 1
            substitutes[event.player] += event.data["by"] != "agent"  # type: ignore[call-overload, index]  # a table
            of_several[event.player] += is_last_of_several(event)
        elif event.kind == "rewarded":
            paid.append(event.data)
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

    rows: Sequence[MeasurementRow]
    table: Measurements
    reference: Baseline | None
    _by_name: dict[str, list[MeasurementRow]] = attrs.field(factory=dict[str, list[MeasurementRow]], init=False)

    def named(self, name: str) -> list[MeasurementRow]:
        """The rows of one measurement."""
        if not self._by_name:
            for row in self.rows:
                self._by_name.setdefault(row.name, []).append(row)
        return self._by_name.get(name, [])

    @property
    def matches(self) -> int:
        """The number of matches that the rows come from."""
        return len({row.match for row in self.rows})

    def count(self, outcome: Outcome) -> int:
        """The number of matches with this outcome."""
        return sum(row.value == outcome for row in self.named("outcome"))

    def share(self, *outcomes: Outcome) -> Estimate:
        """The share of any of these outcomes among the matches with a result."""
        rows = self.named("outcome")
        hits = [row.value in outcomes for row in rows]
        return share(hits, clusters=[row.block for row in rows], level=self.table.level)

    def returns(self) -> Estimate:
        """The mean return over the matches that have returns."""
        rows = self.named("return")
        least, greatest = bounds(self.reference, rows)
        return mean(
            [float(row.value or 0) for row in rows],
            clusters=[row.block for row in rows],
            level=self.table.level,
            bounds=(least, greatest),
        )

    def substituted(self) -> Estimate:
        """The share of actions that an illegal-action policy chose instead of the agent."""
        rows = self.named("actions")
        put_in, turns = [float(str(row.detail)) for row in rows], [float(row.value or 0) for row in rows]
        return share(put_in, turns, clusters=[row.block for row in rows], level=self.table.level)

    def last_of_several(self) -> tuple[int, Estimate]:
        """How many actions were the last of several answers, and their share of the group's actions."""
        found = {(row.match, row.player): float(row.value or 0) for row in self.named(LAST_OF_SEVERAL)}
        rows = self.named("actions")
        taken, turns = [found.get((row.match, row.player), 0.0) for row in rows], [float(r.value or 0) for r in rows]
        return int(sum(taken)), share(taken, turns, clusters=[row.block for row in rows], level=self.table.level)

    def against(self, by_player: Sequence[float] | None) -> float | None:
        """A baseline by player, weighted by how often the group had each seat; ``None`` if there is no baseline."""
        players = [row.player for row in self.named("outcome")]
        if not by_player or not players:
            return None
        return sum(by_player[p] for p in players if p is not None) / len(players)

    def random_return(self) -> Estimate | float | None:
        """What random play earns in the group's seats, a plain number if it is exact.

        Players of one playout depend on each other, so their errors are added, not combined as independent ones.
        """
        if self.reference is None or (value := self.against(self.reference.random)) is None:
            return None
        error = self.against(self.reference.random_errors) or 0.0
        return of_playouts(value, error, self.reference.random_n, level=self.table.level)

    def random_wins(self) -> Estimate | float | None:
        """The share of matches that random play wins in the group's seats, a plain number if it is exact."""
        if self.reference is None or (wins := self.against(self.reference.random_wins)) is None:
            return None
        return share_of_playouts(wins, self.reference.random_n, level=self.table.level)


def bounds(reference: Baseline | None, rows: Iterable[MeasurementRow]) -> tuple[float | None, float | None]:
    """The smallest and the largest return, if the game declares them; a forfeit may cost more than the game does."""
    values = [float(row.value or 0) for row in rows]
    least, greatest = (reference.min_return, reference.max_return) if reference else (None, None)
    return None if least is None else min([least, *values]), None if greatest is None else max([greatest, *values])


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

"""The metric ``diplomacy-orders``: moves, attacks and supports that were ordered, and how many came about."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Estimate, Figure, Section, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate
from attrs.validators import ge

from arena_metric_diplomacy.counting import KINDS, OrderCounts, counted
from arena_metric_diplomacy.grouping import blocks, by_agent, detail, games, wanted
from arena_metric_diplomacy.match_phases import played
from arena_metric_diplomacy.references import MATCHES, references

ORDERS: Final = "orders"

_NOTE: Final = (
    "Orders of movement phases, as in section 4 of SPIN-Bench's paper. A move is an order to move, by land or convoy, "
    "and succeeds if the unit arrives; an attack is a move to a place where another power's unit stands. A support "
    "helps a unit of the same power (self) or of another one (others), and succeeds if it matches that unit's order "
    "and is not cut. The paper counts supports of an attack alone, its code all supports. What a policy for illegal "
    "actions put in counts nowhere. Random and greedy play: all players play so."
)


@attrs.frozen(kw_only=True)
class DiplomacyOrders(Metric):
    """Moves, attacks and supports in Diplomacy: how many were given, and how many succeeded."""

    reference_matches: int = attrs.field(
        default=MATCHES,
        validator=ge(0),
        metadata={"help": "matches of random and of greedy play of each game that stand beside agents, at most"},
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row for each player: the number of its orders, with the counts by kind in the detail."""
        found = played(match.record)
        if found is not None:
            for place, own in enumerate(counted(found)):
                yield measurement(own, player=Player(place))

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Rates by kind of order and agent, and what else was ordered, beside random and greedy play."""
        rows = wanted(measurements)
        if not rows:
            yield Section(title="Orders", text="There is no match of Diplomacy.")
            return
        for each in references(measurements, games(rows), self.reference_matches):
            total = OrderCounts.sum(each.match.orders)
            rows.append(each.row(measurement(total, seats=len(each.hands))))
        tables = (_rates(rows, measurements.level), _given(rows, measurements.level))
        yield Section(title="Orders", tables=tables, figures=tuple(_figures(rows, measurements.level)), text=_NOTE)


def measurement(own: OrderCounts, *, player: Player | None = None, seats: int = 1) -> Measurement:
    """The measurement of what was ordered: by one player, or in several seats together."""
    return Measurement(name=ORDERS, value=own.orders, player=player, detail={**own.to_json(), "seats": seats})


def success(rows: Sequence[MeasurementRow], kind: str, level: float) -> Estimate:
    """The share of orders of a kind that succeeded, over all given in these rows; no value where none was given."""
    given = [row for row in rows if detail(row)["given"][kind]]
    succeeded, trials = ([detail(row)[what][kind] for row in given] for what in ("succeeded", "given"))
    return share(succeeded, trials, clusters=blocks(given), level=level)


def _rates(rows: Sequence[MeasurementRow], level: float) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group, own in by_agent(rows).items():
        seats = [detail(row)["seats"] for row in own]
        for kind, title in KINDS.items():
            given, succeeded = ([detail(row)[what][kind] for row in own] for what in ("given", "succeeded"))
            lines.append(
                (
                    *group,
                    title,
                    rate(given, seats, clusters=blocks(own), level=level),
                    sum(given),
                    sum(succeeded),
                    success(own, kind, level),
                )
            )
    columns = (*text("game", "agent", "order"), *numbers("per match"), *counts("given", "succeeded"), *shares("rate"))
    return Table(title="Orders that came about", columns=columns, rows=tuple(lines))


_GIVEN: Final = {
    "orders": "orders",
    "holds": "hold",
    "convoys": "convoy",
    "void": "void",
    "in_hand": "others in hand",
    "left_out": "left out",
    "put_in": "put in",
}
"""What else is counted of orders, with its titles in tables."""


def _given(rows: Sequence[MeasurementRow], level: float) -> Table:
    """All orders, and of what is in no other table, per movement phase; what never came up has no column."""
    titles = {what: title for what, title in _GIVEN.items() if any(detail(row)[what] for row in rows)}
    lines: list[tuple[Cell, ...]] = []
    for group, own in by_agent(rows).items():
        phases = [detail(row)["phases"] for row in own]
        cells = (rate([detail(row)[what] for row in own], phases, clusters=blocks(own), level=level) for what in titles)
        lines.append((*group, sum(phases), *cells))
    columns = (*text("game", "agent"), *counts("phases"), *numbers(*titles.values()))
    note = (
        "Per movement phase in which the player had a unit. Void: orders that match nothing. Others in hand: supports "
        "of others that help another power of the same player. Left out: units without an order, which hold. Put in: "
        "orders of the policy for illegal actions."
    )
    return Table(title="Orders per phase", columns=columns, rows=tuple(lines), note=note)


def _figures(rows: Sequence[MeasurementRow], level: float) -> Iterator[Figure]:
    for game in dict.fromkeys(row.game for row in rows):
        here = by_agent(row for row in rows if row.game == game)
        yield Figure(
            kind="bar",
            title=f"{game}: orders that came about",
            x=tuple(KINDS.values()),
            series={agent: tuple(success(own, kind, level) for kind in KINDS) for (_, agent), own in here.items()},
            y_title="share of those given",
        )

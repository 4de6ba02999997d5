"""What the suites of Diplomacy measured: which of them a match belongs to, and what the tested player came to in it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements
from arena.tables import Estimate
from arena_game_diplomacy.game import Diplomacy
from arena_metric_diplomacy.centres import PLAYER, DiplomacyCentres, measured as standings_of
from arena_metric_diplomacy.counting import OrderCounts
from arena_metric_diplomacy.grouping import blocks, detail
from arena_metric_diplomacy.knowledge import DiplomacyKnowledge
from arena_metric_diplomacy.orders import ORDERS, DiplomacyOrders, measurement as order_counts, success
from arena_metric_diplomacy.references import references
from arena_metric_diplomacy.standings import PowerStanding
from arena_metric_statistics.means import mean

from arena_suite_spin_bench.results import SpinResults

SETTING: Final = "spin-diplomacy"
"""The measurement that says which suite a match of Diplomacy belongs to; its detail has the rounds of talk."""

TESTED: Final[Mapping[int, tuple[frozenset[str], ...]]] = {
    2: (frozenset({"ITALY", "RUSSIA", "TURKEY"}), frozenset({"AUSTRIA", "ENGLAND", "FRANCE", "GERMANY"})),
    3: (
        frozenset({"RUSSIA", "TURKEY"}),
        frozenset({"GERMANY", "ITALY"}),
        frozenset({"AUSTRIA", "ENGLAND", "FRANCE"}),
    ),
    4: (
        frozenset({"RUSSIA"}),
        frozenset({"AUSTRIA", "ENGLAND"}),
        frozenset({"ITALY", "TURKEY"}),
        frozenset({"FRANCE", "GERMANY"}),
    ),
    5: (
        frozenset({"GERMANY"}),
        frozenset({"RUSSIA"}),
        frozenset({"AUSTRIA", "ENGLAND"}),
        frozenset({"ITALY", "TURKEY"}),
        frozenset({"FRANCE"}),
    ),
}
"""The hands of Table 6 by the number of agents, the tested agent's first."""

BASIC: Final = "basic"
ABLATION: Final = "ablation"
SEVEN: Final = "seven"
KINDS: Final = ("move", "attack", "self_code", "others_code")
"""The orders of Table 10, as the original's code counts them."""

REFERENCE_MATCHES: Final = 20
CENTRES: Final = 34.0
PROVINCES: Final = 75.0

Talk: TypeAlias = Literal["silent", "talking"]


def measured(match: FinishedMatch) -> Iterator[Measurement]:
    """What a match of Diplomacy comes to, and which suite's hands it was played with; nothing of other games."""
    game = match.game
    if isinstance(game, Diplomacy):
        hands = [frozenset(hand) for hand in game.powers_of(len(match.record.agents))]
        talk: Talk = "talking" if game.negotiation_rounds else "silent"
        yield Measurement(name=SETTING, value=_setting(hands), detail={"talk": talk})
        yield from DiplomacyOrders().measure(match)
        yield from DiplomacyCentres().measure(match)
        yield from DiplomacyKnowledge().measure(match)


def _setting(hands: Sequence[frozenset[str]]) -> str:
    """The suite whose hands these are: basic, a number of agents, or seven; empty for others."""
    if hands == [frozenset({"FRANCE"})]:
        return BASIC
    if len(hands) == 7:
        return SEVEN
    return str(len(hands)) if set(hands) == set(TESTED.get(len(hands), ())) else ""


@attrs.frozen(kw_only=True)
class DiplomacyRows:
    """The rows of one agent, or of a reference, as the tested player of one setting."""

    orders: Sequence[MeasurementRow]
    standings: Sequence[MeasurementRow]
    level: float

    def rate(self, kind: str) -> Estimate:
        """The share of orders of a kind that came about."""
        return success(self.orders, kind, self.level)

    def sum(self, what: str, kind: str) -> int | None:
        """How many orders of a kind were given, or succeeded; ``None`` without a match."""
        return sum(detail(row)[what][kind] for row in self.orders) if self.orders else None

    def printed_rate(self) -> float | None:
        """The rate of support-self that the original's program would print; ``None`` where nothing was given."""
        given = 2 * (self.sum("given", "self_code") or 0) + (self.sum("given", "others_code") or 0)
        return (self.sum("succeeded", "self_code") or 0) / given if given else None

    def centres(self) -> Estimate | None:
        """The mean number of centres at the end."""
        return self._mean([float(each.last[0]) for each in self._found], CENTRES)

    def regions(self) -> Estimate | None:
        """The mean number of provinces under influence at the end."""
        return self._mean([float(each.last[1]) for each in self._found], PROVINCES)

    def wins(self) -> list[bool]:
        """Whether each match was won."""
        return [each.solo is not None for each in self._found]

    def years(self) -> Estimate | None:
        """The mean year in which those matches were won that were won."""
        kept = [each.years_to_win for each in self._found]
        won = [(row, float(year)) for row, year in zip(self.standings, kept, strict=True) if year is not None]
        own = [row for row, _ in won]
        return mean([year for _, year in won], clusters=blocks(own), level=self.level) if won else None

    @property
    def _found(self) -> list[PowerStanding]:
        return [PowerStanding.from_json(detail(row)) for row in self.standings]

    def _mean(self, values: Sequence[float], most: float) -> Estimate | None:
        own = blocks(self.standings)
        return mean(values, clusters=own, level=self.level, bounds=(0.0, most)) if values else None


@attrs.define(eq=False, slots=False)
class DiplomacyResults:
    """The measurements of all matches of Diplomacy, by setting."""

    results: SpinResults

    @property
    def measurements(self) -> Measurements:
        """Everything that the report knows, with the rows under the agents' own names."""
        return attrs.evolve(self.results.measurements, rows=self.results.rows)

    @cached_property
    def settings(self) -> Mapping[str, tuple[str, Talk]]:
        """The setting of each game, by its name in the report: the suite, and whether players talk."""
        rows = [row for row in self.results.rows if row.name == SETTING]
        return {row.game: (_suite(row), cast("Talk", _detail(row)["talk"])) for row in rows}

    def agents(self, suite: str) -> list[str]:
        """Who was tested in a suite, in alphabetical order."""
        return sorted({str(row.agent) for row in self._tested(suite) if row.name == PLAYER})

    def of(self, suite: str, agent: str, talk: Talk | None = None) -> DiplomacyRows:
        """What an agent, or a reference by its name, came to as the tested player of a suite."""
        return self._rows([row for row in self._tested(suite, talk) if row.agent == agent])

    def reference(self, suite: str, who: str, talk: Talk | None = None) -> DiplomacyRows:
        """What random or greedy play comes to in the place of the tested player; references never talk."""
        return self._rows([row for row in self._references if row.agent == who and self._is_of(row, suite, talk)])

    def _rows(self, rows: Sequence[MeasurementRow]) -> DiplomacyRows:
        return DiplomacyRows(
            orders=[row for row in rows if row.name == ORDERS],
            standings=[row for row in rows if row.name == PLAYER],
            level=self.results.level,
        )

    def _tested(self, suite: str, talk: Talk | None = None) -> Iterator[MeasurementRow]:
        return (row for row in self.results.rows if row.name in (ORDERS, PLAYER) and self._is_of(row, suite, talk))

    def _is_of(self, row: MeasurementRow, suite: str, talk: Talk | None) -> bool:
        own, talks = self.settings.get(row.game, ("", "silent"))
        return own == suite and talk in (None, talks) and row.player in (None, self._seats.get((row.game, row.match)))

    @cached_property
    def _seats(self) -> Mapping[tuple[str, str], int]:
        """The tested player of each match: who holds the first hand of Table 6, or France alone."""
        found: dict[tuple[str, str], int] = {}
        for row in (*self.results.rows, *self._references):
            suite, _ = self.settings.get(row.game, ("", ""))
            if row.name == PLAYER and row.player is not None and frozenset(_detail(row)["powers"]) == _tested(suite):
                found[row.game, row.match] = row.player
        return found

    @cached_property
    def _references(self) -> list[MeasurementRow]:
        """Rows of random and of greedy play in the games of the suites."""
        games = {row.game: len(row.agents) for row in self.results.rows if row.name == SETTING and row.value}
        found: list[MeasurementRow] = []
        for each in references(self.results.measurements, games, REFERENCE_MATCHES):
            orders = order_counts(OrderCounts.sum(each.match.orders), seats=len(each.hands))
            found += map(each.row, (orders, *standings_of(each.match.standings, each.hands, each.match.reason)))
        return found


def _suite(row: MeasurementRow) -> str:
    return ABLATION if row.value == BASIC and row.game.startswith(ABLATION) else str(row.value)


def _tested(suite: str) -> frozenset[str]:
    """The powers of the tested player in a suite; none where all players are."""
    if suite in (BASIC, ABLATION):
        return frozenset({"FRANCE"})
    return TESTED[int(suite)][0] if suite.isdigit() else frozenset()


def _detail(row: MeasurementRow) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", row.detail)

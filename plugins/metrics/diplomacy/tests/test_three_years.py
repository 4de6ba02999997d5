"""A match whose orders and messages are written down gives exactly what was counted by hand."""

from collections.abc import Mapping
from typing import Any

import pytest
from arena.metric import FinishedMatch, Measurement, Metric
from arena.record import MatchRecord
from arena.testing import play
from arena_metric_diplomacy.centres import DiplomacyCentres
from arena_metric_diplomacy.orders import DiplomacyOrders
from arena_metric_diplomacy.talk import DiplomacyTalk

from . import three_years as script


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> MatchRecord:
    """The match of three years."""
    return play(script.game(), script.agents(), tmp_path_factory.mktemp("three-years")).over


def measured(metric: Metric, record: MatchRecord, name: str) -> list[Measurement]:
    """What a metric measures under a name, in the order of the players."""
    return [each for each in metric.measure(FinishedMatch(record, None)) if each.name == name]


def details(metric: Metric, record: MatchRecord, name: str) -> list[Mapping[str, Any]]:
    """The details of what a metric measures under a name."""
    return [each.detail for each in measured(metric, record, name) if isinstance(each.detail, Mapping)]


def test_script_is_played_to_its_end(record: MatchRecord):
    """Nothing of the script is refused, and France wins alone."""
    assert list(record.refused()) == []
    assert record.returns == (0.0, 1.0, 0.0, 0.0, 0.0)


def test_orders_are_counted_by_kind(record: MatchRecord):
    """Moves, attacks and supports that were given and came about, by the paper's definition and by that of its code."""
    found = details(DiplomacyOrders(), record, "orders")

    counts = [{kind: (own["succeeded"][kind], own["given"][kind]) for kind in own["given"]} for own in found]
    assert counts == list(script.COUNTS)


def test_all_other_orders_are_counted(record: MatchRecord):
    """Holds, convoys, orders that match nothing, units without an order and supports within one hand."""
    found = details(DiplomacyOrders(), record, "orders")

    assert [{name: own[name] for name in script.GIVEN[0]} for own in found] == list(script.GIVEN)


def test_centres_and_influence_by_year(record: MatchRecord):
    """What each power had at the end of each year, and the sums of those in one hand."""
    powers = {own["powers"][0]: own for own in details(DiplomacyCentres(), record, "power")}

    assert {power: tuple(own["centres"]) for power, own in powers.items()} == script.CENTRES
    assert {power: tuple(own["influence"]) for power, own in powers.items()} == script.INFLUENCE
    (pair,) = (own for own in details(DiplomacyCentres(), record, "player") if len(own["powers"]) == 2)
    assert (tuple(pair["centres"]), tuple(pair["influence"])) == ((4, 5, 5), (5, 7, 8))


def test_ends_of_players(record: MatchRecord):
    """France wins in 1903, Italy is eliminated in 1901, and six powers are left."""
    players = details(DiplomacyCentres(), record, "player")

    assert [own["solo"] for own in players] == [None, 1903, None, None, None]
    assert [own["eliminated"] for own in players] == [None, None, None, None, 1901]
    (match,) = measured(DiplomacyCentres(), record, "match")
    assert (match.value, match.detail) == (script.SURVIVORS, {"reason": "solo"})


def test_messages_are_counted(record: MatchRecord):
    """Rounds, messages, characters, audiences and sentences about pacts of each player."""
    found = details(DiplomacyTalk(), record, "talk")

    assert [{name: own[name] for name in script.SAID[0]} for own in found] == list(script.SAID)
    assert [own["stances"] for own in found] == list(script.STANCES)


def test_pacts_are_held_against_orders(record: MatchRecord):
    """Each agreement that bound somebody was kept or broken in each phase in which it was in force."""
    found = details(DiplomacyTalk(), record, "pact")

    names = ("bound", "partner", "kind", "phase")
    assert {tuple(own[name] for name in names): tuple(own["kept"]) for own in found} == script.PACTS
    assert len(found) == len(script.PACTS)

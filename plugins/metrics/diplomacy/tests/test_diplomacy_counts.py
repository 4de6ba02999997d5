"""What the metrics make of matches that were not written down: policies, forfeits, empty ratios and references."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.agent import Refusal, RefusalKind, Reply
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import FinishedMatch, MeasurementRow, Measurements, Metric
from arena.record import MatchRecord
from arena.tables import Estimate, Section, Table
from arena.testing import RANDOM, FunctionAgent, check_metric, play
from arena_game_diplomacy.game import Diplomacy
from arena_metric_diplomacy.centres import DiplomacyCentres
from arena_metric_diplomacy.grouping import GREEDY, RANDOM as RANDOM_PLAY
from arena_metric_diplomacy.orders import DiplomacyOrders
from arena_metric_diplomacy.references import MATCHES, ReferenceMatch, reference_match, shipped
from arena_metric_diplomacy.talk import DiplomacyTalk

GAME = Diplomacy(hands=(("FRANCE",), ("ENGLAND",)), last_year=1902, negotiation_rounds=1)
METRICS = (DiplomacyOrders(reference_matches=2), DiplomacyCentres(reference_matches=2), DiplomacyTalk())

HOLDS = FunctionAgent(lambda decision, seat: Reply(action=decision.skip))

Played = Callable[..., MatchRecord]


def silent(decision: Any, seat: Any) -> Reply | Refusal:
    """Says and orders nothing that can be read."""
    return Refusal(kind=RefusalKind.UNREADABLE, reason="prose")


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """A match between agents, with a number that seeds it and sets its block apart."""

    def played(agents: Sequence[Any], number: int = 0, game: Diplomacy = GAME, **more: Any) -> MatchRecord:
        record = play(game, agents, tmp_path / f"{len(list(tmp_path.iterdir()))}", seed=number, **more).over
        plan = attrs.evolve(record.plan, id=f"game/{number}", repeat=number, chance_seed=number)
        return attrs.evolve(record, plan=plan)

    return played


def summary(metric: Metric, records: Sequence[MatchRecord], game: Diplomacy = GAME, **settings: Any) -> Section:
    """The metric's section about some matches."""
    rows = [MeasurementRow.of(each, r) for r in records for each in metric.measure(FinishedMatch(r, None))]
    (section,) = metric.summarize(Measurements(rows=rows, games={records[0].game: game}, **settings))
    return section


def rows_of(table: Table, **wanted: str) -> list[Mapping[str, Any]]:
    """The rows of a table that have these cells, by the names of columns."""
    found = [dict(zip((c.name for c in table.columns), row, strict=True)) for row in table.rows]
    return [row for row in found if all(row[name] == value for name, value in wanted.items())]


def orders_of(record: MatchRecord, player: int) -> Mapping[str, Any]:
    """What one player ordered, as it is measured."""
    found = [each for each in DiplomacyOrders().measure(FinishedMatch(record, None)) if each.player == player]
    assert isinstance(found[0].detail, Mapping)
    return found[0].detail


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: type(metric).__name__)
def test_metric_keeps_its_contract(metric: Metric, played: Played):
    """Measuring is pure, and summaries do not depend on the order of matches; other games have no rows."""
    report = check_metric(metric, [played([RANDOM, RANDOM], number) for number in range(3)], GAME)

    assert report.estimates > 10
    assert check_metric(metric).measurements == 0


def test_orders_that_a_policy_put_in_are_nobodys(played: Played):
    """Random orders in place of unreadable ones are counted as put in, and in no rate."""
    record = played([FunctionAgent(silent), HOLDS], illegal_actions=IllegalActionPolicy(retries=0, then="random"))

    own, other = orders_of(record, 0), orders_of(record, 1)
    assert own["put_in"] > 0
    assert (own["orders"], sum(own["given"].values())) == (0, 0)
    assert (other["put_in"], other["orders"]) == (0, 0)
    assert other["left_out"] == 3 * other["phases"]


def test_a_player_who_forfeits_orders_nothing(played: Played):
    """Units in civil disorder are left out, and the match goes on."""
    record = played([FunctionAgent(silent), RANDOM], illegal_actions=IllegalActionPolicy(retries=0, then="forfeit"))

    assert record.forfeited == (0,)
    assert (orders_of(record, 0)["orders"], orders_of(record, 0)["put_in"]) == (0, 0)
    assert orders_of(record, 1)["orders"] > 0


def test_what_a_policy_said_is_nobodys_talk(played: Played):
    """Messages that were put in are not counted, and rounds in which a player did not answer itself neither."""
    loud = attrs.evolve(GAME, negotiation_rounds=8)
    record = played(
        [FunctionAgent(silent), HOLDS], game=loud, illegal_actions=IllegalActionPolicy(retries=0, then="random")
    )

    assert any(event.kind == "message" for event in record.events)
    found = [each.detail for each in DiplomacyTalk().measure(FinishedMatch(record, None)) if each.name == "talk"]
    assert [(own["asked"], own["messages"]) for own in found if isinstance(own, Mapping)] == [(0, 0), (32, 0)]


def test_a_ratio_of_nothing_is_empty(played: Played):
    """A player who only holds has no rate of anything, rather than 0 or 100 per cent."""
    section = summary(DiplomacyOrders(reference_matches=0), [played([HOLDS, RANDOM])])

    rates = [row["rate"] for row in rows_of(section.tables[0], agent="agent-0")]
    assert [(rate.value, rate.n) for rate in rates] == [(None, 0)] * 6


def test_talk_without_messages_has_no_length(played: Played):
    """Who says nothing has no length, no share of private messages and no recipients."""
    section = summary(DiplomacyTalk(), [played([HOLDS, HOLDS])])

    (row,) = rows_of(section.tables[0], agent="agent-0")
    assert (row["rounds"], row["messages"], row["wrote in"].value) == (4, 0, 0.0)
    assert [row[name].value for name in ("characters", "private", "global", "recipients")] == [None] * 4


def test_every_share_has_its_n_and_interval(played: Played):
    """Over several matches each rate says how many matches it rests on and how sure it is."""
    section = summary(DiplomacyOrders(reference_matches=2), [played([RANDOM, RANDOM], n) for n in range(3)])

    (row,) = rows_of(section.tables[0], agent="agent-0", order="move")
    assert isinstance(row["rate"], Estimate)
    assert row["rate"].n == 3
    assert 0 <= row["rate"].low < row["rate"].value < row["rate"].high <= 1
    assert row["given"] > row["succeeded"] > 0


@pytest.mark.slow
def test_forfeited_matches_can_be_left_out(played: Played):
    """Where reports want results without forfeits, matches of those who forfeited are in no table."""
    records = [played([FunctionAgent(silent), RANDOM], illegal_actions=IllegalActionPolicy(retries=0, then="forfeit"))]

    assert summary(DiplomacyOrders(), records, forfeits="with").tables
    assert not summary(DiplomacyOrders(), records, forfeits="without").tables


def test_references_stand_behind_agents(played: Played):
    """Random and greedy play have the same columns as agents, with their own number of matches."""
    section = summary(DiplomacyCentres(reference_matches=2), [played([HOLDS, HOLDS])])

    agents = [row["agent"] for row in rows_of(section.tables[0])]
    assert agents == ["agent-0", "agent-1", GREEDY, RANDOM_PLAY]
    (greedy,) = rows_of(section.tables[0], agent=GREEDY)
    assert (greedy["seats"], greedy["centres"].n) == (4, 2)
    assert greedy["centres"].value > 3


@pytest.mark.slow
def test_references_of_games_that_are_not_shipped_are_bounded(played: Played):
    """Of games of one's own some matches are played, the fewer the longer they are, and at least one."""
    game = attrs.evolve(GAME, last_year=1920)
    section = summary(DiplomacyCentres(), [played([HOLDS, HOLDS])], game)

    numbers = {row["agent"]: row["centres"].n for row in rows_of(section.tables[0])}
    assert 1 <= numbers[GREEDY] <= 3
    assert 2 <= numbers[RANDOM_PLAY] < MATCHES


@pytest.mark.parametrize("who", [RANDOM_PLAY, GREEDY])
def test_shipped_matches_are_those_that_are_played(who: str):
    """The matches of the file can be played again; if not, scripts/make_references.py is to be run."""
    game = Diplomacy(hands=(("FRANCE",),))

    found = shipped(game, 1)

    assert found is not None
    assert len(found[who]) == MATCHES
    played = ReferenceMatch.of(reference_match(game, 1, who, 7))
    assert json.dumps(found[who][7].to_json()) == json.dumps(played.to_json())


@pytest.mark.parametrize("who", [RANDOM_PLAY, GREEDY])
def test_a_longer_match_can_be_cut(who: str):
    """A match that is cut after some years is what a match with that last year would have been."""
    short, long = (Diplomacy(hands=(("FRANCE", "ITALY"),), last_year=year) for year in (1902, 1905))

    cut = ReferenceMatch.of(reference_match(long, 1, who, 0)).until(2)

    assert cut == ReferenceMatch.of(reference_match(short, 1, who, 0))


def test_all_hands_of_the_paper_are_shipped():
    """The standard match, France alone, and the two to five agents of the paper have references."""
    games: Sequence[tuple[Any, int]] = (
        (None, 18),
        ((("FRANCE",),), 18),
        ((("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY"), ("ITALY", "RUSSIA", "TURKEY")), 25),
        ((("GERMANY", "ITALY"), ("RUSSIA", "TURKEY"), ("AUSTRIA", "ENGLAND", "FRANCE")), 20),
        ((("AUSTRIA", "ENGLAND"), ("FRANCE", "GERMANY"), ("ITALY", "TURKEY"), ("RUSSIA",)), 18),
        ((("AUSTRIA", "ENGLAND"), ("ITALY", "TURKEY"), ("FRANCE",), ("RUSSIA",), ("GERMANY",)), 18),
    )
    for hands, centres in games:
        game = Diplomacy(hands=hands, win_centres=centres)

        found = shipped(game, max(game.player_counts()))

        assert found is not None, hands
        assert {who: len(matches) for who, matches in found.items()} == {RANDOM_PLAY: MATCHES, GREEDY: MATCHES}

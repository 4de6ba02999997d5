"""Rows that are kept once for all matches with equal measurements are the rows of each match."""

import attrs
import pytest
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena_metric_outcomes.illegal import IllegalActions
from arena_metric_outcomes.outcomes import Outcomes
from arena_metric_outcomes.same_deals import pairs
from arena_metric_statistics.columns import Columns
from arena_report.metrics.measured_rows import MeasuredMatches, MeasuredRows
from arena_report.metrics.measuring import MetricRun

AGENTS = (("ann", "bob"), ("bob", "ann"), ("ann", "cid"), ("ann", "ann"), ("cid", "bob"))


def record(number: int, game: str = "coins") -> MatchRecord:
    agents = AGENTS[number % len(AGENTS)]
    returns = ((1.0, -1.0), (0.0, 0.0), (-0.25, 0.75))[number % 3]
    told = [
        Event(step, "referee", "played", Player(step % 2), {"action": 0, "turn": step // 2, "try": 0, "by": by}, None)
        for step, by in enumerate(["agent", "random", "agent", "agent"][: 2 + number % 3])
    ]
    is_lost = number % 7 == 0
    return MatchRecord(
        plan=MatchPlan(
            id=f"m{number * 7 % 100:02}",
            game=game,
            agents=agents,
            pairing=",".join(sorted(agents)),
            repeat=number // 2,
            rotation=number % 2,
            chance_seed=number // 2 * 5 % 11,
        ),
        seats=("heads", "tails"),
        steps=len(told),
        events=tuple(told),
        ending=Ending.FORFEIT_ILLEGAL if is_lost else Ending.RULES,
        returns=returns,
        forfeited=(Player(1),) if is_lost else (),
    )


RECORDS = [*map(record, range(40)), *(record(number, "hats") for number in range(41, 60))]


def kept(values: list[object]) -> MeasuredRows:
    """What is kept of a measurement for each value, each of its own match."""
    rows = MeasuredRows(MeasuredMatches())
    for number, value in enumerate(values):
        match = record(number)
        rows.add(rows.matches.add(match, match.plan.block), [Measurement("it", 1, detail=value)], match)  # type: ignore[arg-type]
    return rows


@pytest.mark.parametrize("metric", [Outcomes(), IllegalActions()])
def test_kept_rows_are_those_of_each_match(metric):
    """They are equal to rows that are made one by one, and a metric says the same of both."""
    run = MetricRun("metric", metric)
    made: list[MeasurementRow] = []
    for match in RECORDS:
        run.add(FinishedMatch(match, None))
        made += [MeasurementRow.of(each, match) for each in metric.measure(FinishedMatch(match, None))]

    assert len(run.rows) == len(made)
    assert [*run.rows] == made
    assert len(run.rows.sets) < len(RECORDS) / 2
    assert [*metric.summarize(Measurements(rows=run.rows))] == [*metric.summarize(Measurements(rows=made))]
    assert [attrs.astuple(each) for each in pairs(run.rows)] == [attrs.astuple(each) for each in pairs(made)]


def test_values_of_different_types_are_different():
    """One, one with a point and true are three values, and so are tables that hold them."""
    values: list[object] = [1, 1.0, True, "1", {"a": 1}, {"a": 1.0}, {"a": True}, None]

    rows = kept(values)

    assert len(rows.sets) == len(values)
    assert [(type(row.detail), repr(row.detail)) for row in rows] == [(type(each), repr(each)) for each in values]


def test_equal_measurements_are_kept_once():
    """Whether the objects are the same or not."""
    rows = kept([{"a": [1, 2.5, "x"]} for _ in range(30)])

    assert len(rows.sets) == 1
    assert len({row.match for row in rows}) == len(rows) == 30


def test_what_is_no_measurement_is_refused():
    """Also when it looks like one that was measured before."""
    match = record(1)
    rows = MeasuredRows(MeasuredMatches())
    place = rows.matches.add(match, "block")
    rows.add(place, [Measurement("it", 1)], match)

    with pytest.raises(ValueError, match="not a Measurement"):
        rows.add(place, [("it", 1, None, None, None)], match)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="player 2"):
        rows.add(place, [Measurement("it", 1, Player(2))], match)


def test_columns_of_no_rows_are_empty():
    """Neither kept rows nor a list of none have a group, a match or a number."""
    for rows in (MeasuredRows(MeasuredMatches()), []):
        columns = Columns.of(rows)

        assert (len(columns), columns.match_count, columns.grouped("game", "agent")) == (0, 0, {})
        assert columns.named("outcome").values().tolist() == []
        assert columns.found_kinds() == []

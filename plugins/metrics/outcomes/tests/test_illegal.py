"""The metric ``illegal-actions`` on matches made by hand."""

from collections.abc import Sequence

import attrs
import pytest
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena.tables import Section
from arena.testing import check_metric
from arena_metric_outcomes.illegal import ALL, IllegalActions


def match(*turns: Sequence[str], repeat: int = 0, game: str = "g") -> MatchRecord:
    """One player's turns; each lists its refusals by kind, and then ``agent``, ``last``, ``random`` or ``gone``."""
    plan = MatchPlan(
        id=f"{game}/ann/{repeat}.0",
        game=game,
        agents=("ann",),
        pairing="ann",
        repeat=repeat,
        rotation=0,
        chance_seed=repeat,
    )
    ann, events = Player(0), []
    for number, (*refusals, last) in enumerate(turns):
        for attempt, kind in enumerate(refusals):
            data = {"kind": kind, "reason": "no", "turn": number, "try": attempt}
            events.append(Event(number, "referee", "refused", ann, data, (ann,)))
        if last == "gone":
            events.append(Event(number, "referee", "gone", ann, {"kind": refusals[-1]}, None))
        else:
            data = {"action": 0, "turn": number, "try": len(refusals), "by": "agent" if last == "last" else last}
            data |= {"note": {"answer": "last-of-several"}} if last == "last" else {}
            events.append(Event(number, "referee", "played", ann, data, (ann,)))
    is_gone = turns[-1][-1] == "gone"
    return MatchRecord(
        plan=plan,
        seats=("solo",),
        ending=Ending.FORFEIT_ILLEGAL if is_gone else Ending.RULES,
        returns=(0.0,),
        forfeited=(ann,) if is_gone else (),
        events=tuple(events),
    )


def summary(*matches: MatchRecord) -> Section:
    metric = IllegalActions()
    (section,) = metric.summarize(
        Measurements(
            rows=[MeasurementRow.of(m, each) for each in matches for m in metric.measure(FinishedMatch(each, None))]
        )
    )
    return section


def line(section: Section, title: str, *key: str) -> dict:
    (table,) = [table for table in section.tables if table.title == title]
    (row,) = [row for row in table.rows if row[: len(key)] == key]
    return dict(zip([column.name for column in table.columns], row, strict=True))


def test_metric_conforms():
    """It passes the shipped checks on matches of every ending."""
    assert check_metric(IllegalActions()).estimates > 0


def test_refusals_per_turn_and_match():
    """Three refusals in four turns of two matches, the turn that was given up included."""
    found = line(
        summary(match(["illegal", "agent"], ["agent"]), match(["agent"], ["empty", "late", "gone"], repeat=1)),
        "Refusals",
        "g",
        "ann",
    )

    assert (found["turns"], found["refusals"]) == (4, 3)
    assert found["per turn"].value == 0.75
    assert found["per match"].value == 1.5
    assert found["turns with a refusal"].value == 0.5
    assert found["answers per turn"].value == 1.5
    assert found["random and optimal play"] == 0


def test_every_number_has_n_and_interval():
    """All rates rest on the number of matches."""
    matches = (match(["illegal", "agent"]), *(match(["agent"], repeat=i) for i in (1, 2)))
    found = line(summary(*matches), "Refusals", "g", "ann")

    for name in ("per turn", "per match", "turns with a refusal"):
        assert found[name].n == 3
        assert found[name].low < found[name].value < found[name].high


def test_no_turn_has_less_than_one_answer():
    """However few the matches, the interval of answers per turn ends at the least there can be."""
    matches = (match(["illegal", "agent"]), *(match(["agent"], repeat=i) for i in range(1, 5)))
    found = line(summary(*matches), "Refusals", "g", "ann")

    assert found["answers per turn"].low == 1.0


def test_no_refusal_is_not_certainty():
    """Without any refusal the rates are zero with room above."""
    found = line(summary(*(match(["agent"], repeat=i) for i in range(20))), "Refusals", "g", "ann")

    assert found["per turn"].value == 0
    assert found["per turn"].high == pytest.approx(3.69 / 20, abs=0.01)


def test_refusals_by_kind():
    """Kinds that came up have their rate; the others are left out."""
    section = summary(match(["illegal", "illegal", "empty", "agent"], ["agent"]))

    assert line(section, "Refusals by kind", "g", "ann", "illegal")["per turn"].value == 1.0
    assert line(section, "Refusals by kind", "g", "ann", "empty")["refusals"] == 1
    assert [row[2] for row in section.tables[-1].rows] == ["empty", "illegal"]


def test_what_refusals_cost():
    """Matches in which the agent was put out, and actions put in by the policy."""
    section = summary(match(["illegal", "random"], ["agent"]), match(["illegal", "gone"], repeat=1))

    found = line(section, "What refusals cost", "g", "ann")

    assert (found["put out"], found["substituted"]) == (1, 1)
    assert found["matches lost by refusals"].value == 0.5
    assert found["actions substituted"].value == pytest.approx(1 / 3)


def test_actions_taken_from_several_answers():
    """Actions that were the last of several answers are counted for each agent, with their share and its interval."""
    matches = [match(["random"], repeat=1), match(["agent"], ["last"], repeat=2)]
    section = summary(match(["last"], ["illegal", "last"], ["agent"]), *matches)

    found = line(section, "What refusals cost", "g", "ann")

    assert (found["last of several"], found["substituted"]) == (3, 1)
    assert (found["actions last of several"].value, found["actions last of several"].n) == (0.5, 3)
    assert found["actions last of several"].low < 0.5 < found["actions last of several"].high


def test_strict_reading_of_the_same_replies_is_a_second_line():
    """Below what was refused stands what the rule for answers would have refused of the very same replies."""
    section = summary(match(["last"], ["illegal", "last"], ["agent"]), match(["agent"], repeat=1))

    as_set = line(section, "Refusals", "g", "ann", "as set")
    strict = line(section, "Refusals", "g", "ann", "strict")

    assert (as_set["turns"], as_set["refusals"]) == (4, 1)
    assert (strict["turns"], strict["refusals"]) == (4, 3)
    assert (as_set["per turn"].value, strict["per turn"].value) == (0.25, 0.75)
    assert (as_set["turns with a refusal"].value, strict["turns with a refusal"].value) == (0.25, 0.5)
    assert strict["turns with a refusal"].n == as_set["turns with a refusal"].n
    assert strict["answers per turn"] is None


def test_only_agents_with_several_answers_have_a_second_line():
    """Where no answer held several there is one line for each agent and no column that tells readings apart."""
    table = summary(match(["illegal", "agent"], ["random"])).tables[0]

    assert len(table.rows) == 1
    assert "answers read" not in [column.name for column in table.columns]


def test_nothing_is_said_of_several_answers_where_there_were_none():
    """A report without such an action has no column for it."""
    (_, table, *_) = summary(match(["illegal", "agent"], ["random"])).tables

    assert "last of several" not in [column.name for column in table.columns]
    assert table.note == ""


def test_checks_before_answers_stand_beside_the_refusals():
    """Of whoever asked whether actions are legal there are the checks, the turns with some, and the refusals."""
    asked = match(["illegal", "agent"], ["agent"], ["agent"])
    notes = iter([{"checks": 2, "note": "x"}, {"checks": 1}, {"look_ups": ["worth"]}, {"checks": True}])
    events = tuple(event._replace(data={**event.data, "note": next(notes)}) for event in asked.events)

    section = summary(attrs.evolve(asked, events=events), match(["agent"], repeat=1))
    found = line(section, "Checks before an answer", "g", "ann")

    assert [table.title for table in section.tables][:2] == ["Refusals", "Checks before an answer"]
    assert (found["turns"], found["checks"]) == (4, 3)
    assert (found["checks per turn"].value, found["refusals per turn"].value) == (0.75, 0.25)
    assert (found["turns with a check"].value, found["turns with a check"].n) == (0.25, 2)
    assert "Checks before an answer" not in [table.title for table in summary(match(["agent"])).tables]


def test_all_games_together():
    """With several games their total is given too."""
    section = summary(match(["illegal", "agent"]), match(["agent"], game="h"))

    assert line(section, "Refusals", ALL, "ann")["per turn"].value == 0.5
    assert section.figures[0].x == ("g", "h", ALL)


def test_nothing_to_report():
    """Without a match the section says so."""
    assert summary().text == "There is no match to report."

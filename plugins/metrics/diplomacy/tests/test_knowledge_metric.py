"""What players know, measured on questions and on reports beside orders, with every number found by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.agent import Agent, Refusal, RefusalKind, Reply
from arena.chance import Chance
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, Event, MatchPlan, MatchRecord, Player
from arena.tables import Estimate, Section
from arena.testing import FunctionAgent, check_metric, play
from arena_game_diplomacy.facts.question_game import DiplomacyFacts
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.knowledge.truth import FIELDS, Situation, true_report
from arena_game_diplomacy.showing.forms import position_of
from arena_metric_diplomacy.knowledge import DiplomacyKnowledge
from arena_metric_diplomacy.knowledge_tables import RANDOM_ANSWERS, TRUTH

NO_RETRIES = IllegalActionPolicy(retries=0, then="forfeit")
NOBODY_ELSE = {"AUSTRIA": ["A VIE"], "GERMANY": ["A MUN"]}


def section(records: Sequence[MatchRecord], metric: DiplomacyKnowledge | None = None) -> Section:
    """The one section of a report about some matches."""
    metric = metric or DiplomacyKnowledge()
    rows = [MeasurementRow.of(m, record) for record in records for m in metric.measure(FinishedMatch(record, None))]
    (made,) = metric.summarize(Measurements(rows=rows))
    return made


def rows_of(made: Section, title: str) -> list[list[Any]]:
    """The rows of a table, estimates as what they estimate."""
    (table,) = [table for table in made.tables if table.title == title]
    return [[cell.value if isinstance(cell, Estimate) else cell for cell in row] for row in table.rows]


def by_name(made: Section, title: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by agent, each as its cells by column."""
    (table,) = [table for table in made.tables if table.title == title]
    names = [column.name for column in table.columns]
    return {row[1]: dict(zip(names, row, strict=True)) for row in rows_of(made, title)}


def cell_of(made: Section, field: str, agent: str) -> Estimate:
    """F1 of one agent in one field."""
    (table,) = [table for table in made.tables if table.title == "Knowledge by field"]
    (cell,) = [row[-1] for row in table.rows if row[2:4] == (field, agent)]
    assert isinstance(cell, Estimate)
    return cell


def event(kind: str, data: Any, to: tuple[int, ...] | None = None, step: int = 0) -> Event:
    return Event(step, "game", kind, None, data, None if to is None else tuple(map(Player, to)))


def played(player: int, by: str = "agent") -> Event:
    return Event(0, "referee", "played", Player(player), {"by": by, "action": {}}, None)


def match(name: str, events: Sequence[Event], number: int = 0, agents: tuple[str, ...] = ("one", "two")) -> MatchRecord:
    """A finished match of Diplomacy with these events."""
    plan = MatchPlan(
        id=f"{name}/{number}", game=name, agents=agents, pairing="+".join(agents), repeat=number, rotation=0,
        chance_seed=number,
    )  # fmt: skip
    return MatchRecord(
        plan=plan, seats=("FRANCE", "ENGLAND")[: len(agents)], ending=Ending.RULES, returns=(0.5,) * len(agents),
        steps=2, events=tuple(events),
    )  # fmt: skip


FRANCE_FIRST = {"FRANCE": ["A PAR"], "ENGLAND": ["F LON"], **NOBODY_ELSE}
FRANCE_SECOND = {"FRANCE": ["A BUR"], "ENGLAND": ["F ENG"], **NOBODY_ELSE}
START = event(
    "start",
    {
        "position": {"phase": "S1901M", "units": FRANCE_FIRST},
        "hands": [["FRANCE"], ["ENGLAND"]],
        "influence": {"FRANCE": ["PAR"], "ENGLAND": ["LON"]},
    },
)
MOVED = event(
    "adjudicated",
    {
        "phase": "S1901M",
        "next": {"phase": "F1901M", "units": FRANCE_SECOND},
        "influence": {"FRANCE": ["PAR", "BUR"], "ENGLAND": ["LON", "ENG"]},
    },
)
FIRST = {
    "location": ["Paris"],
    "unit": ["A PAR"],
    "adjacent": {"PAR": ["BRE", "PIC", "GAS", "MAR"]},
    "attackable": ["BRE", "PIC", "GAS", "BUR"],
    "attack_analysis": {"BRE": 1, "PIC": 1, "GAS": 2},
}
"""Of four neighbours one is wrong and one left out; of four attacks one is wrong and one left out."""
SECOND = {"location": ["PAR"], "unit": ["A PAR"], "attackable": ["MUN"], "attack_analysis": {"MUN": 2, "MAR": 1}}


def report(phase: str, power: str, given: Any, player: int) -> Event:
    return event("report", {"phase": phase, "powers": [power], "report": given}, (player,))


def two_reports(given: Any = SECOND, by: str = "agent") -> list[Event]:
    """A match in which France reports twice, from other positions, and England never."""
    first = [played(0), played(1), report("S1901M", "FRANCE", FIRST, 0), report("S1901M", "ENGLAND", None, 1)]
    second = [played(0, by), played(1), report("F1901M", "FRANCE", given, 0), report("F1901M", "ENGLAND", {}, 1)]
    return [START, *first, MOVED, *second]


def test_counts_are_summed_over_phases():
    """Each report is held against the position that it is about; counts are added, then F1 is taken of the sums."""
    made = section([match("game", two_reports())])

    rows = [row for row in rows_of(made, "Knowledge by field") if row[3] == "one"]
    assert [row[1:3] + row[4:7] for row in rows] == [
        ["one-hop", "location", 2, 0, 1],
        ["one-hop", "unit", 1, 1, 1],
        ["one-hop", "adjacent", 3, 1, 1 + 7],
        ["multi-hop", "attackable", 4 + 1, 0, 6],
        ["multi-hop", "attack_analysis", 2 + 2, 1, 2 + 5],
    ]
    assert [row[7] for row in rows] == pytest.approx([4 / 5, 2 / 4, 6 / 15, 10 / 16, 8 / 16])
    one = by_name(made, "Knowledge by agent")["one"]
    assert one["one-hop"] == pytest.approx(12 / (12 + 2 + 10))
    assert one["multi-hop"] == pytest.approx(18 / (18 + 1 + 13))
    assert (one["reports"], one["missing"]) == (2, 0)


def test_missing_reports_leave_everything_out_and_are_counted():
    """No report, an empty one, and one that a policy put in are none: all truths are false negatives."""
    made = section([match("game", two_reports(by="random"))])

    agents = by_name(made, "Knowledge by agent")
    assert (agents["one"]["reports"], agents["one"]["missing"]) == (2, 1)
    assert (agents["two"]["reports"], agents["two"]["missing"]) == (2, 2)
    assert agents["two"]["one-hop"] == agents["two"]["multi-hop"] == 0
    units = {row[3]: row[4:7] for row in rows_of(made, "Knowledge by field") if row[2] == "unit"}
    assert units == {"one": [1, 0, 1], "two": [0, 0, 2], RANDOM_ANSWERS: [None, None, None]}
    assert section([match("game", two_reports(None))]).tables == made.tables


def test_powers_stand_apart():
    """The same agent as two powers has a row for each."""
    made = section([match("game", two_reports(), agents=("one", "one"))])

    rows = rows_of(made, "Knowledge by power")
    assert [row[:4] for row in rows] == [["game", "ENGLAND", "one", 2], ["game", "FRANCE", "one", 2]]
    assert [row[4] for row in rows] == pytest.approx([0, 4 / 5])


def test_intervals_are_over_matches():
    """Two matches that differ give an interval around what they have together, and one match leaves nearly all open."""
    alone = section([match("game", two_reports())])
    both = section(
        [
            match("game", two_reports()),
            match("game", two_reports(by="random"), 1),
        ]
    )

    single, double = (cell_of(made, "attackable", "one") for made in (alone, both))
    assert (single.n, double.n, double.unit) == (1, 2, "matches")
    assert single.high - single.low > 0.9
    assert double.low is not None
    assert double.high is not None
    assert double.value == pytest.approx(18 / (18 + 0 + 6 + 7))
    assert double.low < double.value < double.high
    assert double.method == "Gaffke, within 0 and 1"


def test_truth_and_random_answers_stand_beside():
    """The truth is 1 everywhere; random answers are the same reports' positions with entries drawn evenly."""
    made = section([match("game", two_reports(), number) for number in range(30)])
    agents = by_name(made, "Knowledge by agent")

    assert (agents[TRUTH]["one-hop"], agents[TRUTH]["multi-hop"]) == (1.0, 1.0)
    assert cell_of(made, "location", RANDOM_ANSWERS).value == pytest.approx((1 + 1 + 4 + 4) / 6 / 75, abs=0.02)
    assert cell_of(made, "attackable", RANDOM_ANSWERS).value == pytest.approx((16 + 49 + 16 + 64) / 23 / 75, abs=0.03)
    assert list(agents) == ["one", "two", RANDOM_ANSWERS, TRUTH]


def test_figures_are_those_of_the_paper():
    """One-hop and multi-hop fields stand apart, each with F1 of every agent and of random answers."""
    one, multi = section([match("game", two_reports())]).figures

    assert (one.kind, one.x, multi.x) == ("bar", FIELDS[:3], FIELDS[3:])
    assert list(one.series) == list(multi.series) == ["one", "two", RANDOM_ANSWERS]
    assert one.references == {TRUTH: 1.0}


def test_provinces_with_two_coasts_can_be_left_out():
    """The option takes what borders on a unit there out of both sides, as the original does."""
    units = {"FRANCE": ["A SPA"], "ENGLAND": ["F LON"]}
    opening = {"position": {"phase": "S1901M", "units": units}, "hands": [["FRANCE"]], "influence": {"FRANCE": ["SPA"]}}
    record = match("game", [event("start", opening), report("S1901M", "FRANCE", {"adjacent": {"SPA": ["POR"]}}, 0)])

    whole, skipped = (section([record], DiplomacyKnowledge(skip_two_coasts=skip)) for skip in (False, True))
    counted = [
        [row[4:7] for row in rows_of(made, "Knowledge by field") if row[2:4] == ["adjacent", "one"]]
        for made in (whole, skipped)
    ]

    assert counted == [[[1, 0, 2]], [[0, 0, 0]]]


def knower(*known: str) -> FunctionAgent:
    """Answers the fields it knows rightly, and leaves the others empty."""

    def answer(decision: Any, seat: Any) -> Reply:
        state, _ = seat.game.start(Chance(0), 1)  # these games leave nothing to chance
        question = state.question
        truth = true_report(question.situation, (question.power,), question.fields)
        empty: dict[str, Any] = {f: [] if isinstance(value, list) else {} for f, value in truth.items()}
        return Reply(action={**empty, **{field: truth[field] for field in known if field in truth}})

    return FunctionAgent(answer)


def questions(name: str, agent: Agent, tmp_path: Path, **games: DiplomacyFacts) -> list[MatchRecord]:
    """One match of an agent in each game, as a sweep would make them."""
    records: list[MatchRecord] = []
    for number, (variant, game) in enumerate(games.items()):
        record = play(game, [agent], tmp_path / f"{name}{number}", illegal_actions=NO_RETRIES).over
        title = f"facts[number={variant}]"
        plan = attrs.evolve(record.plan, id=f"{title}/{name}", game=title, agents=(name,), pairing=name)
        records.append(attrs.evolve(record, plan=plan))
    return records


@pytest.mark.slow
def test_single_questions_are_measured_too(tmp_path: Path):
    """Matches of ``diplomacy-facts`` are reports as well; a sweep over questions is one game, a forfeit is missing."""
    games = {f"{n}": DiplomacyFacts(power="FRANCE", number=n) for n in range(4)}
    silent = FunctionAgent(lambda *_: Refusal(kind=RefusalKind.EMPTY, reason="nothing was said"))
    half = questions("half", knower("location", "attackable"), tmp_path, **games)
    made = section([*half, *questions("silent", silent, tmp_path, **games)])

    agents = by_name(made, "Knowledge by agent")
    assert {row[0] for row in rows_of(made, "Knowledge by agent")} == {"facts"}
    assert [cell_of(made, field, "half").value for field in FIELDS] == [1, 0, 0, 1, 0]
    assert cell_of(made, "unit", "half").unit == "positions"
    assert (agents["half"]["reports"], agents["half"]["missing"], agents["silent"]["missing"]) == (4, 0, 4)
    assert check_metric(DiplomacyKnowledge(), half).measurements == 4


def test_the_worst_case_has_a_column_where_it_is_asked(tmp_path: Path):
    """A field that is not among the five of the paper is shown if somebody was asked for it."""
    game = DiplomacyFacts(field="worst_case", power="FRANCE", number=1)
    made = section(questions("whole", knower("worst_case"), tmp_path, one=game))

    assert cell_of(made, "worst_case", "whole").value == 1
    assert [figure.title for figure in made.figures] == ["facts: knowledge, multi-hop"]


def test_other_matches_have_no_reports():
    """Without a report there is no measurement, and the section says so."""
    assert check_metric(DiplomacyKnowledge()).measurements == 0
    assert "No player was asked" in section([match("game", [START, MOVED])]).text


def honest(decision: Any, seat: Any) -> Reply:
    """Holds everywhere, and reports what is true in an odd way that a model could have."""
    if decision.phase != "orders":
        return Reply(action={})
    seen = decision.observation
    situation = Situation(position_of(seen), seen["influence"])
    truth: Any = true_report(situation, seen["powers"])
    odd = {**truth, "attack_analysis": [{place: f"{n}"} for place, n in truth["attack_analysis"].items()], "why": "so"}
    return Reply(action=decision.interpret({"orders": [], "report": odd}))


def test_reports_beside_orders_of_a_match(tmp_path: Path):
    """In a match with ``knowledge: asked`` a right report scores 1 and none is missing; only its player sees it."""
    game = Diplomacy(hands=("FRANCE", ("ITALY", "TURKEY")), negotiation_rounds=0, last_year=1902, knowledge="asked")
    silent = FunctionAgent(lambda decision, seat: Reply(action={"orders": {}} if decision.phase == "orders" else {}))
    record = play(game, [FunctionAgent(honest), silent], tmp_path).over

    made = section([record])

    agents = by_name(made, "Knowledge by agent")
    first, second = record.agents
    assert [agents[first][name] for name in ("reports", "missing", "one-hop", "multi-hop")] == [4, 0, 1, 1]
    assert [agents[second][name] for name in ("reports", "missing", "one-hop", "multi-hop")] == [4, 4, 0, 0]
    assert [row[1] for row in rows_of(made, "Knowledge by power")] == ["FRANCE", "ITALY+TURKEY"]
    assert {e.to for e in record.events if e.kind == "report"} == {(Player(0),), (Player(1),)}
    assert check_metric(DiplomacyKnowledge(), [record]).measurements == 8

"""What runs cost: by hand, with unknown parts, and in every report."""

import arena
import attrs
import pytest
from arena.metric import CallUsage, FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, MatchPlan, MatchRecord, Player
from arena.tables import Estimate
from arena.testing import check_metric
from arena_engine import Journal
from arena_metric_outcomes.costs import UNKNOWN, Costs
from arena_report import build

KNOWN = CallUsage(
    player=Player(0),
    turn=0,
    prompt_tokens=100,
    completion_tokens=10,
    cached_tokens=75,
    reasoning_tokens=4,
    cost_usd=0.25,
)


def match(repeat: int, returns=(1.0, -1.0)) -> MatchRecord:
    """One of several matches of two agents, each in a block of its own."""
    plan = MatchPlan(
        id=f"coins/a,b/{repeat}.0",
        game="coins",
        agents=("a", "b"),
        pairing="a,b",
        repeat=repeat,
        rotation=0,
        chance_seed=repeat,
    )
    return MatchRecord(plan=plan, seats=("H", "T"), ending=Ending.RULES, returns=returns)


def tables(*played: tuple[MatchRecord, list[CallUsage]], **settings):
    """The metric's tables by title, each a list of rows as dictionaries."""
    metric = Costs(**settings)
    rows = [
        MeasurementRow.of(m, record)
        for record, uses in played
        for m in metric.measure(FinishedMatch(record, None, uses))
    ]
    sections = list(metric.summarize(Measurements(rows=rows)))
    return {
        view.title: [dict(zip((c.name for c in view.columns), row, strict=True)) for row in view.rows]
        for section in sections
        for view in section.tables
    }


def test_contract():
    """The metric keeps the contract, also of matches of which parts are unknown."""
    assert check_metric(Costs()).tables >= 5


def test_costs_by_hand():
    """Per match, per decision and in all; a decision that was asked twice counts once."""
    again = attrs.evolve(KNOWN, cost_usd=0.5)
    later = attrs.evolve(KNOWN, turn=1)
    found = tables((match(0), [KNOWN, again, later]), (match(1), [KNOWN]))

    (agent,) = found["By agent"]
    assert (agent["matches"], agent["decisions"], agent["calls"]) == (2, 3, 4)
    assert agent["cost per match"].value == pytest.approx((1.0 + 0.25) / 2)
    assert agent["cost per match"].n == 2
    assert agent["cost per decision"].value == pytest.approx(1.25 / 3)
    assert agent["calls per decision"].value == pytest.approx(4 / 3)
    (tokens,) = found["Tokens per decision"]
    assert tokens["prompt tokens"].value == pytest.approx(400 / 3)
    assert tokens["prompt reused"].value == pytest.approx(0.75)
    assert tokens["completion reasoning"].value == pytest.approx(0.4)
    (totals,) = found["Tokens in all"]
    assert list(totals.values())[2:] == [400, 40, 16]
    assert (agent["tokens read anew"], agent["reused"]) == (100, 300)
    (game,) = found["By game, all agents together"]
    assert game["cost of all"] == pytest.approx(1.25)


def test_unknown_is_never_zero():
    """A price or count that nobody knows is unknown, in sums too."""
    nobody = attrs.evolve(KNOWN, cost_usd=None, cached_tokens=None, reasoning_tokens=None)

    found = tables((match(0), [KNOWN, nobody]))

    assert found["By agent"][0]["cost per match"] == found["By agent"][0]["cost per decision"] == UNKNOWN
    assert found["Tokens per decision"][0]["prompt reused"] == UNKNOWN
    assert found["By agent"][0]["tokens read anew"] == found["By agent"][0]["reused"] == UNKNOWN
    assert found["Tokens in all"][0]["prompt tokens"] == 200
    assert found["By game, all agents together"][0]["cost of all"] == UNKNOWN
    assert found["To tell two agents apart"][0]["cost to tell apart"] == UNKNOWN


def test_matches_with_unknown_parts_are_left_out_and_counted():
    """The mean is over what is known, and the note says how much is not."""
    metric = Costs()
    played = [(match(0), [KNOWN]), (match(1), [attrs.evolve(KNOWN, cost_usd=None)])]
    matches = [FinishedMatch(record, None, uses) for record, uses in played]
    rows = [MeasurementRow.of(m, match.record) for match in matches for m in metric.measure(match)]

    (section,) = metric.summarize(Measurements(rows=rows))

    view = section.tables[0]
    assert view.rows[0][5].value == 0.25
    assert view.rows[0][5].n == 1
    assert "a in coins: cost unknown in 1 of 2 matches" in view.note


@pytest.mark.parametrize("uncounted", ["prompt_tokens", "cached_tokens"])
def test_what_is_read_anew_is_unknown_where_a_part_of_it_is(uncounted):
    """Without the tokens of one prompt, or what of it was reused, nobody knows what was read anew in all matches."""
    partly = attrs.evolve(KNOWN, **{uncounted: None})

    (agent,) = tables((match(0), [KNOWN]), (match(1), [partly]))["By agent"]

    assert agent["tokens read anew"] == UNKNOWN
    assert agent["reused"] == (UNKNOWN if uncounted == "cached_tokens" else 150)


def test_what_is_read_anew_is_told_by_agent():
    """Each agent of a match has its own; one that reuses nothing reads all anew."""
    other = attrs.evolve(KNOWN, player=Player(1), cached_tokens=0)

    first, second = tables((match(0), [KNOWN, KNOWN, other]))["By agent"]

    assert (first["agent"], first["tokens read anew"], first["reused"]) == ("a", 50, 150)
    assert (second["agent"], second["tokens read anew"], second["reused"]) == ("b", 100, 0)


def test_answers_of_the_shared_cache_read_nothing():
    """Whoever is given an answer that another run asked for reads no token for it, whatever was counted there."""
    shared = attrs.evolve(KNOWN, is_shared=True, cost_usd=0.0)
    uncounted = attrs.evolve(shared, prompt_tokens=None, cached_tokens=None)

    (agent,) = tables((match(0), [KNOWN, shared, uncounted]))["By agent"]

    assert (agent["tokens read anew"], agent["reused"], agent["calls"]) == (25, 75, 3)


def test_note_calls_what_is_left_out_as_its_column_is_called():
    """Means leave a match out whose reused tokens are unknown, and the note says so in the report's word."""
    metric = Costs()
    played = [(match(0), [KNOWN]), (match(1), [attrs.evolve(KNOWN, cached_tokens=None)])]
    matches = [FinishedMatch(record, None, uses) for record, uses in played]
    rows = [MeasurementRow.of(m, match.record) for match in matches for m in metric.measure(match)]

    (section,) = metric.summarize(Measurements(rows=rows))

    (view,) = [table for table in section.tables if table.title == "Tokens per decision"]
    assert "a in coins: reused tokens unknown in 1 of 2 matches, left out." in view.note


def test_estimates_are_marked_wherever_costs_are_shown():
    """Each table says how many calls of whom are estimates from above, and counts their tokens."""
    metric = Costs()
    guessed = attrs.evolve(KNOWN, cached_tokens=None, reasoning_tokens=None, is_estimated=True)
    matches = [FinishedMatch(match(0), None, [KNOWN, guessed]), FinishedMatch(match(1), None, [guessed])]
    rows = [MeasurementRow.of(m, each.record) for each in matches for m in metric.measure(each)]

    (section,) = metric.summarize(Measurements(rows=rows))

    mark = "a in coins: tokens and cost of 2 of 3 calls are estimates from above."
    assert [table.title for table in section.tables if mark not in table.note] == []
    assert len(section.tables) == 5
    assert section.tables[-1].rows[0][2] == 300


def test_cost_to_tell_apart():
    """It is the matches that are needed times the mean cost of a match; agents that did not differ have none."""
    gaps = [2.0, 1.0, 2.0, 3.0, -1.0, 2.0, 1.0, 2.0]
    found = tables(*((match(i, (gap, 0.0)), [KNOWN]) for i, gap in enumerate(gaps)))
    level = tables(*((match(i, (gap, 0.0)), [KNOWN]) for i, gap in enumerate([1.0, -1.0] * 4)))

    (row,) = found["To tell two agents apart"]
    needed, cost = row["matches to tell apart"], row["cost to tell apart"]
    assert isinstance(needed, Estimate)
    assert (cost.value, cost.low) == (needed.value * 0.25, needed.low * 0.25)
    assert needed.n == len(gaps)
    (row,) = level["To tell two agents apart"]
    assert row["matches to tell apart"].value is None
    assert "not separable" in row["because"]


@pytest.mark.slow
def test_every_report_has_costs_where_a_model_was_asked(tmp_path):
    """Whatever metrics a benchmark names, its report says what it cost; without a model it does not."""
    bench = {
        "name": "costly",
        "games": {"kuhn": "kuhn-poker"},
        "agents": {
            "model": {"use": "llm", "backend": {"use": "scripted", "price_usd_per_1k_tokens": 1.0}},
            "random": "random",
        },
        "metrics": [],
    }
    paid = arena.run(bench, output=tmp_path / "paid")
    free = arena.run({**bench, "agents": {"one": "random", "two": "random"}}, output=tmp_path / "free")

    with Journal.open(paid.directory) as journal:
        (costs,) = [section for section in build([journal]).sections if section.title == "Costs"]
        total = journal.totals().cost_usd
    game = dict(zip((c.name for c in costs.tables[1].columns), costs.tables[1].rows[0], strict=True))
    assert game["cost of all"] == pytest.approx(total)
    assert "Costs" not in [section.title for section in free.report().sections]

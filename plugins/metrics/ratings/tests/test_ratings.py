"""The metric as a whole: its contract, what it says of a run, and of runs in which something is missing."""

import json
from random import Random

import attrs
import pytest
from arena.metric import Baseline, FinishedMatch, MeasurementRow, Measurements
from arena.record import Ending, MatchPlan, MatchRecord
from arena.tables import Estimate
from arena.testing import check_metric
from arena_cli.application.group import group
from arena_metric_ratings.ratings import Ratings
from click.testing import CliRunner


def match(game: str, agents: tuple[str, ...], returns, number: int, gone=()) -> MatchRecord:
    plan = MatchPlan(
        id=f"{game}/{','.join(agents)}/{number}.0",
        game=game,
        agents=agents,
        pairing=",".join(sorted(agents)),
        repeat=number,
        rotation=0,
        chance_seed=number,
    )
    ending = Ending.DISQUALIFIED if gone else Ending.RULES
    seats = tuple(f"seat {p}" for p in range(len(agents)))
    return MatchRecord(plan=plan, seats=seats, ending=ending, returns=returns, forfeited=gone)


def sections(records, table=None, **settings):
    metric = Ratings(**settings)
    rows = [MeasurementRow.of(m, record) for record in records for m in metric.measure(FinishedMatch(record, None))]
    return list(metric.summarize(attrs.evolve(table or Measurements(rows=()), rows=rows)))


def view(section):
    (found,) = section.tables
    return [dict(zip((c.name for c in found.columns), row, strict=True)) for row in found.rows]


@pytest.mark.campaign
@pytest.mark.parametrize("settings", [{}, {"period": 10}, {"disqualified": "lose", "anchor": "a"}])
def test_contract(settings):
    """The metric keeps the contract with and without rating periods and an anchor."""
    assert check_metric(Ratings(**settings)).estimates > 10


def test_report_shows_other_methods_without_ranks(tmp_path):
    """`arena report RUN --metric ratings` has one table more, by name of the agents, that ranks nobody."""
    arguments = ["run", "--game", "tic-tac-toe", "-n", "6", "-q", "-o", str(tmp_path / "run")]
    for agent in ("random", "first-legal", "minimax"):
        arguments += ["--agent", agent]
    played = CliRunner().invoke(group, arguments, prog_name="arena")
    assert played.exit_code == 0, played.stderr

    shown = CliRunner().invoke(group, ["report", str(tmp_path / "run"), "--metric", "ratings", "--json"])

    assert shown.exit_code == 0, shown.stderr
    (table,) = [t for section in json.loads(shown.stdout)["sections"] for t in section["tables"]]
    names = [column["name"] for column in table["columns"]]
    assert names == ["game", "agent", "matches", "Elo", "Glicko-2", "Weng-Lin"]
    assert [row[1] for row in table["rows"]] == ["first-legal", "minimax", "random"]


def test_disqualification_is_nobodys_win():
    """A match without returns is left out and told of; on request the disqualified lost it."""
    records = [match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("b", "a"), (1.0, -1.0), 1)]
    records.append(match("g", ("a", "b"), None, 2, gone=(0,)))

    left_out, lost = sections(records)[0], sections(records, disqualified="lose")[0]

    assert "gave nobody a return and are left out: 1" in left_out.text
    assert [row["matches"] for row in view(left_out)] == [2, 2]
    assert [row["matches"] for row in view(lost)] == [3, 3]
    assert view(lost)[0]["Elo"].value < view(lost)[1]["Elo"].value


def test_groups_that_never_met_are_told_of():
    """Agents without common opponents are rated apart, and the report says so plainly."""
    records = [match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("c", "d"), (0.0, 0.0), 1)]

    (section,) = sections(records)

    assert "never met" in section.text
    assert {row["game"] for row in view(section)} == {"g, group 1", "g, group 2"}


def test_who_met_nobody_has_no_rating():
    """An agent that played itself alone is named, and is in no table."""
    (section,) = sections([match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("c", "c"), (1.0, -1.0), 1)])

    assert "c met nobody but itself" in section.text
    assert {row["agent"] for row in view(section)} == {"a", "b"}


def test_games_are_rated_apart_and_together():
    """Each game has its strengths, and all games have theirs; cooperative games have none."""
    records = [match(game, ("a", "b"), (1.0, -1.0), i) for i, game in enumerate(("g", "h", "coop"))]
    together = Baseline(random=(0, 0), random_errors=(0, 0), random_n=1, returns="cooperative")

    (section,) = sections(records, Measurements(rows=(), baselines={"coop": together}))

    assert {row["game"] for row in view(section)} == {"g", "h", "all games"}


def test_more_than_two_players_are_rated():
    """Places of three players are three pairs."""
    orders = [(3.0, 2.0, 1.0), (2.0, 3.0, 1.0), (1.0, 3.0, 2.0), (3.0, 1.0, 2.0), (1.0, 2.0, 3.0)]
    records = [match("g", ("a", "b", "c"), order, i) for i, order in enumerate(orders)]

    (section,) = sections(records)

    rows = view(section)
    assert [row["matches"] for row in rows] == [5] * 3
    assert all(isinstance(row[name], Estimate) for row in rows for name in ("Elo", "Glicko-2", "Weng-Lin"))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("settings", [{}, {"period": 10}])
@pytest.mark.parametrize("orders", [1, 3])
@pytest.mark.sample(slow=1)
def test_order_of_matches_changes_no_number(players, settings, orders):
    """The same results in another order, under other names, give each number again to 1e-9; so does each note."""
    luck = Random(5)
    results = []
    for i in range(40):
        agents = tuple(luck.sample(("a", "b", "c", "d"), players))
        results.append((agents, tuple(float(luck.randrange(3) + (agent == "a")) for agent in agents), i // 2))

    def numbers(order):
        records = [match("g", agents, returns, block) for agents, returns, block in order]
        told = [
            attrs.evolve(
                record, plan=attrs.evolve(record.plan, id=f"g/{n}", pairing=f"{record.plan.repeat}", rotation=n % 2)
            )
            for n, record in enumerate(records)
        ]
        (section,) = sections(told, **settings)
        return [cell for table in section.tables for row in table.rows for cell in row]

    first = numbers(results)
    for seed in range(orders):
        other = list(results)
        Random(seed).shuffle(other)
        for cell, moved in zip(first, numbers(other), strict=True):
            if not isinstance(cell, Estimate):
                assert moved == (pytest.approx(cell, abs=1e-9) if isinstance(cell, float) else cell)
                continue
            assert (moved.n, moved.method, moved.unit) == (cell.n, cell.method, cell.unit)
            for name in ("value", "low", "high"):
                assert getattr(moved, name) == pytest.approx(getattr(cell, name), abs=1e-9), name


def test_equal_agents_have_the_anchor_as_their_mean():
    """Twenty draws leave both at 1500, each with an interval."""
    (section,) = sections([match("g", ("a", "b"), (0.0, 0.0), i) for i in range(20)])

    for row in view(section):
        for name in ("Glicko-2", "Weng-Lin"):
            assert row[name].value == pytest.approx(1500)
            assert row[name].low < 1450 < 1550 < row[name].high


def test_matches_that_are_all_alike_have_no_interval_by_elo():
    """Resampled blocks that are all alike say nothing of luck: the rating says so, and has no interval of width 0."""
    (section,) = sections([match("g", ("a", "b"), (1.0, -1.0), i) for i in range(6)])

    for row in view(section):
        assert (row["Elo"].low, row["Elo"].high) == (None, None)
        assert row["Elo"].method == "no interval: blocks that are all alike"


def test_sections_with_and_without_forfeits_have_titles_of_their_own():
    """Where some matches were forfeited both readings can be shown, each under its own title."""
    records = [match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("b", "a"), (1.0, -1.0), 1, gone=(1,))]

    titles = [section.title for section in sections(records, Measurements(rows=(), forfeits="both"))]

    assert titles == ["Ratings by other methods", "Ratings by other methods without forfeited matches"]

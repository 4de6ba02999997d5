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
    metric = Ratings(resamples=100, **settings)
    rows = [MeasurementRow.of(m, record) for record in records for m in metric.measure(FinishedMatch(record, None))]
    return list(metric.summarize(attrs.evolve(table or Measurements(rows=()), rows=rows)))


def view(section, title):
    (found,) = [each for each in section.tables if each.title == title]
    return [dict(zip((c.name for c in found.columns), row, strict=True)) for row in found.rows]


@pytest.mark.campaign
@pytest.mark.parametrize(
    "settings", [{}, {"ties": "davidson", "prior": 300.0}, {"disqualified": "lose", "anchor": "a"}]
)
def test_contract(settings):
    """The metric keeps the contract with and without ties of their own, a prior and an anchor."""
    assert check_metric(Ratings(resamples=100, **settings)).estimates > 10


def test_report_rates_a_run(tmp_path):
    """`arena report RUN --metric ratings` rates a run that was played without it, and marks the references."""
    arguments = ["run", "--game", "tic-tac-toe", "-n", "6", "-q", "-o", str(tmp_path / "run")]
    for agent in ("random", "first-legal", "minimax"):
        arguments += ["--agent", agent]
    played = CliRunner().invoke(group, arguments, prog_name="arena")
    assert played.exit_code == 0, played.stderr

    shown = CliRunner().invoke(
        group, ["report", str(tmp_path / "run"), "--metric", "ratings", "--format", "markdown"], prog_name="arena"
    )

    assert shown.exit_code == 0, shown.stderr
    assert all(
        word in shown.stdout for word in ("random play", "optimal play", "Strengths", "Glicko-2", "Plackett-Luce")
    )


@pytest.mark.slow
def test_disqualification_is_nobodys_win():
    """A match without returns is left out and told of; on request the disqualified lost it."""
    records = [match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("b", "a"), (1.0, -1.0), 1)]
    records.append(match("g", ("a", "b"), None, 2, gone=(0,)))

    left_out, lost = sections(records)[0], sections(records, disqualified="lose")[0]

    assert "gave nobody a return and are left out: 1" in left_out.text
    assert {row["agent"]: row["lost"] for row in view(left_out, "Strengths")} == {"a": 1, "b": 1}
    assert {row["agent"]: row["lost"] for row in view(lost, "Strengths")} == {"a": 2, "b": 1}


def test_groups_that_never_met_are_told_of():
    """Agents without common opponents are rated apart, and the report says so plainly."""
    records = [match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("c", "d"), (0.0, 0.0), 1)]

    (section,) = sections(records)

    assert "never met" in section.text
    assert {row["game"] for row in view(section, "Strengths")} == {"g, group 1", "g, group 2"}


def test_who_met_nobody_has_no_rating():
    """An agent that played itself alone is named, and is in no table."""
    (section,) = sections([match("g", ("a", "b"), (1.0, -1.0), 0), match("g", ("c", "c"), (1.0, -1.0), 1)])

    assert "c met nobody but itself" in section.text
    assert {row["agent"] for row in view(section, "Strengths")} == {"a", "b"}


def test_games_are_rated_apart_and_together():
    """Each game has its strengths, and all games have theirs; cooperative games have none."""
    records = [match(game, ("a", "b"), (1.0, -1.0), i) for i, game in enumerate(("g", "h", "coop"))]
    together = Baseline(random=(0, 0), random_errors=(0, 0), random_n=1, returns="cooperative")

    (section,) = sections(records, Measurements(rows=(), baselines={"coop": together}))

    assert {row["game"] for row in view(section, "Strengths")} == {"g", "h", "all games"}


def test_more_than_two_players_are_rated():
    """Places of three players are three pairs; there is no first seat to have an advantage."""
    orders = [(3.0, 2.0, 1.0), (2.0, 3.0, 1.0), (1.0, 3.0, 2.0), (3.0, 1.0, 2.0), (1.0, 2.0, 3.0)]
    records = [match("g", ("a", "b", "c"), order, i) for i, order in enumerate(orders)]

    (section,) = sections(records)

    rows = view(section, "Strengths")
    assert [(row["matches"], row["won"] + row["lost"]) for row in rows] == [(5, 10)] * 3
    assert all(isinstance(row["strength"], Estimate) for row in rows)
    assert "Seats and ties" not in {each.title for each in section.tables}


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("settings", [{}, {"ties": "davidson", "period": 10}])
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


@pytest.mark.slow
def test_no_two_figures_of_a_report_share_a_title(tmp_path):
    """Strengths with and without forfeited matches are two figures with titles of their own; so are all others."""
    run = tmp_path / "run"
    file = tmp_path / "forfeits.yaml"
    file.write_text(
        "games: {tic-tac-toe: tic-tac-toe}\n"
        "agents:\n"
        "  random: random\n"
        "  first: first-legal\n"
        "  astray: {use: scripted, actions: [center, 99], then: first-legal}\n"
        "metrics: [outcomes, ratings]\n"
        "illegal-actions: {retries: 0, then: forfeit}\n"
        "schedule: {use: all-pairings, repeats: 2}\n"
    )
    played = CliRunner().invoke(group, ["run", str(file), "-q", "-o", str(run)], prog_name="arena")
    assert played.exit_code == 0, played.stderr

    shown = CliRunner().invoke(group, ["report", str(run), "--json"], prog_name="arena")

    titles = [figure["title"] for section in json.loads(shown.stdout)["sections"] for figure in section["figures"]]
    assert "Strengths: tic-tac-toe" in titles
    assert any(title.startswith("Strengths: tic-tac-toe (") for title in titles)
    assert len(set(titles)) == len(titles)

"""The chart that comes first, as data: the ranking's numbers with their intervals, and random and optimal play."""

import arena
import pytest
from arena_engine import Journal, recorded_games
from arena_report import Contest, Report, build, moves_csv, ranking_chart, verdict_of


def report_of(tmp_path, game, agents, **more):
    """The report of a run."""
    benchmark = {"seed": 1, "games": {game: game}, "agents": agents, "schedule": {"use": "round-robin", "repeats": 10}}
    with Journal.open(arena.run({**benchmark, **more}, output=tmp_path / "run").directory) as journal:
        return build([journal])


@pytest.mark.slow
def test_chart_has_the_numbers_of_the_ranking(tmp_path):
    """Each agent has a mark in the order of the ranking, with the value, interval and n that it is ranked by."""
    report = report_of(tmp_path, "tic-tac-toe", {"first": "first-legal", "random": "random"})

    chart = ranking_chart(report)

    assert chart is not None
    assert [mark.name for mark in chart.marks] == [each.agent for each in report.verdict.ranking]
    for mark, each in zip(chart.marks, report.verdict.ranking, strict=True):
        assert (mark.value, (mark.low, mark.high), mark.n) == (each.rating, each.interval, each.matches)


def test_chart_without_ratings_has_shares_with_the_pairs_interval(tmp_path):
    """Two agents that are not rated have their shares of points, each with the interval of the comparison."""
    benchmark = {
        "seed": 1,
        "games": {"tic-tac-toe": "tic-tac-toe"},
        "agents": {"first": "first-legal", "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 10},
    }
    with Journal.open(arena.run(benchmark, output=tmp_path / "run").directory) as journal:
        known = {name: game.baseline for name, game in recorded_games(journal).items()}
        verdict = verdict_of([Contest.of(record) for record in journal.records()], known)

    chart = ranking_chart(Report(title="t", sections=(), facts=(), verdict=verdict))

    assert chart is not None
    assert (chart.unit, chart.least, chart.greatest) == ("%", 0.0, 100.0)
    assert sum(mark.value or 0 for mark in chart.marks) == pytest.approx(100)
    assert all(mark.low is not None and mark.low <= (mark.value or 0) for mark in chart.marks)


def test_moves_are_a_row_each(tmp_path):
    """Every action that was played is a row with its turn, who played it, and its label."""
    run = arena.run(
        {"games": {"t": "tic-tac-toe"}, "agents": {"first": "first-legal"}, "schedule": "self-play", "seed": 1},
        output=tmp_path / "run",
    )
    record = run.matches[0]

    head, *rows = b"".join(moves_csv(record)).decode().splitlines()

    assert head == "match,turn,player,agent,action,label,by"
    assert len(rows) == len(list(record.played()))
    assert [row.split(",")[-1] for row in rows] == ["agent"] * len(rows)

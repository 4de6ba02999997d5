"""The chart that comes first, as data: the ranking's numbers with their intervals, and random and optimal play."""

import arena
import pytest
from arena_engine import Journal
from arena_report import build, moves_csv, ranking_chart


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
    assert [mark.name for mark in chart.marks] == [each.agent for each in report.verdict.rows]
    for mark, each in zip(chart.marks, report.verdict.rows, strict=True):
        assert (mark.value, (mark.low, mark.high), mark.n) == (each.rating, each.interval, each.matches)


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

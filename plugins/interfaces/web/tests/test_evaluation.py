"""What positions of a match were worth, and the ranking of what agents have in common."""

from itertools import pairwise
from typing import Any

import pytest
from arena_engine import run
from arena_web.workers import evaluating

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def evaluated(viewer: Any, run: str, match: str) -> list[dict[str, Any]]:
    """All turns of a match with what they were worth, in the order of the match."""
    found: dict[str, Any] = {"is_over": False}
    turns: list[dict[str, Any]] = []
    while not found["is_over"]:
        found = await viewer.json(f"/run/{run}/match/{match}/evaluation?after={len(turns)}")
        turns += found["turns"]
    assert found["problem"] == ""
    return sorted(turns, key=lambda own: own["turn"])


async def test_an_exact_solver_finds_the_blunders(viewer):
    """Every turn of tic-tac-toe is valued exactly, and its blunders are those that change the result of best play."""
    rows = (await viewer.json("/run/boards/matches?game=tic-tac-toe"))["matches"]
    won = next(row for row in rows if row["winner"] is not None)

    turns = await evaluated(viewer, "boards", won["match"])

    assert [own["turn"] for own in turns] == list(range(won["turns"]))
    assert all(own["is_exact"] and "alpha-beta" in own["method"] for own in turns)
    assert turns[0]["share"] == 0.5  # with best play nobody wins
    for before, after in pairwise(turns):
        assert (before["loss"] > 0) == (before["share"] != after["share"]) == before["is_blunder"]
        assert bool(before["better"]) == before["is_blunder"]
    assert any(own["is_blunder"] for own in turns)


async def test_a_missed_win_is_marked(viewer):
    """A choice that gives away a won position is a missed win; one that loses a drawn one is not."""
    rows = (await viewer.json("/run/boards/matches?game=tic-tac-toe&limit=100"))["matches"]
    turns = [own for row in rows for own in await evaluated(viewer, "boards", row["match"])]

    missed = [own for own in turns if own["is_missed_win"]]
    assert missed != []
    assert all(own["best"] == 1.0 and own["chosen"] < 1.0 for own in missed)
    assert any(own["is_blunder"] and own["best"] == 0.0 and not own["is_missed_win"] for own in turns)


async def test_positions_that_no_solver_takes_are_estimated(monkeypatch, viewer, played):
    """Without a solver random play values open positions, says that it is an estimate, and marks no blunder."""
    monkeypatch.setattr(evaluating, "_methods", lambda *_: iter(()))
    rows = (await viewer.json("/run/boards/matches?game=tic-tac-toe"))["matches"]
    told: list[Any] = []

    evaluating.evaluate({"run": str(played / "boards"), "match": rows[0]["id"]}, viewer.site.catalog, told.append)

    turns = [own for each in told for own in each["progress"]["found"]]
    assert len(turns) == rows[0]["turns"]
    assert all("estimate" in own["method"] and not own["is_exact"] and not own["is_blunder"] for own in turns)
    assert all(0 <= own["share"] <= 1 for own in turns)


async def test_what_cannot_be_valued_says_why(viewer):
    """A position is valued by one who may see all of it, and of a match that is over."""
    answer = await viewer.get("/run/boards/match/nothing/evaluation")

    assert answer.status_code == 404


async def ranked(viewer: Any, run: str, by: str) -> dict[str, Any]:
    """The rankings by a word, once they are computed."""
    found: dict[str, Any] = {"is_over": False}
    while not found["is_over"]:
        found = await viewer.json(f"/run/{run}/grouped?by={by}")
    assert found["problem"] == ""
    return found["found"][0]


async def test_agents_are_ranked_by_what_they_share(make_viewer, tmp_path):
    """Agents with one value of a parameter are one row, and the matches between them count nowhere."""
    agents = {
        "low": {"use": "mcts", "simulations": 2},
        "also-low": {"use": "mcts", "simulations": 2, "rollouts": 2},
        "high": {"use": "mcts", "simulations": 50},
    }
    benchmark = {
        "name": "grouped",
        "games": {"tic-tac-toe": "tic-tac-toe"},
        "agents": agents,
        "schedule": {"use": "round-robin", "repeats": 2},
    }
    run(benchmark, output=tmp_path / "runs" / "grouped", check=False)
    viewer = make_viewer(tmp_path / "runs")

    keys = (await ranked(viewer, "grouped", ""))["keys"]
    found = await ranked(viewer, "grouped", "simulations")

    assert keys[:2] == ["game", "seat"]
    assert "simulations" in keys
    (ranking,) = found["rankings"]
    assert {row["agent"] for row in ranking["rows"]} == {"2", "50"}
    assert found["left_out"] == (await viewer.json("/run/grouped/matches?agent=low"))["total"] // 2
    by_seat = (await ranked(viewer, "grouped", "seat"))["rankings"][0]
    assert {row["agent"] for row in by_seat["rows"]} == {f"{agent} as {seat}" for agent in agents for seat in "XO"}


async def test_a_ranking_for_each_game_is_that_of_the_report(viewer):
    """Grouped by game each game has a ranking of its own; what agents do not differ in is a mistake."""
    found = await ranked(viewer, "boards", "game")

    assert [each["title"] for each in found["rankings"]] == ["kuhn-poker", "tic-tac-toe"]
    assert all({row["agent"] for row in each["rows"]} == {"first", "random"} for each in found["rankings"])
    unknown = await viewer.json("/run/boards/grouped?by=colour")
    assert "agents do not differ in 'colour'" in unknown["problem"]

"""Worked cases: matches with the strengths, statistics, intervals, ranks and groups that they lead to."""

import json
from pathlib import Path
from typing import Any

import pytest
from arena_standings import Contest, GameKind, Standings, standings_of

CASES = sorted((Path(__file__).parent / "data").glob("*.json"))


@pytest.fixture(scope="module", params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Standings]:
    """What is expected of a case, and its standings."""
    told = json.loads(request.param.read_text("utf-8"))
    games = {name: GameKind(**facts) for name, facts in told["input"]["games"].items()}
    contests = [
        Contest(
            game=own["game"],
            block=own["block"],
            agents=tuple(own["agents"]),
            returns=None if own["returns"] is None else tuple(own["returns"]),
            ending=own.get("ending", "finished"),
            at_fault=tuple(own.get("by", ())),
        )
        for own in told["input"]["matches"]
    ]
    return told, standings_of(contests, games, random=told["input"].get("random", ("random",)))


def test_parts_agents_groups_and_ranks(case: tuple[dict[str, Any], Standings]):
    """Agents, separated pairs, groups and ranks are those of the case."""
    told, found = case

    for part, own in zip(found.parts, told["expected"]["parts"], strict=True):
        assert list(part.agents) == own["agents"]
        assert sorted(map(list, part.separated)) == sorted(own["separated"])
        assert [list(group) for group in part.groups] == own["groups"]
        if own["ranks"]:
            assert {row.agent: list(row.ranks) for row in part.rows} == own["ranks"]


def test_strengths_statistics_and_intervals(case: tuple[dict[str, Any], Standings]):
    """Numbers are those of the case within its tolerance; where it has no interval there is none."""
    told, found = case
    near = told["tolerance"]

    for part, own in zip(found.parts, told["expected"]["parts"], strict=True):
        for agent, rating in own.get("ratings", {}).items():
            row = next(row for row in part.rows if row.agent == agent)
            assert row.strength == pytest.approx(rating["log_odds"], abs=near["log_odds"])
            assert row.rating == pytest.approx(rating["elo"], abs=near["elo"])
        if "critical" in own:
            critical = None if part.critical == float("inf") else part.critical
            assert critical == pytest.approx(own["critical"], abs=near["critical"])
        for pair in own.get("pairs", ()):
            mine = part.pair(pair["a"], pair["b"])
            assert mine is not None
            assert mine.t == pytest.approx(pair["t"], abs=near["t"])
            assert mine.log_odds == pytest.approx(pair["lead"], abs=near["log_odds"])
            assert list(mine.log_odds_interval) == pytest.approx(pair["interval"], abs=near["interval"])


def test_headline(case: tuple[dict[str, Any], Standings]):
    """The headline says the groups of the case, or its greatest block, and how many pairs it leaves out."""
    told, found = case

    for part, own in zip(found.parts, told["expected"]["parts"], strict=True):
        headline = own.get("headline", {})
        if "chain" in headline:
            assert [list(group) for group in part.headline.chain] == headline["chain"]
        for name in ("first", "last", "between"):
            assert list(getattr(part.headline, name)) == headline.get(name, [])
        if headline:
            assert len(part.headline.more) == headline["more"]


def test_counts(case: tuple[dict[str, Any], Standings]):
    """Matches that were played, that own answers ended, and that were nobody's fault are counted."""
    told, found = case
    expected = told["expected"]

    assert found.left_out == expected["left_out"]
    assert {row.agent: row.refused for row in found.rows} == expected["refused"]
    assert {row.agent: row.matches for row in found.rows} == expected["played"]

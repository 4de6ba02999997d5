"""``arena standings``: who is better by results from elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

CASES = sorted((Path(__file__).parents[3] / "runtime" / "standings" / "tests" / "data").glob("*.json"))


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest, arena, tmp_path) -> tuple[dict[str, Any], dict[str, Any]]:
    """A worked case, and what the command says of it."""
    told = json.loads(request.param.read_text("utf-8"))
    (tmp_path / "results.json").write_text(json.dumps(told["input"]))
    done = arena("standings", "results.json", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    return told, json.loads(done.stdout)


def test_worked_case_in_words(case):
    """Agents, separated pairs, ranks, groups, blocks within groups, headline and counts are those of the case."""
    told, found = case

    for own, wanted in zip(found["parts"], told["expected"]["parts"], strict=True):
        for key in {"agents", "ranks", "groups", "inner", "headline"} & set(wanted):
            assert own[key] == wanted[key], key
        assert own["separated"] == sorted(wanted["separated"])
    for key in ("left_out", "refused", "played"):
        assert found[key] == told["expected"][key]


def test_worked_case_in_numbers(case):
    """Ratings, critical values, statistics, leads and intervals are those of the case within its tolerance."""
    told, found = case
    near = told["tolerance"]

    for own, wanted in zip(found["parts"], told["expected"]["parts"], strict=True):
        assert own["critical"] == pytest.approx(wanted.get("critical"), abs=near["critical"])
        for agent, rating in wanted.get("ratings", {}).items():
            for unit in ("log_odds", "elo"):
                assert own["ratings"][agent][unit] == pytest.approx(rating[unit], abs=near[unit])
        pairs = {(pair["a"], pair["b"]): pair for pair in own["pairs"]}
        assert len(pairs) == len(wanted.get("pairs", ()))
        for pair in wanted.get("pairs", ()):
            mine = pairs[pair["a"], pair["b"]]
            assert mine["t"] == pytest.approx(pair["t"], abs=near["t"])
            assert mine["lead"] == pytest.approx(pair["lead"], abs=near["log_odds"])
            assert mine["interval"] == pytest.approx(pair["interval"], abs=near["interval"])


def match(**changed: Any) -> dict[str, Any]:
    """A match of two agents that is right but for what is ``changed``."""
    return {"game": "g", "block": "1", "agents": ["a", "b"], "returns": [1, -1], **changed}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"game": "h"}, "game: no game called 'h' (there is: g); add it to games"),
        ({"returns": [1]}, "returns: expected 2 numbers, one for each seat, got 1; write one for each"),
        ({"returns": None}, "returns: expected 2 numbers for an ending 'finished', got null; write them"),
        ({"returns": [1, "x"]}, "returns.1: expected float, got 'x'"),
        ({"returns": [3, 0]}, "returns.0: 3 is outside -1 to 1; correct it, or the bounds of the game"),
        ({"ending": "finishd"}, "ending: expected"),
        ({"ending": "disqualified", "by": [2]}, "by: no seat 2 with 2 agents; seats count from 0"),
        ({"ending": "disqualified"}, "by: required, since the match ended by disqualification"),
        ({"agents": []}, "agents: expected one agent for each seat, got none; write their names"),
        ({"winner": "a"}, "winner: unknown key"),
    ],
)
def test_mistake_in_a_match(arena, tmp_path, wrong, said):
    """A mistake is told with file, match, field and value, and nothing is printed beside it."""
    games = {"g": {"kind": "pays", "low": -1, "high": 1}}
    (tmp_path / "results.json").write_text(json.dumps({"games": games, "matches": [match(), match(**wrong)]}))

    done = arena("standings", "results.json")

    assert (done.exit_code, done.stdout) == (2, "")
    assert f"results.json: matches.1.{said}" in " ".join(done.stderr.split())


@pytest.mark.parametrize("text", ["", "[1", '{"games": NaN}', "[" * 100_000], ids=["empty", "torn", "nan", "deep"])
def test_no_json(arena, tmp_path, text):
    """A file that is no JSON is told so once."""
    (tmp_path / "results.json").write_text(text)

    done = arena("standings", "results.json")

    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("arena: results.json: no JSON (")
    assert done.stderr.count("arena: ") == 1


def test_many_mistakes(arena, tmp_path):
    """Of many mistakes twenty are listed, and the others are counted."""
    matches = [match(game="h") for _ in range(30)]
    (tmp_path / "results.json").write_text(json.dumps({"games": {"g": {}}, "matches": matches}))

    done = arena("standings", "results.json")

    assert "and 10 more mistakes; correct these first" in done.stderr
    assert done.stderr.count("arena: ") == 21

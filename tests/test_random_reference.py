"""Random play as an agent scores what is said of random play beside it, with as many matches."""

from pathlib import Path
from typing import Any

import arena
import pytest
from arena.tables import Estimate

pytestmark = pytest.mark.xdist_group("random-reference")

PAIRS = {
    "Wins": [("won", "random wins")],
    "Returns": [("mean return", "random")],
    "Games": [("drawn", "random drawn"), ("first seat's advantage", "random")],
    "Choices against optimal play": [("optimal", "random optimal"), ("regret", "random regret")],
    "Ranks of choices": [("keeps", "random keeps"), ("top", "random top")],
    "Exploitability": [("exploitability", "random")],
    "Regret in hindsight": [("regret", "random")],
    "Missed wins": [("missed", "random"), ("per move", "random per move")],
    "Missed blocks": [("missed", "random"), ("per move", "random per move")],
    "Play against equilibria": [("pure", "random-pure"), ("distance", "random-distance")],
}
"""In each table the columns of what an agent scored and of what random play would have."""

RUNS: dict[str, Any] = {
    "tic-tac-toe": {"games": {"g": "grid-tic-tac-toe"}, "metrics": ["outcomes", "missed-opportunities"]},
    "choices": {"games": {"g": "tic-tac-toe"}, "metrics": ["optimality"]},
    "poker": {"games": {"g": "kuhn-poker"}, "metrics": ["outcomes", "optimality"]},
    "dilemma": {
        "games": {
            "g": {
                "use": "matrix",
                "rows": ["c", "d"],
                "columns": ["c", "d"],
                "payoffs": [[[3, 3], [0, 5]], [[5, 0], [1, 1]]],
            }
        },
        "metrics": ["optimality"],
    },
    "two-by-two": {"games": {"g": {"use": "two-by-two-play", "game": "111"}}, "metrics": ["equilibria"]},
}


def inside(settings: dict[str, Any], folder: Path, seeds: range) -> dict[tuple[str, str], list[bool]]:
    """For each pair of columns: whether what random play scored lies where it should, run by run."""
    found: dict[tuple[str, str], list[bool]] = {}
    for seed in seeds:
        benchmark = {"name": "r", "seed": seed, "agents": {"r": "random"}, **settings}
        benchmark["schedule"] = {"use": "self-play", "repeats": 10}
        for section in arena.run(benchmark, output=folder / f"{seed}").report().sections:
            for table in section.tables:
                names = [column.name for column in table.columns]
                for own, random in PAIRS.get(table.title, ()):
                    for row in table.rows[:1]:
                        scored, expected = row[names.index(own)], row[names.index(random)]
                        if isinstance(scored, Estimate) and isinstance(expected, Estimate) and scored.n:
                            assert scored.value is not None
                            low, high = expected.low, expected.high
                            low, high = (expected.value, expected.value) if low is None or high is None else (low, high)
                            hit = low - 1e-9 <= scored.value <= high + 1e-9
                            found.setdefault((table.title, own), []).append(hit)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_random_play_lies_where_it_is_said_to(tmp_path: Path, name: str):
    """Of 20 runs at most five lie outside, where one is expected."""
    found = inside(RUNS[name], tmp_path, range(20))

    assert found
    assert {key: hits for key, hits in found.items() if len(hits) - sum(hits) > 5} == {}


@pytest.mark.campaign
@pytest.mark.parametrize("name", RUNS)
def test_random_play_lies_there_in_nineteen_of_twenty_runs(tmp_path: Path, name: str):
    """Of 1,000 runs at least 930 lie inside: 95 % less three standard errors."""
    found = inside(RUNS[name], tmp_path, range(1_000))
    assert {key: hits for key, hits in found.items() if sum(hits) < 0.93 * len(hits)} == {}

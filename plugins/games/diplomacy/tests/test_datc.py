"""The cases of DATC 3.0, chapter 6, by L. Kruijswijk, who allows that chapter to be copied; one line of data each."""

import json
from pathlib import Path
from typing import Any

import pytest
from arena_game_diplomacy import Position, adjudicate

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "datc.json").read_text())
COUNTS = {"A": 12, "B": 15, "C": 9, "D": 34, "E": 15, "F": 25, "G": 20, "H": 16, "I": 7, "J": 11}


def _sorted(names: Any) -> dict[str, list[str]]:
    return {power: sorted(values) for power, values in names.items() if values}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    """The units stand after the phase where DATC says, and those are dislodged that it says."""
    position = Position.from_json({key: case[key] for key in ("phase", "units", "centres") if key in case})

    result = adjudicate(position, case["orders"])
    places = {unit: sorted(places) for units in result.dislodged.values() for unit, places in units.items()}
    if "retreats" in case:
        assert places == case["retreats"]
    elif "dislodged" in case:
        assert _sorted(result.dislodged) == _sorted(case["dislodged"])
    if any(places.values()) and "retreats" in case:
        assert result.next is not None
        result = adjudicate(result.next, case["retreat_orders"])

    assert _sorted(result.units) == _sorted(case["after"])


def test_every_case_is_there():
    """All 164 numbers of the chapter occur, from the first to the last of each section."""
    numbers = {case["id"].split(".")[1] + case["id"].split(".")[2].rstrip("ab") for case in CASES}

    assert numbers == {f"{section}{n}" for section, count in COUNTS.items() for n in range(1, count + 1)}

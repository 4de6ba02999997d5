"""A report on matches of seven powers that talk, with all that its metrics need played on the way."""

from pathlib import Path

import arena
import pytest


@pytest.mark.slow
def test_report_holds_the_sections_of_all_metrics(tmp_path: Path):
    """Two short matches of seven powers give a section for each metric that asks no model."""
    agents = {f"chatty-{n}": "diplomacy-chatty" for n in range(4)} | {f"random-{n}": "random" for n in range(3)}
    run = arena.run(
        {
            "name": "two",
            "seed": 1,
            "games": {"diplomacy": {"use": "diplomacy", "last-year": 1901, "players": 7}},
            "agents": agents,
            "schedule": {"use": "fixed", "seatings": [list(agents)], "repeats": 2},
            "metrics": ["diplomacy-orders", "diplomacy-centres", "diplomacy-talk", "outcomes"],
        },
        output=tmp_path / "run",
    )

    assert {"Orders", "Centres", "Talk"} <= {section.title for section in run.report().sections}

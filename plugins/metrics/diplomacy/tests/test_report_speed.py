"""A report on ten finished matches does not keep anybody waiting."""

from pathlib import Path
from time import process_time

import arena
import pytest

SECONDS = 15


@pytest.mark.slow
def test_report_on_ten_matches_takes_fifteen_seconds(tmp_path: Path):
    """Ten matches of seven powers that talk, with all metrics that ask no model, random references included."""
    agents = {f"chatty-{n}": "diplomacy-chatty" for n in range(4)} | {f"random-{n}": "random" for n in range(3)}
    run = arena.run(
        {
            "name": "ten",
            "seed": 1,
            "games": {"diplomacy": {"use": "diplomacy", "last-year": 1910, "players": 7}},
            "agents": agents,
            "schedule": {"use": "fixed", "seatings": [list(agents)], "repeats": 10},
            "metrics": ["diplomacy-orders", "diplomacy-centres", "diplomacy-talk", "outcomes"],
        },
        output=tmp_path / "run",
    )

    started = process_time()
    report = run.report()

    assert process_time() - started <= SECONDS
    assert {"Orders", "Centres", "Talk"} <= {section.title for section in report.sections}

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
PAGE = HERE.parents[2] / "docs" / "openspiel-games.md"


@pytest.mark.campaign
def test_the_page_says_who_is_registered_and_has_rules():
    """All but the verdicts is what the survey says of the games today, and at least a hundred of them pass."""
    page = PAGE.read_text(encoding="utf-8")
    # In a process of its own: open_spiel.python.policy, which other tests import, registers games written in Python.
    made = subprocess.run(
        [sys.executable, HERE / "survey.py", "--verdicts", PAGE], capture_output=True, text=True, check=True
    )

    assert made.stdout == page
    assert int(re.findall(r"\*\*(\d+) of \d+\*\* pass", page)[0]) >= 100


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_the_page_says_what_is_true():
    """Checking all games again gives the page; if not, write it again as its script says."""
    done = subprocess.run([sys.executable, HERE / "survey.py"], capture_output=True, text=True, check=True)

    assert done.stdout == PAGE.read_text(encoding="utf-8")

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
PAGE = HERE.parents[2] / "docs" / "openspiel-games.md"
LIST_NAMES = "import pyspiel; print(*sorted(pyspiel.registered_names()))"


def test_every_registered_game_is_on_the_page():
    """The page has one row for every name that OpenSpiel knows, and at least a hundred of them pass."""
    # In a process of its own: open_spiel.python.policy, which other tests import, registers games written in Python.
    listed = subprocess.run([sys.executable, "-c", LIST_NAMES], capture_output=True, text=True, check=True)
    rows = re.findall(r"^\| `(\w+)` .* \| (passes|no)\b", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert [name for name, _ in rows] == listed.stdout.split()
    assert sum(verdict == "passes" for _, verdict in rows) >= 100


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_the_page_says_what_is_true():
    """Checking all games again gives the page; if not, write it again as its script says."""
    done = subprocess.run([sys.executable, HERE / "survey.py"], capture_output=True, text=True, check=True)

    assert done.stdout == PAGE.read_text(encoding="utf-8")

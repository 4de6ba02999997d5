"""The page about rule sets says what is so."""

import subprocess
import sys
from pathlib import Path

PLUGIN = Path(__file__).parents[1]


def test_page_is_up_to_date():
    """What the script writes is what stands in the documentation."""
    written = subprocess.run([sys.executable, PLUGIN / "rules_page.py"], capture_output=True, text=True, check=True)

    assert written.stdout == (PLUGIN.parents[2] / "docs" / "tradecraft-rules.md").read_text("utf-8")

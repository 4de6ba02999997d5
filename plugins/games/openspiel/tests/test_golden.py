"""Golden playthroughs: for each named game, who saw and was told what in the first steps of one match.

After a change that is meant, write them again and read the difference::

    ARENA_WRITE_GOLDEN=1 pytest plugins/games/openspiel/tests/test_golden.py
"""

import os
from pathlib import Path

import pytest
from arena.testing import golden_playthrough

from .conftest import NAMED

GOLDEN = Path(__file__).parent / "golden"
STEPS = {
    "kuhn-poker": 10,
    "leduc-poker": 12,
    "tic-tac-toe": 9,
    "liars-dice": 12,
    "texas-holdem": 9,
    "texas-holdem-limit": 9,
    "openspiel-nim": 16,
    "blackjack": 12,
    "gin-rummy": 40,
}
SEEDS = {"texas-holdem": 5, "texas-holdem-limit": 4, "blackjack": 68, "gin-rummy": 62}


@pytest.mark.parametrize("name", NAMED)
def test_playthrough_is_the_one_that_was_read(name):
    """What each player sees, may do and is told is what a person has read and found right."""
    path = GOLDEN / f"{name}.txt"
    played = golden_playthrough(NAMED[name], seed=SEEDS.get(name, 1), steps=STEPS.get(name, 5))
    if os.environ.get("ARENA_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(played, encoding="utf-8")

    assert played == path.read_text(encoding="utf-8")

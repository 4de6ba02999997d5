"""What is shipped for authors' tests: fixtures, golden playthroughs, and nothing that slows pytest down."""

import subprocess
import sys

from arena.record import Player
from arena.testing import RANDOM, golden_playthrough

from .games_cards import KuhnPoker
from .games_together import RockPaperScissors

GOLDEN = """\
KuhnPoker(), seed 3, 2 players: player 0, player 1

  RULES

start
  player 0: dealt "king"
      dealt: "king"
  player 1: dealt "queen"
      dealt: "queen"

wave 1
  player 0 sees
      {"bids":[],"cards":{"0":"king"}}
  player 0 does "bet" ("bet")
  everybody: bid [0,"bet"]
      bid: [0,"bet"]

wave 2
  player 1 sees
      {"bids":["bet"],"cards":{"1":"queen"}}
  player 1 does "call" ("call")
  everybody: bid [1,"call"]
      bid: [1,"call"]
  everybody: shown ["king","queen"]
      shown: ["king","queen"]

over after 2 waves
  player 0 earns 2
  player 1 earns -2
"""


def test_golden_playthrough_says_who_saw_what():
    """A playthrough names for each event who saw it, what those to act saw, and what everybody earned."""
    assert golden_playthrough(KuhnPoker(), seed=3) == GOLDEN.replace("RULES", KuhnPoker().rules)


def test_golden_playthrough_can_be_short():
    """A playthrough of a long game can be cut."""
    assert golden_playthrough(RockPaperScissors(), waves=1).endswith("\nnot over after 1 waves\n")


def test_playout_fixture(playout):
    """``playout`` plays a random match to its end, or as far as it is wanted."""
    assert playout(KuhnPoker()).is_over
    assert len(playout(RockPaperScissors(), waves=2).waves) == 2


def test_chance_fixture(chance):
    """``chance`` makes luck of a seed."""
    state, _ = KuhnPoker().start(chance(1), 2)

    assert state.to_act() == (Player(0),)


def test_run_dir_fixture(run_dir, play):
    """``play`` writes its journal into ``run_dir``."""
    play(KuhnPoker(), [RANDOM, RANDOM])

    assert [file.name for file in run_dir.glob("*.sqlite")] == ["journal.sqlite"]


def test_plugin_imports_nothing_heavy():
    """The pytest plugin is loaded in every run of pytest and brings nothing of Arena along."""
    program = (
        "import sys, pytest; before = set(sys.modules); import arena.testing.pytest_plugin; "
        "print(sorted(n for n in set(sys.modules) - before if not n.startswith('_')))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert set(eval(found)) <= {"arena", "arena.testing", "arena.testing.pytest_plugin", "importlib.metadata"}

"""Each plugin of a benchmark is constructed once in a run and process."""

from collections import Counter
from pathlib import Path

import arena as package
import attrs
import pytest
from arena.metric import Metric
from arena_engine.job.schedules import RoundRobin
from arena_engine.match.simulation import RandomAgent
from arena_game_openspiel.card_games.kuhn import KuhnPoker

BENCH = """\
games: {poker: my-poker}
agents: {mine: my-random, other: random}
schedule: my-pairs
"""

MADE: Counter[str] = Counter()


class Counted:
    """Counts how often each class is constructed."""

    def __attrs_post_init__(self):
        MADE[type(self).__name__] += 1


@attrs.frozen
class Poker(Counted, KuhnPoker):
    """Poker as it is."""


@attrs.frozen
class Player(Counted, RandomAgent):
    """A random agent that counts how often it is built."""


@attrs.frozen
class Pairs(Counted, RoundRobin):
    """A round-robin schedule that counts how often it is built."""


@attrs.frozen
class Matches(Counted, Metric):
    """Measures nothing, in every report."""

    def measure(self, match):
        return ()

    def summarize(self, table):
        return ()


ALL = {"Poker": 1, "Player": 1, "Pairs": 1, "Matches": 1}


@pytest.fixture(autouse=True)
def bench(installed_plugin, tmp_path, monkeypatch) -> str:
    """A benchmark of plugins that are counted."""
    installed_plugin("game", "my-poker", Poker)
    installed_plugin("agent", "my-random", Player)
    installed_plugin("schedule", "my-pairs", Pairs)
    installed_plugin("metric", "my-matches", Matches, capabilities=frozenset({"default", "always"}))
    monkeypatch.chdir(tmp_path)
    Path("bench.yaml").write_text(BENCH)
    MADE.clear()
    return "bench.yaml"


def test_run_builds_once(arena, bench):
    """``arena run`` checks, estimates, plays and reports with the same plugins."""
    done = arena("run", bench, "-o", "run")

    assert done.exit_code == 0, done.stderr
    assert MADE == ALL


@pytest.mark.parametrize("option", ["--dry-run", "--show-prompt"])
def test_dry_run_builds_once(arena, bench, option):
    """What would be played, and what would be asked, is found out with the same plugins."""
    done = arena("run", bench, option)

    assert done.exit_code == 0, done.stderr
    assert MADE == ALL


def test_play_builds_once(arena):
    """``arena play`` asks the game for its players, and plays that game."""
    done = arena("play", "my-poker", "--as", "my-random", "--against", "first-legal", "-o", "run")

    assert done.exit_code == 0, done.stderr
    assert MADE == {"Poker": 1, "Player": 1, "Matches": 1}


@pytest.mark.slow
def test_resume_builds_once(arena, bench):
    """``arena resume`` plays and reports with the same plugins."""
    arena("run", bench, "-o", "run", "-q")
    MADE.clear()

    done = arena("resume", "run", "--set", "limits.concurrency=2")

    assert done.exit_code == 0, done.stderr
    assert MADE == ALL


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "run", "-m", "1", "-t", "1", "--ask", "mine"),
    ],
)
def test_journal_is_opened_once(arena, bench, command):
    """What reads a run builds its benchmark once."""
    arena("run", bench, "-o", "run", "-q")
    MADE.clear()

    done = arena(*command)

    assert done.exit_code == 0, done.stderr
    assert MADE == ALL


@pytest.mark.parametrize("command", [("report", "run"), ("report", "run", "run"), ("replay", "run", "-m", "1")])
def test_readers_build_games_and_metrics_alone(arena, bench, command):
    """Who reads a run builds what it is read with, once; agents and schedules are not built for it."""
    arena("run", bench, "-o", "run", "-q")
    MADE.clear()

    done = arena(*command)

    assert done.exit_code == 0, done.stderr
    assert set(MADE.elements()) == {"Poker", "Matches"}
    assert MADE.total() == 2


def test_run_from_python_builds_once():
    """``arena.run`` and the report of what it played use the same plugins."""
    run = package.run("bench.yaml", output="run")

    assert run.report().sections
    assert MADE == ALL

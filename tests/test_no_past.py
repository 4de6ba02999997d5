"""Source, docs and tests say what Arena is, and nothing of what it was.

Words that tell of a past stand only where they mean something else; ``ALLOWED`` says what.
"""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import arena
import pytest

WORDS: Final = re.compile(
    r"\b(renamed|deprecated|migrat\w*|answer_rule|has_summaries|schema 1|schema 2|no longer|used to)\b"
    r"|\b(?:(?:play)?arena[\w\[\]-]*+|version)(?!<)\W{1,4}(0\.2)\b",
    re.IGNORECASE,
)
"""Words that tell of former names, keys, journals or versions; the last one only if Arena has another version."""

ENDINGS: Final = frozenset((".css", ".html", ".js", ".md", ".py", ".sh", ".toml", ".txt", ".yaml", ".yml", ""))
"""The endings of files that people write; others hold data, such as replies of models."""

OTHERS: Final = (
    "constraints.txt",
    "docs/suites/tmgbench-",
    "plugins/games/two_by_two/src/",
    "plugins/suites/tmgbench/reviews.md",
    "tests/test_no_past.py",
)
"""How paths begin of what is no prose about Arena: names of packages, stories, and this list."""

ALLOWED: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "a keyword of JSON Schema": {
        "deprecated": ("plugins/backends/openai_protocol/src/arena_openai_protocol/grammar.py",),
    },
    "what a server says of a parameter": {
        "deprecated": ("plugins/backends/openai_compatible/tests/test_compat.py",),
    },
    "the same game, question or table of players under other names": {
        "renamed": (
            "plugins/agents/grid/src/arena_agent_grid/positions.py",
            "plugins/agents/grid/tests/test_twins.py",
            "plugins/agents/two_by_two/tests/test_spectators.py",
            "plugins/authoring/testing/src/arena_testing/game/renamed_seats.py",
            "plugins/authoring/testing/tests/test_fault_declared.py",
            "plugins/commands/leaderboard/src/arena_command_leaderboard/identified_matches.py",
            "plugins/games/grid/src/arena_game_grid/reskin.py",
            "plugins/games/grid/src/arena_game_grid/twins.py",
            "plugins/games/grid/tests/test_twins.py",
            "plugins/games/pettingzoo/tests/rllib.py",
            "plugins/games/two_by_two/tests/test_topology.py",
            "plugins/metrics/equilibria/README.md",
            "plugins/metrics/equilibria/src/arena_metric_equilibria/renamings.py",
            "plugins/metrics/opportunities/tests/test_opportunities.py",
        ),
    },
    "a file that is written under a temporary name": {
        "renamed": (
            "plugins/agents/solvers/src/arena_agent_solvers/policy_table.py",
            "plugins/runtime/engine/src/arena_engine/models/cache.py",
            "plugins/runtime/engine/src/arena_engine/references/reference_cache.py",
        ),
    },
    "a copy of the code in which functions have other names": {
        "renamed": ("plugins/runtime/engine/tests/test_renaming.py",),
    },
    "what something serves, and how far": {
        "used to": ("core/src/arena/decision.py", "plugins/runtime/engine/tests/test_throttle.py"),
    },
    "what changes while Arena, a game or a run goes on, and limits of time": {
        "no longer": (
            "docs/contracts/illegal-actions.md",
            "docs/decisions/answers-prompts.md",
            "plugins/authoring/testing/src/arena_testing/plugins/schedules.py",
            "plugins/authoring/testing/tests/test_others.py",
            "plugins/backends/openai_compatible/tests/test_real_server.py",
            "plugins/games/grid/tests/test_rules.py",
            "plugins/games/planning/src/arena_game_planning/commands/short_plans.py",
            "plugins/games/planning/src/arena_game_planning/tasks/shipped.py",
            "plugins/games/planning/src/arena_game_planning/showing/wording.py",
            "plugins/games/planning/tests/test_tasks.py",
            "plugins/interfaces/web/src/arena_web/runs/exports.py",
            "plugins/interfaces/web/tests/test_matches.py",
            "plugins/runtime/engine/src/arena_engine/foundation/channel.py",
            "plugins/runtime/engine/src/arena_engine/workers/player_process.py",
            "plugins/runtime/engine/src/arena_engine/execution/journaled_run.py",
            "plugins/runtime/engine/tests/test_journal_schema.py",
            "plugins/runtime/engine/tests/test_open_seats.py",
            "plugins/runtime/report/src/arena_report/content/building.py",
            "plugins/suites/tmgbench/src/arena_suite_tmgbench/review.py",
            "tests/promises/test_hostile_servers.py",
            "tests/test_printing.py",
        ),
    },
}
"""The files in which a word means something else, by what it means."""


def told(text: str) -> set[str]:
    """The words that a text has, in small letters; a phrase may be broken between lines."""
    return {(word[1] or word[2]).lower() for word in WORDS.finditer(" ".join(text.split()))}


def found(root: Path) -> set[tuple[str, str]]:
    """The words of tracked files, each with its file."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    words: set[tuple[str, str]] = set()
    for path in tracked.split("\0"):
        if Path(path).suffix in ENDINGS and not path.startswith(OTHERS) and (root / path).is_file():
            words |= {(path, word) for word in told((root / path).read_text("utf-8"))}
    return {(path, word) for path, word in words if word != "0.2" or not arena.__version__.startswith("0.2.")}


@pytest.mark.slow
def test_no_file_tells_of_a_past(root):
    """Words of a past stand in the files that are listed, for the reason beside them, and in no other."""
    allowed = {(path, word) for words in ALLOWED.values() for word, paths in words.items() for path in paths}
    words = found(root)

    assert sorted(words - allowed) == []
    assert sorted(allowed - words) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It was Renamed.", "renamed"),
        ("a deprecated key", "deprecated"),
        ("Migrations of journals", "migrations"),
        ("the `answer_rule` of an agent", "answer_rule"),
        ("has_summaries: true", "has_summaries"),
        ("a journal of schema\n2", "schema 2"),
        ("what no\nlonger holds", "no longer"),
        ("it Used to be so", "used to"),
        ("arena-engine==0.2", "0.2"),
        ("since version 0.2 it is so", "0.2"),
    ],
)
def test_a_word_of_a_past_is_found(text, word):
    """Each word is found, in capitals and across lines too."""
    assert told(text) == {word}
